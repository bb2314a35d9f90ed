import { type LogFilter, type LogQuery, logLimit } from '@kustos/contract/logs'
import { message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { usersRoutes } from '@kustos/contract/users'
import { isContention, type Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { invalid, refusedField } from '../platform/errors.ts'
import { readWithin } from '../platform/read-within.ts'
import { wordConditions } from './conditions.ts'
import { type Entry, isBefore, keysetQuery, plainConditions } from './keyset-query.ts'
import { type PageEntry, readPage, readPageBySpans } from './page.ts'
import { startOfPeriod } from './period.ts'

/**
 * The audit log, newest first, as JSON (contract: `logList`). Users who may not see the list of users get the e-mails of the
 * page's causers only.
 * @throws DomainError invalid, for before, if there is no such entry, or if a search takes too long
 */
export async function listLogs(context: Context, query: LogQuery): Promise<string> {
  const { db, actor } = context
  const entries = await readEntries(context, query)
  const users = can(actor, usersRoutes.listUsers.access)
    ? sql``
    : sql`where id = any(${sql.param(entries.map(({ causer_id }) => causer_id))}::int[])`
  const { rows } = await db.execute<{ list: string }>(sql`
    select coalesce(json_agg(json_build_object('id', id, 'email', email) order by id), '[]')::text as list
    from users ${users}`)
  return `{"data":[${entries.map(({ json }) => json).join(',')}],"users":${rows[0]?.list ?? '[]'}}`
}

/**
 * A page of the audit log, newest first.
 * @throws DomainError as `listLogs`
 */
export async function readEntries(context: Context, query: LogQuery): Promise<PageEntry[]> {
  const { db } = context
  const { before: beforeId, limit = logLimit.default } = query
  const before = beforeId === undefined ? null : await readEntry(db, beforeId)
  const filter = { ...query, ...boundsOf(context, query) }
  const words = await wordConditions(context, filter)
  const keyset = words.length === 0 ? keysetQuery(filter, before) : null
  if (keyset) return readPage(db, keyset.conditions, keyset.order, limit)
  const { from, to, ...others } = filter
  const bounds = [...plainConditions({ from, to }), ...isBefore(before)]
  return withinSearchTime(context, (tx) =>
    readPageBySpans(tx, [...words, ...plainConditions(others)], bounds, limit),
  )
}

/** The bounds of a filter's time, which a period until now may narrow down. */
export function boundsOf(
  { now }: Pick<Context, 'now'>,
  { from, to, within }: LogFilter,
): Pick<LogFilter, 'from' | 'to'> {
  if (within === undefined) return { from, to }
  const start = startOfPeriod(within, now()).toISOString()
  return { from: from === undefined || from < start ? start : from, to }
}

const searchTimeoutMs = 5_000

/**
 * Runs a search, whose statements are ended if they take long.
 * @throws DomainError invalid if they do
 */
export async function withinSearchTime<T>(
  context: Pick<Context, 'db'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await readWithin(context, searchTimeoutMs, work)
  } catch (error) {
    if (isContention(error)) throw refusedField('search', 'log_search_slow')
    throw error
  }
}

async function readEntry(db: Context['db'], id: number): Promise<Entry> {
  const { rows } = await db.execute<{ created_at: string }>(
    sql`select created_at::text from log_entries where id = ${id}`,
  )
  const [entry] = rows
  if (!entry) throw invalid({ before: message('log_entry_unknown') })
  return { id, created_at: entry.created_at }
}
