import { type LogQuery, logEntry, logLimit, type subjectTypes } from '@kustos/contract/logs'
import { message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { usersRoutes } from '@kustos/contract/users'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { selectFields } from '../platform/json-fields.ts'
import { type Entry, keysetQuery } from './keyset-query.ts'

/** The SQL of a subject's name, even if it is deleted; `l` is the entry. */
const subjectNames: Readonly<Record<(typeof subjectTypes)[number], string>> = {
  web: 'select fqdn from webs where id = l.subject_id',
  user: 'select email from users where id = l.subject_id',
  role: 'select name from roles where id = l.subject_id',
  deployment: `select kind || ' ' || fqdn from deployments where id = l.subject_id`,
  batch: `select action || ' ' || id from batches where id = l.subject_id`,
  external_domain: 'select fqdn from external_domains where id = l.subject_id',
  tag: 'select name from tags where id = l.subject_id',
  customer: 'select code from customers where id = l.subject_id',
  node: 'select name from nodes where id = l.subject_id',
}

/** The name in the newest entry of the subject, for rows that no longer exist. */
const remembered = `
  select coalesce(
    m.properties #>> '{attributes,fqdn}', m.properties #>> '{old,fqdn}',
    m.properties #>> '{attributes,name}', m.properties #>> '{old,name}')
  from log_entries m
  where m.subject_type = l.subject_type and m.subject_id = l.subject_id
  order by m.created_at desc, m.id desc limit 1`

const cases = Object.entries(subjectNames).map(([type, name]) => `when '${type}' then (${name})`)

/** The SQL of the name of an entry's subject. Takes one index lookup for each entry, or two if the subject is gone. */
const subjectName = `case when l.subject_id is not null then
  coalesce(case l.subject_type ${cases.join(' ')} end, (${remembered})) end`

/** The fields of an entry `l` as in the contract. */
export const entryFields = selectFields(logEntry, 'l', { subject_name: subjectName })

const all = (conditions: readonly SQL[]) =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`

/**
 * The audit log, newest first, as JSON (contract: `logList`), which Postgres renders since a page may have thousands of
 * entries. Users who may not see the list of users get the e-mails of the page's causers only.
 * @throws DomainError invalid, for before, if there is no such entry
 */
export async function listLogs({ db, actor }: Context, query: LogQuery): Promise<string> {
  const { before, limit = logLimit.default } = query
  const { conditions, order } = keysetQuery(query, before === undefined ? null : await readEntry(db, before))
  const causers = can(actor, usersRoutes.listUsers.access)
    ? sql``
    : sql`where id in (select causer_id from page)`
  const { rows } = await db.execute<{ list: string }>(sql`
    with page as materialized (
      select * from log_entries ${all(conditions)} order by ${order} limit ${limit}
    )
    select json_build_object(
      'data', coalesce((
        select json_agg(row_to_json(entry) order by entry.created_at desc, entry.id desc)
        from (select ${entryFields} from page l) entry
      ), '[]'),
      'users', coalesce((select json_agg(json_build_object('id', id, 'email', email) order by id) from users ${causers}), '[]')
    )::text as list`)
  const [row] = rows
  if (!row) throw new Error('The log was not read')
  return row.list
}

async function readEntry(db: Context['db'], id: number): Promise<Entry> {
  const { rows } = await db.execute<{ created_at: string }>(
    sql`select created_at::text from log_entries where id = ${id}`,
  )
  const [entry] = rows
  if (!entry) throw invalid({ before: message('log_entry_unknown') })
  return { id, created_at: entry.created_at }
}
