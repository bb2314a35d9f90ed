import { refusalEvents } from '@kustos/contract/log-words'
import { type LogFilter, type LogResult, searchWords } from '@kustos/contract/logs'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { readCustomerSubjects } from './customer-subjects.ts'
import { findNames, type NamedRows } from './find-names.ts'

type Reader = Pick<Context, 'db' | 'actor'>

/** Entries with these words; their index has this expression. */
const hasWords = (words: string): SQL =>
  sql`log_words(log_name, description, properties, request_id) @@ log_query(${words})`

const either = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` or `)})`

const isAbout = (type: string, ids: readonly number[]): SQL =>
  sql`(subject_type = ${type} and subject_id = any(${sql.param(ids)}::int[]))`

/** The conditions that no index of their own answers, which are read with the index of the words. */
export async function wordConditions(context: Reader, filter: LogFilter): Promise<readonly SQL[]> {
  const { search = '', result, field, customer } = filter
  const words = searchWords(search)
  const named = await findNames(context, words)
  return [
    ...words.map((word, index) => matchWord(word, named[index] ?? [])),
    ...(result === undefined ? [] : [endedWith(result)]),
    ...(field === undefined ? [] : [hasWords(field), hasField(field)]),
    ...(customer === undefined ? [] : [await concerns(context, customer)]),
  ]
}

/**
 * A word of the entry begins with it, or it is part of the name of the subject or of the causer. A whole name, of which parts such as
 * `www` and `test` are in most entries, is found as a whole.
 */
function matchWord(word: string, named: readonly NamedRows[]): SQL {
  const users = named.find(({ type }) => type === 'user')
  return either([
    hasWords(named.some(({ whole }) => whole) ? `${word} ` : word),
    ...named.map(({ type, ids }) => isAbout(type, ids)),
    ...(users ? [sql`causer_id = any(${sql.param(users.ids)}::int[])`] : []),
  ])
}

function endedWith(result: LogResult): SQL {
  if (result !== 'refused')
    return sql`${hasWords(result)} and (description = ${result} or description like ${`% ${result}`})`
  const events = sql`description = any(${sql.param(refusalEvents)}::text[])`
  return sql`log_name = 'auth' and ${either([hasWords('refused'), hasWords('denied')])} and ${events}`
}

const hasField = (field: string): SQL =>
  sql`(properties -> 'attributes' -> ${field}::text is not null or properties -> 'old' -> ${field}::text is not null)`

/** Entries about a customer, about what it has as far as the user may see that, and those whose values name it. */
async function concerns(context: Reader, code: string): Promise<SQL> {
  const subjects = await readCustomerSubjects(context, code)
  // In this order, as Postgres evaluates them on each row: reading the words of an entry takes longest.
  return either([
    ...Object.entries(subjects).flatMap(([type, ids]) => (ids.length === 0 ? [] : [isAbout(type, ids)])),
    sql`(${code} in (properties #>> '{attributes,customer}', properties #>> '{old,customer}') and ${hasWords(`${code} `)})`,
  ])
}
