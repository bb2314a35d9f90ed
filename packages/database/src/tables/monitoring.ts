import type { IncidentKind } from '@kustos/contract/monitoring'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { cascadingReferenceTo, json, messageColumns, referenceTo, timestamptz } from './columns.ts'
import { nodes, webs } from './webs.ts'

/** A round of probes over the monitored webs; its number is the moment that it begins. */
export const probeRounds = pgTable(
  'probe_rounds',
  {
    round_at: timestamptz().primaryKey(),
    interval_seconds: integer().notNull(),
    shards: integer().notNull(),
    /** When incidents were opened and ended by what it saw; what comes later does not count. */
    judged_at: timestamptz(),
    /** unknown: every probe failed. */
    state: text(),
    probes: integer(),
    failures: integer(),
  },
  (table) => [
    check('probe_rounds_state', sql`${table.state} in ('known', 'unknown')`),
    index('probe_rounds_to_judge').on(table.round_at).where(sql`judged_at is null`),
  ],
)

/** The shards of a round that have been probed to the end. */
export const probeShards = pgTable(
  'probe_shards',
  {
    round_at: timestamptz()
      .notNull()
      .references(() => probeRounds.round_at, { onDelete: 'cascade' }),
    shard: integer().notNull(),
    webs: integer().notNull(),
    /** Whether PROBE_CONTROLS responded; null if a web of the shard did, or if there are none. */
    controls_responded: boolean(),
  },
  (table) => [primaryKey({ columns: [table.round_at, table.shard] })],
)

/** The outcome of a probe that failed, or was degraded, while the second probe was not. */
export const transientFailure = 'blip'

/** The probes of 14 days, in a partition for each day of Europe/Rome (drizzle/0005_monitoring.sql). */
export const statistics = pgTable(
  'statistics',
  {
    web_id: integer().notNull(),
    round_at: timestamptz().notNull(),
    created_at: timestamptz().notNull(),
    status: smallint(),
    response_ms: integer(),
    /**
     * up; degraded: it responded, but not as visitors need it; down: it failed, and a second probe or an open incident
     * confirms it; unconfirmed: it failed, and the second probe is still to come; `transientFailure`; unknown: every
     * probe of its round failed.
     */
    outcome: text().notNull(),
    ...messageColumns('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.web_id, table.round_at] }),
    // Rows come in the order of time: a page of the newest is found in few blocks, at no cost for each row.
    index('statistics_by_time').using('brin', table.created_at),
    // The evaluation reads a round.
    index('statistics_by_round').using('brin', table.round_at),
    check(
      'statistics_outcome',
      sql`${table.outcome} in ('up', 'degraded', 'down', 'unconfirmed', 'blip', 'unknown')`,
    ),
  ],
)

/**
 * The probes of past days, in a partition for each day (migration packed_statistics): a row has those of one web
 * and hour that are alike but for their times. `statistics_between` reads them together with `statistics`.
 */
export const packedStatistics = pgTable(
  'packed_statistics',
  {
    web_id: integer().notNull(),
    hour_at: timestamptz().notNull(),
    status: smallint(),
    outcome: text().notNull(),
    ...messageColumns('reason'),
    /** In 32,768 ms, what `delays` is added to. */
    delay_high: integer().notNull(),
    /** In 32,768 ms, what `responses` is added to. */
    response_high: integer(),
    /** Seconds from the hour to the round of each probe. */
    rounds: smallint().array().notNull(),
    /** Milliseconds from its round to the probe. */
    delays: smallint().array().notNull(),
    /** Milliseconds; null where nothing responded. */
    responses: smallint().array().notNull(),
  },
  (table) => [
    index('packed_statistics_by_web').on(table.web_id, table.hour_at),
    index('packed_statistics_by_time').using('brin', table.hour_at),
  ],
)

/**
 * A time for which a web was down: from the first probe of a confirmed failure to the first good one. Or an outage, which has no
 * web: it begins with the first of its members and ends with the last one (docs/decisions/0034).
 */
export const incidents = pgTable(
  'incidents',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    web_id: integer().references(() => webs.id),
    /** Of an outage: the node of most of its webs; null if it has been deleted. */
    node_id: integer().references(() => nodes.id, { onDelete: 'set null' }),
    /** The outage that a web's incident is a member of. */
    outage_id: integer().references((): AnyPgColumn => incidents.id),
    kind: text().$type<IncidentKind>().notNull().default('down'),
    started_at: timestamptz().notNull(),
    ended_at: timestamptz(),
    last_failed_at: timestamptz().notNull(),
    /** The end of that probe's round: up to then it is known to be down. */
    watched_until: timestamptz().notNull(),
    /** The status that the first probe received. */
    status: smallint(),
    ...messageColumns('reason'),
    reason: text().notNull(),
    /** When its beginning was announced. */
    alerted_at: timestamptz(),
    /** As what, from when it becomes another kind until that is announced as well. */
    alerted_kind: text().$type<IncidentKind>(),
    /** When staff were last reminded of it. */
    reminded_at: timestamptz(),
    /** Since when a flapping web answers; null while it is down. */
    calm_since: timestamptz(),
  },
  (table) => [
    uniqueIndex('incidents_one_open').on(table.web_id).where(sql`ended_at is null`),
    index('incidents_by_web').on(table.web_id, table.started_at),
    index('incidents_by_outage').on(table.outage_id).where(sql`outage_id is not null`),
    // What the list shows in a row of its own.
    index('incidents_open').on(table.started_at).where(sql`ended_at is null and outage_id is null`),
    index('incidents_ended')
      .on(table.ended_at, table.id)
      .where(sql`ended_at is not null and outage_id is null`),
  ],
)

