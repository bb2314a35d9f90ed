import type { ChannelKind, ChannelOrigin } from '@kustos/contract/alert-channels'
import type { IncidentKind } from '@kustos/contract/monitoring'
import type { ReportingChannel } from '@kustos/contract/webs'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, jsonb, timestamps, timestamptz } from './columns.ts'
import type { AlertedWarning } from './monitoring.ts'

/** What a channel needs besides its secrets. */
export interface ChannelSettings {
  /** Of mail. */
  readonly address?: string
  /** Of Telegram. */
  readonly chat?: string
  /** The host of its URL, which itself is a secret. */
  readonly host?: string
}

/**
 * Where alerts can be sent. The workers keep a row for each channel of their configuration, which has no settings: `alerts` to it
 * name it as before, without a row.
 */
export const alertChannels = pgTable(
  'alert_channels',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull().unique(),
    kind: text().$type<ChannelKind>().notNull(),
    origin: text().$type<ChannelOrigin>().notNull().default('console'),
    settings: jsonb().$type<ChannelSettings>().notNull(),
    /** `ChannelSecrets` as JSON, sealed with SECRETS_KEY. */
    secrets: text(),
    /** The channel of webs whose alerts come here instead of where the configuration sends them. */
    default_for: text().$type<ReportingChannel>(),
    /** Gets what other channels refuse. */
    fallback: boolean().notNull().default(false),
    /** Since when the configuration lacks its variables, or since when one of the console is only kept to resolve what it has opened. */
    missing_since: timestamptz(),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('alert_channels_default_for').on(table.default_for).where(sql`default_for is not null`),
    uniqueIndex('alert_channels_fallback').on(table.fallback).where(sql`fallback`),
    uniqueIndex('alert_channels_configured').on(table.kind).where(sql`origin = 'configuration'`),
    check(
      'alert_channels_kind',
      sql`${table.kind} in ('mail', 'slack', 'telegram', 'teams', 'discord', 'pagerduty', 'webhook')`,
    ),
    check('alert_channels_origin', sql`${table.origin} in ('console', 'configuration')`),
    check('alert_channels_default', sql`${table.default_for} in ('slack', 'mail', 'telegram')`),
  ],
)

/** What the workers have seen of a channel. */
export const alertChannelStates = pgTable('alert_channel_states', {
  channel_id: integer()
    .primaryKey()
    .references(() => alertChannels.id, { onDelete: 'cascade' }),
  last_sent_at: timestamptz(),
  last_failed_at: timestamptz(),
  /** Of the last attempt, null if it succeeded; while a mailbox refuses messages, why it does. */
  error: text(),
  /** Since when it refuses messages for good; null once it has taken one. */
  refusing_since: timestamptz(),
  /** The mail address that was refused, if it has several. */
  refused_recipient: text(),
})

/** Test messages. They are sent by workers, and kept for a day. */
export const alertChannelTests = pgTable(
  'alert_channel_tests',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    channel_id: cascadingReferenceTo(() => alertChannels.id),
    created_at: timestamptz().notNull(),
    ended_at: timestamptz(),
    /** Why it was not accepted; null if it was, or has not ended. */
    error: text(),
  },
  (table) => [index('alert_channel_tests_by_channel').on(table.channel_id, table.created_at)],
)

/** The incidents that were announced to PagerDuty, so that only changes are sent, each once. */
export const channelIncidents = pgTable(
  'channel_incidents',
  {
    channel_id: cascadingReferenceTo(() => alertChannels.id),
    /** No reference: what PagerDuty knows outlives the incident. */
    incident_id: integer().notNull(),
    state: text().$type<'triggered' | 'acknowledged'>().notNull(),
    changed_at: timestamptz().notNull(),
    /** The kind that was announced. */
    kind: text().$type<IncidentKind>().notNull().default('down'),
    /** Of its alert; null for that of the incident. */
    key: text(),
  },
  (table) => [
    primaryKey({ columns: [table.channel_id, table.incident_id] }),
    check('channel_incidents_state', sql`${table.state} in ('triggered', 'acknowledged')`),
  ],
)

/**
 * Alerts that are being opened at PagerDuty. Rows that stay belong to a process that died. PagerDuty may have opened their alerts,
 * so these are resolved once their incidents are over.
 */
export const channelOpenings = pgTable(
  'channel_openings',
  {
    channel_id: cascadingReferenceTo(() => alertChannels.id),
    key: text().notNull(),
    incident_ids: integer().array().notNull(),
    opened_at: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel_id, table.key] })],
)

/** The warnings that PagerDuty has and that have not ended, so that their alerts are resolved. */
export const channelWarnings = pgTable(
  'channel_warnings',
  {
    channel_id: cascadingReferenceTo(() => alertChannels.id),
    key: text().notNull(),
    warning: jsonb().$type<AlertedWarning>().notNull(),
    changed_at: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel_id, table.key] })],
)
