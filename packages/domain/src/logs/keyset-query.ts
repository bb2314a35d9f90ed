import type { LogQuery } from '@kustos/contract/logs'
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
  readonly conditions: SQL[]
  readonly order: SQL
}

/**
 * Conditions and order of a page. A single filter is written as a range of its index, so Postgres uses that index in
 * any case: with a plain `log_name = …` it may scan the log backwards for a thousand matches, which is slow if all of them
 * are old.
 */
export function keysetQuery(query: LogQuery, before: Entry | null): QueryClauses {
  const { from, to } = query
  const furtherConditions = buildFurtherConditions(query)
  const filters = collectFilters(query)
  const [only] = filters
  if (filters.length === 1 && only && query.causer !== 'none') {
    const { conditions, order } = buildIndexRange(only, query, before)
    return { conditions: [...conditions, ...furtherConditions], order }
  }
  return {
    conditions: [
      ...(query.causer === 'none' ? [sql`causer_id is null`] : []),
      ...filters.flatMap(({ columns, values }) =>
        columns.map((column, index) => sql`${sql.identifier(column)} = ${values[index]}`),
      ),
      ...(before ? [sql`(created_at, id) < (${before.created_at}, ${before.id})`] : []),
      ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql`created_at < ${to}`]),
      ...furtherConditions,
    ],
    // Postgres would sort all rows unless the order includes a column that is compared by `is null`.
    order: buildOrder(query.causer === 'none' && filters.length === 0 ? ['causer_id'] : []),
  }
}

const buildFurtherConditions = ({ id, without }: LogQuery): SQL[] => [
  ...(id === undefined ? [] : [sql`id = ${id}`]),
  ...(without === undefined ? [] : [sql`log_name <> ${without}`]),
]

function collectFilters({ causer, log, subject_type, subject_id }: LogQuery): Filter[] {
  return [
    ...(typeof causer === 'number' ? [{ columns: ['causer_id'], values: [causer] }] : []),
    ...(log === undefined ? [] : [{ columns: ['log_name'], values: [log] }]),
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

const buildOrder = (columns: readonly string[]): SQL =>
  sql.join(
    [...columns, 'created_at', 'id'].map((column) => sql`${sql.identifier(column)} desc`),
    sql`, `,
  )
