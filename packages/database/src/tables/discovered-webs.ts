import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json } from './columns.ts'
import { nodes } from './webs.ts'

/** The subscriptions that a node had when it was last read. */
export const discoveredWebs = pgTable(
  'discovered_webs',
  {
    node_id: cascadingReferenceTo(() => nodes.id),
    fqdn_ascii: text().notNull(),
    fqdn: text().notNull(),
    /** The address of the node. */
    address: text(),
    status: integer(),
    sysuser: text(),
    php_version: text(),
    /** The name of Plesk's customer. */
    owner: text(),
    databases: json().$type<readonly string[]>().notNull(),
    sites: json().$type<readonly string[]>().notNull(),
    /** Null if Plesk does not list them. */
    aliases: json().$type<readonly string[]>(),
    /** Whether the databases could be read; otherwise `databases` is empty. */
    databases_read: boolean().notNull().default(false),
    framework_name: text(),
    framework_version: text(),
    /** What webs have no column for, as it was first read or last taken over; drift is measured from here. Null if never read. */
    baseline_php_version: text(),
    baseline_databases: json().$type<readonly string[]>(),
  },
  (table) => [primaryKey({ columns: [table.node_id, table.fqdn_ascii] })],
)