/** Times inside an incident that do not count as downtime: unmonitored ones, and those in which a flapping web answered. */
export const incidentGaps = pgTable(
  'incident_gaps',
  {
    incident_id: cascadingReferenceTo(() => incidents.id),
    started_at: timestamptz().notNull(),
    ended_at: timestamptz().notNull(),
    /** Whether the web answered, or it was not monitored. */
    has_answered: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.incident_id, table.started_at] })],
)

/** Webs whose domain was seen to move away, also unmonitored ones, until it points back. */
export const domainMoves = pgTable('domain_moves', {
  web_id: integer()
    .primaryKey()
    .references(() => webs.id, { onDelete: 'cascade' }),
  moved_at: timestamptz().notNull(),
  /** The address that it had here. */
  moved_from: text().notNull(),
  /** Its addresses, separated by commas; null if it has none. */
  moved_to: text(),
  returned_at: timestamptz(),
})

/** A web's uptime on a day in Europe/Rome, which is kept permanently, in one partition per year (drizzle/0087). */
export const uptimeDays = pgTable(
  'uptime_days',
  {
    web_id: referenceTo(() => webs.id),
    day: date({ mode: 'string' }).notNull(),
    /** Seconds. */
    downtime: integer().notNull(),
    /** How many of these seconds were planned. */
    planned: integer().notNull().default(0),
    /** Monitored seconds. */
    known: integer().notNull(),
    checks: integer().notNull(),
    failures: integer().notNull(),
    /** Checks that were degraded, which are no failures. */
    degraded: integer().notNull().default(0),
    response_ms: integer(),
    response_p95_ms: integer(),
  },
  (table) => [primaryKey({ columns: [table.web_id, table.day] })],
)

export const rolledUpDays = pgTable('rolled_up_days', {
  day: date({ mode: 'string' }).primaryKey(),
  rolled_up_at: timestamptz().notNull(),
})

/** The content of an alert before a channel formats it. */
export interface AlertContent {
  /** One line. */
  readonly title: string
  readonly lines: readonly string[]
  /** Where Kustos shows more. */
  readonly url?: string
  /** Whether the link gives access to something. It is removed once the message is sent. */
  readonly isUrlSecret?: true
  /** Whether another channel has refused it. */
  readonly isFallback?: true
}

/** An incident in an alert, as machines read it. */
export interface AlertedIncident {
  readonly incident: number
  /** The incident of several webs that it belongs to. */
  readonly outage: number | null
  readonly kind: IncidentKind
  readonly web: { readonly id: number; readonly fqdn: string; readonly customer: string }
  readonly node: string | null
  /** ISO times. */
  readonly since: string
  readonly until: string | null
  readonly reason: string
  /** Where Kustos shows it. */
  readonly url: string | null
}

/** A warning in an alert, which is no incident, as machines read it. */
export interface AlertedWarning {
  readonly kind: 'degradation' | 'certificate' | 'dns' | 'domain' | 'tracking'
  /** Of the degradation, of the web, or of the difference in tracking; null for DNS and domains. */
  readonly id: number | null
  /** Of the certificate or the domain, of DNS with the type of its records; null for degradations and tracking. */
  readonly name: string | null
  /** These three in one text, which is the same from the beginning to the end. */
  readonly key: string
  /** One line. */
  readonly title: string
}

/** What an alert is about, as machines read it. */
export interface AlertEvent {
  readonly type:
    | 'opened'
    | 'resolved'
    | 'reminder'
    | 'degraded'
    | 'recovered'
    | 'certificate'
    | 'dns'
    | 'domain'
    | 'tracking'
    | 'tracking_ended'
    | 'summary'
  readonly severity: 'critical' | 'warning' | 'info'
  readonly incidents: readonly AlertedIncident[]
  /** Alerts of earlier releases have none. */
  readonly warnings?: readonly AlertedWarning[]
}

/** Messages to be sent: written in the transaction that has something to tell, then handed to a job. */
export const alerts = pgTable(
  'alerts',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    channel: text().notNull(),
    /** The mail address; null for the other channels. */
    recipient: text(),
    /** If `channel` is `channel`: its row. No reference, since alerts outlive it. */
    channel_id: integer(),
    content: json().$type<AlertContent>().notNull(),
    created_at: timestamptz().notNull(),
    sent_at: timestamptz(),
    failed_at: timestamptz(),
    attempts: integer().notNull().default(0),
    error: text(),
    /** What it is about; null for mails to users that are no alerts. */
    incidents: integer().array(),
    event: json().$type<AlertEvent>(),
    /** The message that replaces it, because its channel was down for long: it counts as sent once that one is. */
    summary_id: integer(),
  },
  (table) => [
    index('alerts_by_incident').using('gin', table.incidents),
    check('alerts_channel_known', sql`${table.channel} in ('slack', 'mail', 'telegram', 'channel')`),
    index('alerts_by_summary').on(table.summary_id).where(sql`summary_id is not null`),
    index('alerts_of_stream')
      .on(table.channel, table.channel_id, table.recipient, table.id)
      .where(sql`sent_at is null and failed_at is null`),
    index('alerts_to_send').on(table.id).where(sql`sent_at is null and failed_at is null`),
  ],
)

/** Expiry warnings already sent. */
export const certificateWarnings = pgTable(
  'certificate_warnings',
  {
    web_id: referenceTo(() => webs.id),
    /** Empty for the web's own. */
    name: text().notNull().default(''),
    cert_expiration: timestamptz().notNull(),
    /** How long before the expiry, for certificates of a usual lifetime. */
    days: integer().notNull(),
    warned_at: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.web_id, table.name, table.cert_expiration, table.days] })],
)
