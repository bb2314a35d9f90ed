import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, timestamps } from './columns.ts'

/** What name servers said of a domain. */
const checked = {
  /** Own domains 1, 2, 3; external ones 10, 11, 12 (contract). Null before the first answer. */
  status: integer(),
  /** The primary name server that its SOA record names. */
  mname: text(),
  /** When name servers answered last. */
  checked_at: moment(),
  /** Why they did not the last time; null where they did. */
  check_error: text(),
}

/** Domains at our registrar. */
export const ownDomains = pgTable(
  'own_domains',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    customer: text().notNull(),
    fqdn: text().notNull(),
    /** The form in which host names are compared. */
    fqdn_ascii: text().notNull(),
    ...checked,
    ...timestamps,
  },
  (table) => [uniqueIndex('own_domains_fqdn').on(table.fqdn_ascii)],
)

/** Domains of customers that lie elsewhere. */
export const externalDomains = pgTable(
  'external_domains',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    customer: text().notNull(),
    fqdn: text().notNull(),
    fqdn_ascii: text().notNull(),
    domainprovider: text().notNull(),
    ...checked,
    ...timestamps,
  },
  (table) => [uniqueIndex('external_domains_fqdn').on(table.fqdn_ascii)],
)

/** Mailboxes at our registrar. */
export const emails = pgTable(
  'emails',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    customer: text().notNull(),
    /** In lower case. */
    address: text().notNull(),
    type: text().notNull(),
    ...timestamps,
  },
  (table) => [uniqueIndex('emails_address').on(table.address)],
)

/** When the registrar was asked for its lists last: one row. */
export const registrarSyncs = pgTable('registrar_syncs', {
  id: integer().primaryKey(),
  /** The moment that the lists are of. */
  succeeded_at: moment(),
  failed_at: moment(),
  /** Why the last try failed; null where it did not. */
  error: text(),
})
