import type { TrackingData } from '@kustos/contract/webs'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json, timestamps, timestamptz } from './columns.ts'

export const nodes = pgTable('nodes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull().unique(),
  plesk_fqdn: text().notNull(),
  /** The address of new webs; by default that of plesk_fqdn. */
  address: text(),
  cloud_enabled: boolean().notNull().default(false),
  /** How it is reached; null for the usual ports and the settings of the environment. */
  plesk_port: integer(),
  /** SHA-256 fingerprint of a self-signed certificate. */
  plesk_certificate: text(),
  /** Sealed with SECRETS_KEY (domain/platform/secret-box.ts). */
  plesk_key: text(),
  ssh_host: text(),
  ssh_port: integer(),
  ssh_user: text(),
  /** In the format of OpenSSH: type and base64. */
  host_key: text(),
  /** As of webs. */
  tags: text().array().notNull().default([]),
  ...timestamps,
})

export const categories = pgTable('categories', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull().unique(),
  ...timestamps,
})

interface Host {
  fqdn: string
}

// Columns that are only read as a whole are json rather than jsonb, since Postgres returns their text unchanged.
export const webs = pgTable(
  'webs',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    fqdn: text().notNull(),
    /** The form in which host names are compared. */
    fqdn_ascii: text().notNull(),
    customer: text().notNull(),
    node_id: integer().references(() => nodes.id),
    framework_name: text(),
    framework_version: text(),
    comment: text(),
    configured_ip: text().notNull(),
    monitoring_web_reporting_channel: text().notNull().default(''),
    monitoring_web_active: boolean().notNull().default(true),
    auftragnr_hosting: text().array().notNull().default([]),
    /** Such as `legal` and `contract:gold`, in order. */
    tags: text().array().notNull().default([]),
    status: integer(),
    domain_status: integer(),
    domain_state: integer(),
    http_status_code: integer(),
    /** The start of the open incident. */
    down_since: timestamptz(),
    sites: json().$type<Host[]>().notNull().default([]),
    aliases: json().$type<Host[]>().notNull().default([]),
    sysuser: text(),
    cert_ca: text(),
    /** The beginning of the certificate that ends at `cert_expiration`; null if unknown. */
    cert_from: timestamptz(),
    cert_expiration: timestamptz(),
    /** In bytes. */
    disk_usage: bigint({ mode: 'number' }),
    tracking_data: json().$type<TrackingData>(),
    topics: text().array().notNull().default([]),
    repository: text(),
    ...timestamps,
    deleted_at: timestamptz(),
  },
  (table) => [
    uniqueIndex('webs_active_fqdn').on(table.fqdn_ascii).where(sql`${table.deleted_at} is null`),
    // Webs with one system user would share their files and database.
    uniqueIndex('webs_active_sysuser')
      .on(table.node_id, table.sysuser)
      .where(sql`${table.deleted_at} is null`),
    index('webs_by_node').on(table.node_id),
    // For what needs attention.
    index('webs_by_certificate').on(table.cert_expiration).where(sql`${table.deleted_at} is null`),
    index('webs_by_framework').on(
      sql`lower(${table.framework_name})`,
      sql`split_part(ltrim(lower(${table.framework_version}), ' v0'), '.', 1)`,
    ),
    index('webs_by_customer').on(table.customer),
    // For what maintenance windows cover; the function is that of the migration maintenance_coverage.
    index('webs_by_tag').using('gin', sql`tag_keys(${table.tags})`),
  ],
)

export const webCategories = pgTable(
  'web_categories',
  {
    web_id: cascadingReferenceTo(() => webs.id),
    category_id: cascadingReferenceTo(() => categories.id),
  },
  (table) => [
    primaryKey({ columns: [table.web_id, table.category_id] }),
    index('web_categories_by_category').on(table.category_id),
  ],
)

/** The revision of each list, which triggers increase with every change. */
export const revisions = pgTable('revisions', {
  list: text().primaryKey(),
  revision: bigint({ mode: 'number' }).notNull(),
})
