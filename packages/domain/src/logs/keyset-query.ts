import { signInEvents } from '@kustos/contract/log-words'
import { type LogQuery, signInsName } from '@kustos/contract/logs'
import { type SQL, sql } from 'drizzle-orm'

/** The entry before a page. The clocks of several processes differ, so ids are not in the order of time. */
export interface Entry {
  readonly id: number
  /** As Postgres formats it. */
  readonly created_at: string
}

/** A filter on the first columns of an index. */
interface Filter {
  readonly columns: readonly string[]
  readonly values: readonly (string | number)[]
}

interface QueryClauses {
  readonly conditions: readonly SQL[]
  readonly order: SQL
}

/**
 * Conditions and order of a page that Postgres reads along one index; null if the filters have no index together. A filter is
 * written as a range of its index, so Postgres uses that index in any case: with a plain `log_name = …` it may scan the log
 * backwards for a thousand matches, which is slow if all of them are old.
 */
export function keysetQuery(query: LogQuery, before: Entry | null): QueryClauses | null {
  const [only, ...others] = collectFilters(query)
  const withoutCauser = query.causer === 'none'
  if (others.length > 0 || (only && withoutCauser)) return null
  if (only) {
    const { conditions, order } = buildIndexRange(only, query, before)
    return { conditions: [...conditions, ...buildFurtherConditions(query)], order }
  }
  return {
    conditions: [...plainConditions(query), ...isBefore(before)],
    // Postgres would sort all rows unless the order includes a column that is compared by `is null`.
    order: buildOrder(withoutCauser ? ['causer_id'] : []),
  }
}

const buildFurtherConditions = ({ id, without }: LogQuery): SQL[] => [
  ...(id === undefined ? [] : [sql`id = ${id}`]),
  ...(without === undefined
    ? []
    : [without === signInsName ? sql`not ${isSignIn}` : sql`log_name <> ${without}`]),
]

export const isSignIn = sql`(log_name = 'auth' and description = any(${sql.param(signInEvents)}::text[]))`

/** Conditions in any order of entries, for those that are not read along one index. */
export function plainConditions(query: LogQuery): readonly SQL[] {
  const { causer, from, to } = query
  return [
    ...(causer === 'none' ? [sql`causer_id is null`] : []),
    ...collectFilters(query).flatMap(({ columns, values }) =>
      columns.map((column, index) => sql`${sql.identifier(column)} = ${values[index]}`),
    ),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
    ...buildFurtherConditions(query),
  ]
}

export const isBefore = (entry: Entry | null): readonly SQL[] =>
  entry === null ? [] : [sql`(created_at, id) < (${entry.created_at}, ${entry.id})`]

function collectFilters({ causer, log, action, subject_type, subject_id }: LogQuery): Filter[] {
  return [
    ...(typeof causer === 'number' ? [{ columns: ['causer_id'], values: [causer] }] : []),
    ...(log === undefined ? [] : [{ columns: ['log_name'], values: [log] }]),
    ...(action === undefined ? [] : [{ columns: ['description'], values: [action] }]),
    ...(subject_type === undefined
      ? []
      : subject_id === undefined
        ? [{ columns: ['subject_type'], values: [subject_type] }]
        : [{ columns: ['subject_type', 'subject_id'], values: [subject_type, subject_id] }]),
  ]
}

function buildIndexRange(
  { columns, values }: Filter,
  { from, to }: LogQuery,
  before: Entry | null,
): QueryClauses {
  /** @param more the values of further columns of the index */
  const compared = (operator: '<' | '<=' | '>=', more: Readonly<Record<string, string | number>> = {}) => {
    const names = [...columns, ...Object.keys(more)].map((name) => sql.identifier(name))
    const bounds = [...values, ...Object.values(more)].map((value) => sql`${value}`)
    return sql`(${sql.join(names, sql`, `)}) ${sql.raw(operator)} (${sql.join(bounds, sql`, `)})`
  }
  const until = to === undefined ? compared('<=') : compared('<', { created_at: to })
  return {
    conditions: [
      from === undefined ? compared('>=') : compared('>=', { created_at: from }),
      ...(before ? [compared('<', { created_at: before.created_at, id: before.id })] : []),
      ...(before && to === undefined ? [] : [until]),
    ],
    order: buildOrder(columns),
  }
}

export const buildOrder = (columns: readonly string[]): SQL =>
  sql.join(
    [...columns, 'created_at', 'id'].map((column) => sql`${sql.identifier(column)} desc`),
    sql`, `,
  )
