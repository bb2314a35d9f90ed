import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { messageColumns, timestamps, timestamptz } from './columns.ts'

const checked = {
  /** Own domains 1, 2, 3; external ones 10, 11, 12 (contract). Null before the first answer. */
  status: integer(),
  /** The primary name server of its SOA record. */
  mname: text(),
  checked_at: timestamptz(),
  /** Why the last lookup failed; null if it succeeded. */
  ...messageColumns('check_error'),
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
    /** When the registration ends; null if the registrar does not say. */
    expires_at: timestamptz(),
    /** Whether the registrar renews it; null if it does not say. */
    auto_renew: boolean(),
    ...checked,
    ...timestamps,
  },
  (table) => [
    uniqueIndex('own_domains_fqdn').on(table.fqdn_ascii),
    index('own_domains_by_customer').on(table.customer),
  ],
)

/** Domains of customers at other registrars. */
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
  (table) => [
    uniqueIndex('external_domains_fqdn').on(table.fqdn_ascii),
    index('external_domains_by_customer').on(table.customer),
  ],
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
  (table) => [
    uniqueIndex('emails_address').on(table.address),
    index('emails_by_customer').on(table.customer),
  ],
)

/** The last syncs with the registrar, in one row. */
export const registrarSyncs = pgTable('registrar_syncs', {
  id: integer().primaryKey(),
  succeeded_at: timestamptz(),
  failed_at: timestamptz(),
  /** The first failure since the last success. */
  failing_since: timestamptz(),
  /** Why the last sync failed; null if it succeeded. */
  ...messageColumns('error'),
})
