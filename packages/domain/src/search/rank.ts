import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Ranks how a row matches: 0 exactly, 1 at the start, 2 within a name; null if it does not. Regardless of case. */
export function rankOf(query: string, names: readonly SQLWrapper[], id?: SQLWrapper): SQL {
  const ranks = names.map((name) => rankOfName(query, name))
  // Nulls do not count.
  return sql`least(${sql.join(id === undefined ? ranks : [...ranks, rankOfId(query, id)], sql`, `)})`
}

/** By `strpos`, for which no character is a wildcard. */
const rankOfName = (query: string, name: SQLWrapper): SQL => sql`case strpos(lower(${name}), lower(${query}))
  when 0 then null
  when 1 then case when length(${name}) = length(${query}) then 0 else 1 end
  else 2 end`

/** A part of a number is part of too many others. */
const rankOfId = (query: string, id: SQLWrapper): SQL =>
  sql`case when ${id}::text = ${query.replace(/^#/, '')} then 0 end`
