import { message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import type { Database, Transaction } from '@kustos/database/client'
import {
  domainMoves,
  incidentGaps,
  incidents,
  nodes,
  probeRounds,
  rolledUpDays,
  uptimeDays,
  webs,
} from '@kustos/database/tables'
import { dayAfter, dayOf, ensurePartition, monitoredWebs, spanOf } from '@kustos/domain/monitoring'
import { storedMessage } from '@kustos/domain/platform/stored-message'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { foreignAddress } from '../../dns/zones.ts'
import { findBehaviour, getStatus } from '../behaviours.ts'
import { createUptimeDays } from './days.ts'
import { createIncidents, createOutages, type MonitoredWeb, type SeedIncident } from './incidents.ts'
import { createPeriod, type Period } from './period.ts'
import { seedProbes } from './probes.ts'

/** Only the first webs have a history. */
const maxWebs = 60

/**
 * Adds the history of monitoring before the first start: six months of days and incidents, and today's probes. The code of the
 * real roll-up computes it. Nothing is added if there is any history.
 */
export async function seedUptime(db: Database, now: Date): Promise<void> {
  if (await hasHistory(db)) return
  const period = createPeriod(now)
  await ensurePartition(db, period.today)
  await db.transaction(async (tx) => {
    const monitored = await selectMonitoredWebs(tx, period)
    if (monitored.length === 0) return
    const incidentsByWeb = new Map(monitored.map((web) => [web.id, createIncidents(web, period)]))
    const moved = await moveDomains(tx, period)
    const ofWebs = [...incidentsByWeb.values()].flat()
    await insertIncidents(tx, [...ofWebs, ...moved, ...createOutages(monitored, ofWebs, period)])
    await linkMembers(tx)
    const days = monitored.flatMap((web) => createUptimeDays(web, incidentsByWeb.get(web.id) ?? [], period))
    // One JSON parameter is several times as fast as one parameter per value.
    await tx.execute(sql`
      insert into ${uptimeDays} select * from json_populate_recordset(null::${uptimeDays}, ${JSON.stringify(days)})`)
    await tx.insert(rolledUpDays).values(
      // The roll-up runs ten minutes after midnight.
      period.days.map(({ day, to }) => ({ day, rolled_up_at: new Date(to + 600_000) })),
    )
    await seedProbes(tx, monitored, incidentsByWeb, period)
    await updateWebs(tx, monitored, incidentsByWeb, now)
    await tx.execute(
      sql.raw(
        `comment on table uptime_days is 'The sandbox has seeded the days before ${period.today}, its first start.'`,
      ),
    )
    await tx.execute(sql`analyze ${uptimeDays}, ${incidents}, ${probeRounds}, statistics`)
  })
}

async function hasHistory(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ exists: boolean }>(sql`
    select exists (select from ${rolledUpDays}) or exists (select from ${probeRounds})
      or exists (select from ${incidents}) or exists (select from ${uptimeDays}) as exists`)
  return rows[0]?.exists !== false
}

async function selectMonitoredWebs(db: Transaction, { days }: Period): Promise<MonitoredWeb[]> {
  const first = db.select({ id: webs.id }).from(webs).orderBy(asc(webs.id)).limit(maxWebs)
  const rows = await db
    .select({
      id: webs.id,
      host: webs.fqdn_ascii,
      node: nodes.name,
      nodeId: nodes.id,
      created: webs.created_at,
    })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(monitoredWebs(''), inArray(webs.id, first)))
    .orderBy(asc(webs.id))
  return rows.map(({ created, ...web }) => ({
    ...web,
    // The first complete day.
    since: Math.max(days[0]?.from ?? 0, spanOf(dayAfter(dayOf(created), 1)).from),
  }))
}

async function insertIncidents(db: Transaction, all: readonly SeedIncident[]): Promise<void> {
  if (all.length === 0) return
  const sorted = all.toSorted(
    (a, b) => a.started_at.getTime() - b.started_at.getTime() || Number(a.web) - Number(b.web),
  )
  const inserted = await db
    .insert(incidents)
    .values(
      sorted.map(({ web, node = null, gaps: _, reason, ...incident }) => ({
        ...incident,
        ...storedMessage('reason', reason),
        reason: englishText(reason),
        web_id: web,
        node_id: node,
        // After the second probe has confirmed it and the round is over.
        alerted_at: new Date(incident.started_at.getTime() + 40_000),
      })),
    )
    .returning({ id: incidents.id, web: incidents.web_id, started_at: incidents.started_at })
  const key = ({ web, started_at }: { web: number | null; started_at: Date }) =>
    `${web} ${started_at.getTime()}`
  const ids = new Map(inserted.map((incident) => [key(incident), incident.id]))
  const gaps = sorted.flatMap((incident) => {
    const id = ids.get(key(incident))
    return id === undefined ? [] : incident.gaps.map((gap) => ({ incident_id: id, ...gap }))
  })
  if (gaps.length > 0) await db.insert(incidentGaps).values(gaps)
}

/** The incidents of a node's webs during its outage are members of it. */
async function linkMembers(db: Transaction): Promise<void> {
  await db.execute(sql`
    update ${incidents} i set outage_id = o.id
    from ${incidents} o, ${webs} w
    where o.web_id is null and w.id = i.web_id and w.node_id = o.node_id
      and i.started_at >= o.started_at and i.started_at < o.ended_at`)
}

/** The domain of a monitored web has moved away. @returns its incident */
async function moveDomains(db: Transaction, { until }: Period): Promise<readonly SeedIncident[]> {
  const rows = await db.select().from(webs).where(eq(webs.fqdn, 'www.hotel-bellavista-garda.test'))
  const moved_at = new Date(until - 31 * 3_600_000)
  for (const { id, fqdn_ascii, configured_ip: moved_from } of rows)
    await db
      .insert(domainMoves)
      .values({ web_id: id, moved_at, moved_from, moved_to: foreignAddress(fqdn_ascii) })
  return rows.map(({ id, fqdn_ascii, configured_ip: from }) => ({
    web: id,
    kind: 'moved' as const,
    status: null,
    reason: message('domain_moved', { from, to: foreignAddress(fqdn_ascii) }),
    started_at: moved_at,
    ended_at: null,
    last_failed_at: moved_at,
    watched_until: new Date(until),
    gaps: [],
  }))
}

async function updateWebs(
  db: Transaction,
  monitored: readonly MonitoredWeb[],
  incidentsByWeb: ReadonlyMap<number, readonly SeedIncident[]>,
  now: Date,
): Promise<void> {
  const latest = monitored.map(({ id, host }) => {
    const open = incidentsByWeb.get(id)?.find(({ ended_at }) => ended_at === null)
    const behaviour = findBehaviour(host)
    const statusWhileUp = behaviour.kind === 'flapping' ? 200 : getStatus(behaviour, now)
    return {
      id,
      status: open === undefined ? statusWhileUp : open.status,
      down_since: open?.started_at.toISOString() ?? null,
    }
  })
  await db.execute(sql`
    update ${webs} set http_status_code = latest.status, down_since = latest.down_since
    from json_to_recordset(${JSON.stringify(latest)}) as latest (id int, status int, down_since timestamptz)
    where webs.id = latest.id
      and (webs.http_status_code, webs.down_since) is distinct from (latest.status, latest.down_since)`)
}
