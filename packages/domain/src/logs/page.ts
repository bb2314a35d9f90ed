import { logEntry } from '@kustos/contract/logs'
import type { Transaction } from '@kustos/database/client'
import { type SQL, sql } from 'drizzle-orm'
import { selectFields } from '../platform/json-fields.ts'
import { buildOrder } from './keyset-query.ts'
import { idNames, subjectName } from './names.ts'

/** The fields of an entry `l` as in the contract. */
export const entryFields = selectFields(logEntry, 'l', { subject_name: subjectName, names: idNames })

export interface PageEntry extends Record<string, unknown> {
  readonly id: string
  readonly causer_id: number | null
  /** The e-mail of the causer. */
  readonly causer: string | null
  /** The entry as in the contract, which Postgres renders since a page may have thousands of them. */
  readonly json: string
}

export const all = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`

/** Reads entries, newest first. @param order newest first too, along the columns of an index */
export async function readPage(
  db: Transaction,
  conditions: readonly SQL[],
  order: SQL,
  limit: number,
): Promise<PageEntry[]> {
  const { rows } = await db.execute<PageEntry>(sql`
    with page as materialized (
      select * from log_entries ${all(conditions)} order by ${order} limit ${limit}
    )
    select entry.id, entry.causer_id, (select email from users u where u.id = entry.causer_id) as causer,
      row_to_json(entry)::text as json
    from (select ${entryFields} from page l) entry order by entry.created_at desc, entry.id desc`)
  return rows
}

const newestFirst = buildOrder([])
/**
 * The same, in a way that no index has. Otherwise Postgres would read the log from its newest entry on for two frequent words, which
 * takes minutes if they are never together, since it takes words for independent.
 */
const sortedNewestFirst = sql`created_at + interval '0' desc, id desc`

/** Entries that the first span of time has. */
const firstSpanEntries = 8_000
/** How much longer each span of time is than the one after it. */
const growth = 16
/** Before that there are hardly any entries. */
const longAgo = Date.parse('2000-01-01T00:00:00Z')

/**
 * Reads entries whose conditions have several indexes, newest first. The indexes give them in no order, so all that match would be
 * read and sorted: they are looked for in longer and longer spans of time, from the newest on, until the page is full.
 * @param bounds conditions on the time
 */
export async function readPageBySpans(
  db: Transaction,
  conditions: readonly SQL[],
  bounds: readonly SQL[],
  limit: number,
): Promise<PageEntry[]> {
  // Starting workers for a query takes longer than reading what most pages need.
  await db.execute(sql`select set_config('max_parallel_workers_per_gather', '0', true)`)
  const found: PageEntry[] = []
  let { since, lengthMs } = await measureFirstSpan(db, bounds)
  let until: number | null = null
  for (;;) {
    const span = [
      ...(since === null ? [] : [sql`created_at >= ${toTime(since)}`]),
      ...(until === null ? [] : [sql`created_at < ${toTime(until)}`]),
    ]
    const missing = limit - found.length
    found.push(...(await readPage(db, [...conditions, ...bounds, ...span], sortedNewestFirst, missing)))
    if (found.length >= limit || since === null) return found
    until = since
    lengthMs = Math.max(lengthMs, 1_000) * growth
    since = until - lengthMs > longAgo ? until - lengthMs : null
  }
}

const toTime = (at: number) => new Date(at).toISOString()

/** Since when, in milliseconds since 1970, and how long. It has all entries, since null, if there are few. */
async function measureFirstSpan(
  db: Transaction,
  bounds: readonly SQL[],
): Promise<{ readonly since: number | null; readonly lengthMs: number }> {
  const at = (time: SQL) => sql`(extract(epoch from ${time}) * 1000)::float8`
  const { rows } = await db.execute<{ oldest: number | null; newest: number | null; entries: number }>(sql`
    select ${at(sql`min(created_at)`)} as oldest, ${at(sql`max(created_at)`)} as newest, count(*)::int as entries
    from (
      select created_at from log_entries ${all(bounds)} order by ${newestFirst} limit ${firstSpanEntries}
    ) newest`)
  const { oldest = null, newest = null, entries = 0 } = rows[0] ?? {}
  if (oldest === null || newest === null || entries < firstSpanEntries) return { since: null, lengthMs: 0 }
  return { since: oldest, lengthMs: newest - oldest }
}
