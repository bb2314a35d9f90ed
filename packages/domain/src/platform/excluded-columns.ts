import { type SQL, sql } from 'drizzle-orm'

/** Updates these columns of an existing row to the values that could not be inserted. */
export const excludedColumns = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, sql`excluded.${sql.identifier(name)}`])) as Record<Name, SQL>
