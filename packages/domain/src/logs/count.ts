import { type LogCount, type LogFilter, logCountLimit, signInsName } from '@kustos/contract/logs'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { wordConditions } from './conditions.ts'
import { isSignIn, plainConditions } from './keyset-query.ts'
import { boundsOf, withinSearchTime } from './list.ts'
import { all } from './page.ts'

/**
 * How many entries a filter leaves, and how many sign-ins it hides.
 * @throws DomainError invalid if that takes too long
 */
export async function countLogs(context: Context, query: LogFilter): Promise<LogCount> {
  const filter = { ...query, ...boundsOf(context, query) }
  const { without, ...others } = filter
  const words = await wordConditions(context, filter)
  const shown = [...words, ...plainConditions(filter)]
  const hidden = [...words, ...plainConditions(others), isSignIn]
  const count = (conditions: readonly SQL[]) =>
    sql`(select count(*)::int from (select from log_entries ${all(conditions)} limit ${logCountLimit + 1}) found)`
  const { rows } = await withinSearchTime(context, (tx) =>
    tx.execute<{ entries: number; sign_ins: number }>(
      sql`select ${count(shown)} as entries, ${without === signInsName ? count(hidden) : sql`0`} as sign_ins`,
    ),
  )
  const upToLimit = (found = 0) => (found > logCountLimit ? null : found)
  return {
    entries: upToLimit(rows[0]?.entries),
    sign_ins: upToLimit(rows[0]?.sign_ins),
    limit: logCountLimit,
  }
}
