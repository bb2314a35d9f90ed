import { type SQL, sql } from 'drizzle-orm'

/** Nodes that share an address fail together. @param node an alias of their table */
export const hostOf = (node: string): SQL<string> =>
  sql.raw(`coalesce(nullif(${node}.address, ''), ${node}.id::text)`) as SQL<string>

/** From this number of webs of a node on, of which at least half are down, a failure of the node is the likelier reason. */
export const minWebsOfOutage = 3
