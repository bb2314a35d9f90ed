import { type SQL, sql } from 'drizzle-orm'

/**
 * Whether a domain that its registrar renews by itself was not renewed. A date without a time is that midnight, and the registrar
 * is read once an hour, so a day has to be over. A registry that has another term knows better than the registrar's list.
 * @param ends the SQL of the end @param registryEnds that of the end as the registry says, which may be null
 */
export const isRenewalOverdue = (ends: SQL, registryEnds: SQL, now: Date): SQL =>
  sql`(${ends} + interval '1 day' <= ${now.toISOString()}::timestamptz
    and coalesce(${registryEnds}, ${ends}) <= ${ends} + interval '1 day')`
