import type { JobCount, Queues } from '@kustos/clients/queue'
import { alerts, deployments, incidents, inspections, probeRounds, webs } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { asError } from '../errors.ts'
import { monitoredWebs } from '../monitoring/index.ts'

/** A count by the name of what is counted; names that count nothing may be missing. */
type Counts = Readonly<Record<string, number>>

/** How the whole of Kustos fares, as the database has it. Times in seconds since 1970. */
export interface Facts {
  readonly deployments: Counts
  /** Those under way, by kind and state. */
  readonly inspections: readonly { readonly kind: string; readonly state: string; readonly count: number }[]
  /** Messages that are not sent yet, by channel. */
  readonly alerts: Counts
  readonly oldest_alert_at: number | null
  readonly open_incidents: number
  readonly monitored: number
  readonly down: number
  /** The last round that has been judged. */
  readonly round: {
    readonly began_at: number
    readonly judged_at: number
    readonly probes: number
    readonly failures: number
    readonly known: boolean
  } | null
}

/** Both are null where their source did not answer. */
export interface Figures {
  readonly facts: Facts | null
  readonly jobs: readonly JobCount[] | null
}

export interface FiguresOptions {
  readonly context: Pick<Context, 'db'>
  readonly queues: Pick<Queues, 'count'>
  /** Part of the host names that are the operator's own. */
  readonly internalMarker: string
  /** Told why a source did not answer. */
  readonly onError: (error: Error) => void
}

/** Figures are read again once they are older than this. In milliseconds. */
const fresh = 5_000

/** Reads the figures for any number of readers, and for all that ask within some seconds once. Never rejects. */
export function openFigures(options: FiguresOptions): () => Promise<Figures> {
  let read: { readonly at: number; readonly figures: Promise<Figures> } | undefined
  return () => {
    const now = performance.now()
    if (read === undefined || now - read.at > fresh) read = { at: now, figures: readFigures(options) }
    return read.figures
  }
}

async function readFigures({ context, queues, internalMarker, onError }: FiguresOptions): Promise<Figures> {
  const orNull = (error: unknown) => {
    onError(asError(error))
    return null
  }
  const [facts, jobs] = await Promise.all([
    readFacts(context, internalMarker).catch(orNull),
    queues.count().catch(orNull),
  ])
  return { facts, jobs }
}

/** One statement; what grows without end is counted by an index of what is under way. */
async function readFacts({ db }: Pick<Context, 'db'>, internalMarker: string): Promise<Facts> {
  const { rows } = await db.execute<{ facts: Facts }>(sql`
    select json_build_object(
      'deployments', (
        select coalesce(json_object_agg(state, count), '{}')
        from (select state, count(*) from ${deployments} group by state) of_state),
      'inspections', (
        select coalesce(json_agg(json_build_object('kind', kind, 'state', state, 'count', count)), '[]')
        from (
          select kind, state, count(*) from ${inspections}
          where state in ('waiting', 'running') group by kind, state) under_way),
      'alerts', (
        select coalesce(json_object_agg(channel, count), '{}')
        from (select channel, count(*) from ${alerts} where sent_at is null and failed_at is null group by channel) of_channel),
      'oldest_alert_at', (select extract(epoch from min(created_at)) from ${alerts} where sent_at is null and failed_at is null),
      'open_incidents', (select count(*) from ${incidents} where ended_at is null),
      'monitored', count(*),
      'down', count(${webs.down_since}),
      'round', (
        select json_build_object(
          'began_at', extract(epoch from round_at), 'judged_at', extract(epoch from judged_at),
          'probes', coalesce(probes, 0), 'failures', coalesce(failures, 0), 'known', state is distinct from 'unknown')
        from ${probeRounds} where judged_at is not null order by round_at desc limit 1)
    ) as facts
    from ${webs} where ${monitoredWebs(internalMarker)}`)
  const [row] = rows
  if (!row) throw new Error('Postgres counted nothing')
  return row.facts
}
