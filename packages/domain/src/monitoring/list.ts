import type { MonitoredWeb, MonitoredWebList, MonitoringState, MovedWeb } from '@kustos/contract/monitoring'
import { degradations, incidents, nodes, probeRounds, webs } from '@kustos/database/tables'
import { and, count, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { readWebsInMaintenance } from '../maintenance/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { countedWebs, downSince, listedWebs } from './monitored-webs.ts'
import type { MonitoringSettings } from './settings.ts'

type Reading = Pick<Context, 'db' | 'now'>

/** The webs of the monitoring list in the order of their ids, with the result of their latest probe. */
export async function listMonitoredWebs(
  context: Reading,
  settings: MonitoringSettings,
): Promise<MonitoredWebList> {
  const [data, allNodes, moved] = await Promise.all([
    readWebs(context, settings, listedWebs(settings.internalMarker)),
    context.db.select().from(nodes).orderBy(nodes.name),
    readMovedWebs(context),
  ])
  return {
    data,
    nodes: allNodes.map(({ name, plesk_fqdn, cloud_enabled }) => ({ name, plesk_fqdn, cloud_enabled })),
    moved,
  }
}

/** The webs with an open incident because their domain has moved away, the longest first. */
async function readMovedWebs({ db }: Reading): Promise<MovedWeb[]> {
  const rows = await db
    .select({
      id: webs.id,
      fqdn: webs.fqdn,
      node: nodes.name,
      customer: webs.customer,
      since: incidents.started_at,
      params: incidents.reason_params,
    })
    .from(incidents)
    .innerJoin(webs, eq(webs.id, incidents.web_id))
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(eq(incidents.kind, 'moved'), isNull(incidents.ended_at), isNull(webs.deleted_at)))
    .orderBy(incidents.started_at, incidents.id)
  return rows.map(({ params, since, ...web }) => ({
    ...web,
    since: since.toISOString(),
    from: String(params?.from),
    to: params?.to === undefined ? null : String(params.to),
  }))
}

/** Any web that is not deleted. @throws DomainError not-found */
export async function readMonitoredWeb(
  context: Reading,
  settings: MonitoringSettings,
  id: number,
): Promise<MonitoredWeb> {
  const [web] = await readWebs(context, settings, and(eq(webs.id, id), isNull(webs.deleted_at)), id)
  if (!web) throw notFound('web_not_found', { id })
  return web
}

const down_since = sql<Date | null>`${sql.raw(downSince('webs'))}`.mapWith(webs.down_since)

async function readWebs(
  { db, now }: Reading,
  { intervalSeconds }: MonitoringSettings,
  which: SQL | undefined,
  id?: number,
): Promise<MonitoredWeb[]> {
  // The latest result is that of this round or the last one; older ones are out of date.
  const since = new Date(now().getTime() - 3 * intervalSeconds * 1000)
  const [rows, probes, maintained] = await Promise.all([
    db
      .select({
        id: webs.id,
        fqdn: webs.fqdn,
        sysuser: webs.sysuser,
        node: nodes.name,
        customer: webs.customer,
        http_status_code: webs.http_status_code,
        comment: webs.comment,
        monitoring_web_active: webs.monitoring_web_active,
        down_since,
        down_reason: incidents.reason,
        down_reason_code: incidents.reason_code,
        down_reason_params: incidents.reason_params,
        degraded_since: degradations.started_at,
        degraded_reason: degradations.reason,
        degraded_reason_code: degradations.reason_code,
        degraded_reason_params: degradations.reason_params,
      })
      .from(webs)
      .leftJoin(nodes, eq(nodes.id, webs.node_id))
      .leftJoin(degradations, and(eq(degradations.web_id, webs.id), isNull(degradations.ended_at)))
      // A flapping web that answers has an open incident, too.
      .leftJoin(
        incidents,
        and(eq(incidents.web_id, webs.id), isNull(incidents.ended_at), isNotNull(down_since)),
      )
      .where(which)
      .orderBy(webs.id),
    db.execute<{ web_id: number; created_at: string; response_ms: number | null }>(sql`
      select distinct on (web_id) web_id, created_at, response_ms from statistics
      where round_at > ${since.toISOString()} ${id === undefined ? sql`` : sql`and web_id = ${id}`}
      order by web_id, round_at desc`),
    readWebsInMaintenance(db, now(), id),
  ])
  const latest = new Map(probes.rows.map((probe) => [probe.web_id, probe]))
  return rows.map((web) => {
    const probe = latest.get(web.id)
    return {
      ...web,
      monitoring_web_active: web.monitoring_web_active ? 1 : 0,
      response_time_ms: probe?.response_ms ?? null,
      probed_at: probe === undefined ? null : new Date(probe.created_at).toISOString(),
      down_since: web.down_since?.toISOString() ?? null,
      degraded_since: web.degraded_since?.toISOString() ?? null,
      maintenance_until: maintained.get(web.id)?.toISOString() ?? null,
    }
  })
}

export async function readMonitoring(
  { db }: Pick<Context, 'db'>,
  { intervalSeconds, internalMarker }: MonitoringSettings,
): Promise<MonitoringState> {
  const [[webCounts], [last]] = await Promise.all([
    db
      .select({
        monitored: count(),
        down: count(webs.down_since),
        degraded: count(sql`case when ${webs.down_since} is null then ${degradations.id} end`),
      })
      .from(webs)
      .leftJoin(degradations, and(eq(degradations.web_id, webs.id), isNull(degradations.ended_at)))
      .where(countedWebs(internalMarker)),
    db
      .select()
      .from(probeRounds)
      .where(isNotNull(probeRounds.judged_at))
      .orderBy(desc(probeRounds.round_at))
      .limit(1),
  ])
  return {
    monitored: webCounts?.monitored ?? 0,
    down: webCounts?.down ?? 0,
    degraded: webCounts?.degraded ?? 0,
    interval: intervalSeconds,
    last_round: last
      ? {
          started_at: last.round_at.toISOString(),
          probes: last.probes ?? 0,
          failures: last.failures ?? 0,
          state: last.state === 'unknown' ? 'unknown' : 'known',
        }
      : null,
  }
}
