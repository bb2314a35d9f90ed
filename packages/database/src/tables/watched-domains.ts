import type { MailSafety } from '@kustos/contract/domains'
import type { Message } from '@kustos/contract/messages'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, jsonb, messageColumns, timestamptz } from './columns.ts'

/** Records that differ from the current ones and are not confirmed yet. */
export interface DnsCandidate {
  readonly records: readonly string[]
  /** How many readings in a row have seen them. */
  readonly seen: number
  readonly since: string
}

/** What the last reading of a domain left, by host and type such as `www.example.com A`. */
export interface DnsState {
  readonly failures?: Readonly<Record<string, Message>>
  readonly candidates?: Readonly<Record<string, DnsCandidate>>
  /** When records were last seen that did not stay, as those that rotate. */
  readonly unsettled?: Readonly<Record<string, string>>
  /** What changes replaced that are alerted once the maintenance of the websites is over. */
  readonly held?: Readonly<Record<string, { readonly records: readonly string[]; readonly since: string }>>
}

/** The names whose DNS is watched: domains of both lists, hosts of websites, and the domains that these belong to. */
export const watchedDomains = pgTable(
  'watched_domains',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** In ASCII. */
    name: text().notNull(),
    /** The registrable domain that it is, or belongs to. */
    domain: text().notNull(),
    /** Since when it is in no list and not watched, or null. Its history is kept for a while, in case it comes back. */
    unlisted_since: timestamptz(),
    /** Null only for unlisted names. */
    dns_due_at: timestamptz(),
    dns_read_at: timestamptz(),
    dns_state: jsonb().$type<DnsState>().notNull().default({}),
    /** Types of records whose changes are not alerted. */
    muted_types: text().array().notNull().default([]),
    /** Null for names that are not registrable, and for unlisted ones. */
    expiry_due_at: timestamptz(),
    expiry_checked_at: timestamptz(),
    /** As the registry says; what the registrar says of own domains comes first. */
    expires_at: timestamptz(),
    registrar: text(),
    /** Failed lookups since the last answer. */
    expiry_failures: integer().notNull().default(0),
    /** Why the expiry is unknown, or the last lookup failed. */
    ...messageColumns('expiry_error'),
    /** The expiry that was warned of, and the days before it of the latest warning. */
    warned_expiry: timestamptz(),
    warned_days: integer(),
    /** Null for hosts of websites, and for unlisted names. */
    mail_due_at: timestamptz(),
    mail_state: text(),
    mail: jsonb().$type<MailSafety>(),
  },
  (table) => [
    uniqueIndex('watched_domains_name').on(table.name),
    index('watched_domains_by_domain').on(table.domain),
    index('watched_domains_dns_due').on(table.dns_due_at),
    index('watched_domains_expiry_due').on(table.expiry_due_at).where(sql`expiry_due_at is not null`),
    index('watched_domains_mail_due').on(table.mail_due_at).where(sql`mail_due_at is not null`),
    index('watched_domains_expiring').on(table.expires_at).where(sql`expires_at is not null`),
  ],
)

/** The records of a host and type for a time. */
export const dnsRecordSets = pgTable(
  'dns_record_sets',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    watched_domain_id: cascadingReferenceTo(() => watchedDomains.id),
    host: text().notNull(),
    type: text().notNull(),
    /** Sorted. */
    records: text().array().notNull(),
    first_seen_at: timestamptz().notNull(),
    /** The last answer with them. Null for current ones that the last reading of the domain has seen. */
    last_seen_at: timestamptz(),
    is_current: boolean().notNull().default(true),
    /** When this change was alerted. */
    alerted_at: timestamptz(),
  },
  (table) => [
    uniqueIndex('dns_record_sets_current')
      .on(table.watched_domain_id, table.host, table.type)
      .where(sql`is_current`),
    index('dns_record_sets_by_domain').on(table.watched_domain_id, table.first_seen_at),
    index('dns_record_sets_alerted').on(table.alerted_at).where(sql`alerted_at is not null`),
    index('dns_record_sets_replaced').on(table.last_seen_at).where(sql`not is_current`),
  ],
)

/** When each RDAP server may be asked next, by its origin. */
export const rdapServers = pgTable('rdap_servers', {
  server: text().primaryKey(),
  free_at: timestamptz().notNull(),
  /** Refusals and failures since the last answer. */
  failures: integer().notNull().default(0),
})
