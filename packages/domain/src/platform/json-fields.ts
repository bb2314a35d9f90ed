import { type SQL, sql } from 'drizzle-orm'

/**
 * Selects the fields of an object of the contract, which Postgres renders as JSON.
 * @param table the alias of the table whose columns they are
 * @param expressions the SQL of the fields that are not simply the column of their name
 */
export const selectFields = (
  object: { readonly shape: object },
  table: string,
  expressions: Readonly<Record<string, string>>,
): SQL =>
  sql.raw(
    Object.keys(object.shape)
      .map((field) => `${expressions[field] ?? `${table}.${field}`} as ${field}`)
      .join(', '),
  )
