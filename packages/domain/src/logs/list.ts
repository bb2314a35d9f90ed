import { type LogEntry, type LogQuery, logLimit } from '@kustos/contract/logs'
import { message } from '@kustos/contract/messages'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { type Entry, keysetQuery } from './keyset-query.ts'
import { subjectName } from './subject-name.ts'

/** The SQL of each field; `l` is the entry. */
const fields: Readonly<Record<keyof LogEntry, string>> = {
  id: 'l.id',
  created_at: 'l.created_at',
  log_name: 'l.log_name',
  description: 'l.description',
  subject_type: 'l.subject_type',
  subject_id: 'l.subject_id',
  subject_name: subjectName,
  causer_id: 'l.causer_id',
  properties: 'l.properties',
}

const named = sql.raw(
  Object.entries(fields)
    .map(([field, expression]) => `${expression} as ${field}`)
    .join(', '),
)

const all = (conditions: readonly SQL[]) =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`

/**
 * The audit log, newest first, as JSON (contract: `logList`), which Postgres renders since a page may have thousands of
 * entries.
 * @throws DomainError invalid, for before, if there is no such entry
 */
export async function listLogs({ db }: Context, query: LogQuery): Promise<string> {
  const { before, limit = logLimit.usual } = query
  const { conditions, order } = keysetQuery(query, before === undefined ? null : await entryOf(db, before))
  const { rows } = await db.execute<{ list: string }>(sql`
    with page as materialized (
      select * from log_entries ${all(conditions)} order by ${order} limit ${limit}
    )
    select json_build_object(
      'data', coalesce((
        select json_agg(row_to_json(entry) order by entry.created_at desc, entry.id desc)
        from (select ${named} from page l) entry
      ), '[]'),
      'users', coalesce((select json_agg(json_build_object('id', id, 'email', email) order by id) from users), '[]')
    )::text as list`)
  const [row] = rows
  if (!row) throw new Error('The log was not read')
  return row.list
}

async function entryOf(db: Context['db'], id: number): Promise<Entry> {
  const { rows } = await db.execute<{ created_at: string }>(
    sql`select created_at::text from log_entries where id = ${id}`,
  )
  const [entry] = rows
  if (!entry) throw invalid({ before: message('log_entry_unknown') })
  return { id, created_at: entry.created_at }
}
