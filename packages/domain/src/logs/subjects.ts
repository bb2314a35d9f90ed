import type { LogEntry, subjectTypes } from '@kustos/contract/logs'
import { sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { entryFields } from './page.ts'

type Found = LogEntry & { readonly causer: string | null }

/**
 * The entries about any of these subjects, newest first, with the e-mails of their causers; those about deployments are left
 * out.
 * @param subjects ids by type
 */
export async function listEntriesOf(
  { db }: Context,
  subjects: Readonly<Partial<Record<(typeof subjectTypes)[number], readonly number[]>>>,
  { since, until, limit }: { readonly since: Date; readonly until?: Date; readonly limit: number },
): Promise<Found[]> {
  // One range of the index for each type.
  const ofTypes = Object.entries(subjects).map(
    ([type, ids]) => sql`(
      select * from log_entries
      where subject_type = ${type} and subject_id = any(${sql.param(ids)}::int[])
        and created_at >= ${since.toISOString()}
        ${until === undefined ? sql`` : sql`and created_at <= ${until.toISOString()}`} and log_name <> 'deployment'
      order by created_at desc, id desc limit ${limit})`,
  )
  if (ofTypes.length === 0) return []
  const { rows } = await db.execute<{ entry: Found }>(sql`
    with page as materialized (
      select * from (${sql.join(ofTypes, sql` union all `)}) found order by created_at desc, id desc limit ${limit}
    )
    select row_to_json(entry) as entry from (
      select ${entryFields}, (select email from users where id = l.causer_id) as causer from page l
    ) entry
    order by entry.created_at desc, entry.id desc`)
  return rows.map(({ entry }) => entry)
}
