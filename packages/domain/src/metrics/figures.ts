import type { JobCount, Queues } from '@kustos/clients/queue'
import {
  alertChannelStates,
  alertChannels,
  alerts,
  deployments,
  incidents,
  inspections,
  logEntries,
  logSeals,
  probeRounds,
  webs,
} from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import { countedWebs } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'

/** Counts by name. Zero may be missing. */
type Counts = Readonly<Record<string, number>>

/** The state of all of Kustos by the database. Times are seconds since 1970. */
export interface DatabaseFigures {
  readonly deployments: Counts
  readonly oldest_waiting_deployment_at: number | null
  /** Waiting and running ones, by kind and state. */
  readonly inspections: readonly {
    readonly kind: string
    readonly state: string
    readonly count: number
    readonly oldest_at: number
  }[]
  readonly alerts: Counts
  /** A summary that waits is as old as its newest alert, so those that it stands for count. */
  readonly oldest_alert_at: number | null
  readonly refusing_channels: number
  readonly open_incidents: number
  /** The time of the oldest audit log entry that is newer than the last seal. */
  readonly oldest_unsealed_at: number | null
  readonly monitored: number
  readonly down: number
  readonly round: {
    readonly began_at: number
    readonly judged_at: number
    readonly interval_seconds: number
    readonly probes: number
    readonly failures: number
    readonly known: boolean
  } | null
}

/** A field is null if its source did not respond. */
export interface Figures {
  readonly facts: DatabaseFigures | null
  readonly jobs: readonly JobCount[] | null
}

export interface FiguresOptions {
  readonly context: Pick<Context, 'db'>
  readonly queues: Pick<Queues, 'count'>
  /** The part of a host name that marks the operator's own. */
  readonly internalMarker: string
  readonly onError: (error: Error) => void
}

const cacheMs = 5_000

/** Reads the figures and caches them for some seconds. Never rejects. */
export function openFigures(options: FiguresOptions): () => Promise<Figures> {
  let read: { readonly at: number; readonly figures: Promise<Figures> } | undefined
  return () => {
    const now = performance.now()
    if (read === undefined || now - read.at > cacheMs) read = { at: now, figures: readFigures(options) }
    return read.figures
  }
}

async function readFigures({ context, queues, internalMarker, onError }: FiguresOptions): Promise<Figures> {
  const orNull = (error: unknown) => {
    onError(toError(error))
    return null
  }
  const [facts, jobs] = await Promise.all([
    readFacts(context, internalMarker).catch(orNull),
    queues.count().catch(orNull),
  ])
  return { facts, jobs }
}

/** Reads everything in one statement. Tables that grow forever are counted by partial indexes. */
async function readFacts({ db }: Pick<Context, 'db'>, internalMarker: string): Promise<DatabaseFigures> {
  const { rows } = await db.execute<{ facts: DatabaseFigures }>(sql`
    select json_build_object(
      'deployments', (
        select coalesce(json_object_agg(state, count), '{}')
        from (select state, count(*) from ${deployments} group by state) of_state),
      'oldest_waiting_deployment_at', (select extract(epoch from min(created_at)) from ${deployments} where state = 'waiting'),
      'inspections', (
        select coalesce(json_agg(json_build_object('kind', kind, 'state', state, 'count', count, 'oldest_at', oldest_at)), '[]')
        from (
          select kind, state, count(*), extract(epoch from min(created_at)) as oldest_at from ${inspections}
          where state in ('waiting', 'running') group by kind, state) under_way),
      'alerts', (
        select coalesce(json_object_agg(channel, count), '{}')
        from (select coalesce(c.kind, a.channel) as channel, count(*)
          from ${alerts} a left join ${alertChannels} c on c.id = a.channel_id
          where a.sent_at is null and a.failed_at is null group by 1) of_channel),
      'oldest_alert_at', (
        select extract(epoch from min(waiting.created_at)) from (
          select created_at from ${alerts} where sent_at is null and failed_at is null
          union all
          select covered.created_at from ${alerts} summary join ${alerts} covered on covered.summary_id = summary.id
          where summary.sent_at is null and summary.failed_at is null) waiting),
      'refusing_channels', (select count(*) from ${alertChannelStates} where refusing_since is not null),
      'oldest_unsealed_at', (
        select extract(epoch from created_at) from ${logEntries}
        where id > coalesce((
          select substring(entries from '([0-9]+) [^\n]*$')::bigint from ${logSeals} order by number desc limit 1), 0)
        order by id limit 1),
      'open_incidents', (select count(*) from ${incidents} where ended_at is null and web_id is not null),
      'monitored', count(*),
      'down', count(${webs.down_since}),
      'round', (
        select json_build_object(
          'began_at', extract(epoch from round_at), 'judged_at', extract(epoch from judged_at),
          'interval_seconds', interval_seconds, 'probes', coalesce(probes, 0), 'failures', coalesce(failures, 0), 'known', state is distinct from 'unknown')
        from ${probeRounds} where judged_at is not null order by round_at desc limit 1)
    ) as facts
    from ${webs} where ${countedWebs(internalMarker)}`)
  const [row] = rows
  if (!row) throw new Error('Postgres counted nothing')
  return row.facts
}
