import type { Incident } from '@kustos/contract/monitoring'
import type { Transaction } from '@kustos/database/client'
import { attentionHandling, incidentGaps, incidents, nodes, webs } from '@kustos/database/tables'
import { and, desc, eq, gt, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { readPlannedDowntimes } from '../maintenance/index.ts'
import type { Context } from '../platform/context.ts'
import { isAcknowledgedAt } from '../platform/handling-state.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import type { Span } from './day.ts'
import {
  computeDownSpans,
  computePlannedSpans,
  floorToSecondMs,
  type IncidentTimes,
  overlapSeconds,
} from './downtime.ts'
import { defaultLimit } from './statistics.ts'

/** Newest first, without those of deleted webs unless the user may restore them. @param query `before` an id: those that are older */
export async function listIncidents(
  context: Pick<Context, 'db' | 'now' | 'actor'>,
  query: {
    readonly web?: number | undefined
    readonly webs?: readonly number[]
    /** Those that began since then. */
    readonly since?: Date | string | undefined
    readonly open?: '1' | undefined
    readonly acknowledged?: '0' | '1' | undefined
    /** The id of the user who has it. */
    readonly assignee?: number | undefined
    readonly node?: string | undefined
    readonly customer?: string | undefined
    readonly before?: number | undefined
    readonly limit?: number | undefined
  },
): Promise<Incident[]> {
  const { db, now } = context
  const rows = await db
    .select({ incident: incidents, id: webs.id, fqdn: webs.fqdn, customer: webs.customer, node: nodes.name })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(
      and(
        visibleWebs(context),
        query.web === undefined ? undefined : eq(incidents.web_id, query.web),
        query.webs && isAnyOf(incidents.web_id, query.webs),
        query.since === undefined ? undefined : gte(incidents.started_at, new Date(query.since)),
        query.acknowledged === undefined
          ? undefined
          : sql`${hasHandling(wasAcknowledged(now()))} = ${query.acknowledged === '1'}`,
        query.assignee === undefined ? undefined : hasHandling(sql`h.assigned_to = ${query.assignee}`),
        query.node === undefined ? undefined : eq(nodes.name, query.node),
        query.customer === undefined ? undefined : eq(webs.customer, query.customer),
        query.open === undefined ? undefined : isNull(incidents.ended_at),
        query.before === undefined ? undefined : lt(incidents.id, query.before),
      ),
    )
    .orderBy(desc(incidents.id))
    .limit(query.limit ?? defaultLimit)
  const timesOf = await readTimes(
    db,
    rows.map(({ incident }) => incident),
  )
  return rows.map(({ incident, ...web }) => {
    const {
      web_id: _,
      node_id: __,
      last_failed_at: ___,
      watched_until: ____,
      reminded_at: _____,
      alerted_kind: ______,
      ...shown
    } = incident
    const times = timesOf(incident)
    const passed = { from: -Infinity, to: floorToSecondMs(now()) }
    return {
      ...serializeDates(shown),
      web,
      downtime: calculateDowntime(times, now()),
      planned: overlapSeconds(computePlannedSpans([times]), passed),
    }
  })
}

/** An ended incident counts as acknowledged if it ever was, as in the overview (`isAcknowledged` of incidents). */
const wasAcknowledged = (now: Date): SQL => sql`case when ${incidents.ended_at} is null
  then ${isAcknowledgedAt(now)} else h.acknowledged_at is not null end`

/** Whether what users have done about the incident, in the attention list or on its page, fulfils a condition on `h`. */
const hasHandling = (condition: SQL): SQL => sql`exists (
  select from ${attentionHandling} h
  where h.kind = 'web_down' and h.subject_id = ${incidents.web_id} and h.since = ${incidents.started_at} and ${condition})`

/** In whole seconds, up to now. */
export const calculateDowntime = (incident: IncidentTimes, now: Date): number =>
  overlapSeconds(computeDownSpans([incident]), { from: -Infinity, to: floorToSecondMs(now) })

type Gap = typeof incidentGaps.$inferSelect

interface Identified {
  readonly id: number
}

/** Reads the times inside incidents that do not count as downtime. */
export async function readGaps(
  db: Transaction,
  found: readonly Identified[],
): Promise<(incident: Identified) => readonly Gap[]> {
  const ids = found.map(({ id }) => id)
  const rows =
    ids.length === 0 ? [] : await db.select().from(incidentGaps).where(isAnyOf(incidentGaps.incident_id, ids))
  const gaps = Map.groupBy(rows, (row) => row.incident_id)
  return ({ id }) => gaps.get(id) ?? []
}

/** Reads the times inside incidents that were not monitored, and those that were planned. */
export async function readTimes(db: Transaction, found: readonly Identified[]) {
  const gapsOf = await readGaps(db, found)
  const plannedOf = await readPlannedDowntimes(db, found)
  return <Row extends Identified>(incident: Row) => ({
    ...incident,
    gaps: gapsOf(incident),
    planned: plannedOf(incident),
  })
}

export interface Downtimes {
  readonly down: readonly Span[]
  /** The parts of these that were planned. */
  readonly planned: readonly Span[]
  /** The parts of `down` in which the domain had moved away, so that the web was not probed. */
  readonly moved: readonly Span[]
}

/** For each web the times for which it was down, out of all incidents that reach into a span. */
export async function downtimesWithin(
  db: Transaction,
  { from, to }: Span,
  which?: SQL,
): Promise<ReadonlyMap<number, Downtimes>> {
  const found = await db
    .select()
    .from(incidents)
    .where(
      and(
        which,
        lt(incidents.started_at, new Date(to)),
        or(
          gt(incidents.ended_at, new Date(from)),
          and(isNull(incidents.ended_at), gt(incidents.watched_until, new Date(from))),
        ),
      ),
    )
  const timesOf = await readTimes(db, found)
  // Outages have no web: their members are counted.
  const times = found.flatMap((row) => (row.web_id === null ? [] : [{ ...timesOf(row), web_id: row.web_id }]))
  return new Map(
    [...Map.groupBy(times, ({ web_id }) => web_id)].map(([web, ofWeb]) => [
      web,
      {
        down: computeDownSpans(ofWeb),
        planned: computePlannedSpans(ofWeb),
        moved: computeDownSpans(ofWeb.filter(({ kind }) => kind === 'moved')),
      },
    ]),
  )
}
