import { type SQL, sql } from 'drizzle-orm'

/** The `set` of an upsert: each column takes its value from `excluded`. */
export const excludedColumns = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, sql`excluded.${sql.identifier(name)}`])) as Record<Name, SQL>
