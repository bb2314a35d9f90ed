import { englishText } from '@kustos/contract/messages/english'
import type { Database, Transaction } from '@kustos/database/client'
import {
  incidentGaps,
  incidents,
  nodes,
  probeRounds,
  rolledUpDays,
  uptimeDays,
  webs,
} from '@kustos/database/tables'
import { dayAfter, dayOf, ensurePartition, monitoredWebs, spanOf } from '@kustos/domain/monitoring'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { behaviourOf, statusOf } from '../behaviours.ts'
import { daysOf } from './days.ts'
import { type Frame, frameOf } from './frame.ts'
import { incidentsOf, type SeedIncident, type WatchedWeb } from './incidents.ts'
import { seedToday } from './today.ts'

/** Webs of the inventory that have a past; those that fill it up have none. */
const most = 60

/**
 * Tells what monitoring has seen before the first start: six months of days and incidents, and today's probes. It is
 * computed by the code that rolls real probes up. Where anything has been seen already, nothing is added.
 */
export async function seedUptime(db: Database, now: Date): Promise<void> {
  if (!(await isNew(db))) return
  const frame = frameOf(now)
  await ensurePartition(db, frame.today)
  await db.transaction(async (tx) => {
    const watched = await watchedWebs(tx, frame)
    if (watched.length === 0) return
    const byWeb = new Map(watched.map((web) => [web.id, incidentsOf(web, frame)]))
    const all = [...byWeb.values()].flat()
    await keepIncidents(tx, all)
    await insert(
      tx,
      uptimeDays,
      watched.flatMap((web) => daysOf(web, byWeb.get(web.id) ?? [], frame)),
    )
    await tx.insert(rolledUpDays).values(
      // Ten minutes after midnight.
      frame.days.map(({ day, to }) => ({ day, rolled_up_at: new Date(to + 600_000) })),
    )
    await seedToday(tx, watched, byWeb, frame)
    await markWebs(tx, watched, byWeb, now)
    await tx.execute(sql.raw(`comment on table uptime_days is '${commentOf(frame)}'`))
    await tx.execute(sql`analyze ${uptimeDays}, ${incidents}, ${probeRounds}, statistics`)
  })
}

const commentOf = ({ today }: Frame) =>
  `Days before ${today}, when the sandbox was first started, were seeded by it out of incidents of its own making.`

async function isNew(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ seen: boolean }>(sql`
    select exists (select from ${rolledUpDays}) or exists (select from ${probeRounds})
      or exists (select from ${incidents}) or exists (select from ${uptimeDays}) as seen`)
  return rows[0]?.seen === false
}

async function watchedWebs(db: Transaction, { days }: Frame): Promise<WatchedWeb[]> {
  const first = db.select({ id: webs.id }).from(webs).orderBy(asc(webs.id)).limit(most)
  const rows = await db
    .select({ id: webs.id, host: webs.fqdn_ascii, node: nodes.name, created: webs.created_at })
    .from(webs)
    .leftJoin(nodes, eq(nodes.id, webs.node_id))
    .where(and(monitoredWebs(''), inArray(webs.id, first)))
    .orderBy(asc(webs.id))
  return rows.map(({ created, ...web }) => ({
    ...web,
    // The first whole day.
    since: Math.max(days[0]?.from ?? 0, spanOf(dayAfter(dayOf(created), 1)).from),
  }))
}

async function keepIncidents(db: Transaction, all: readonly SeedIncident[]): Promise<void> {
  if (all.length === 0) return
  const inOrder = all.toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime() || a.web - b.web)
  const kept = await db
    .insert(incidents)
    .values(
      inOrder.map(({ web, gaps: _, reason, ...incident }) => ({
        ...incident,
        reason: englishText(reason),
        reason_code: reason.code,
        reason_params: reason.params ?? null,
        web_id: web,
        // Once the second probe has confirmed it and the round is over.
        alerted_at: new Date(incident.started_at.getTime() + 40_000),
      })),
    )
    .returning({ id: incidents.id, web: incidents.web_id, started_at: incidents.started_at })
  const key = (incident: { web: number; started_at: Date }) =>
    `${incident.web} ${incident.started_at.getTime()}`
  const ids = new Map(kept.map((incident) => [key(incident), incident.id]))
  const gaps = inOrder.flatMap((incident) => {
    const id = ids.get(key(incident))
    return id === undefined ? [] : incident.gaps.map((gap) => ({ incident_id: id, ...gap }))
  })
  if (gaps.length > 0) await db.insert(incidentGaps).values(gaps)
}

/** As one parameter: a statement with a parameter for each value takes several times as long. */
async function insert(
  db: Transaction,
  table: typeof uptimeDays,
  rows: readonly (typeof uptimeDays.$inferInsert)[],
): Promise<void> {
  await db.execute(sql`
    insert into ${table} select * from json_populate_recordset(null::${table}, ${JSON.stringify(rows)})`)
}

/** What the latest probe saw. */
async function markWebs(
  db: Transaction,
  watched: readonly WatchedWeb[],
  byWeb: ReadonlyMap<number, readonly SeedIncident[]>,
  now: Date,
): Promise<void> {
  const seen = watched.map(({ id, host }) => {
    const open = byWeb.get(id)?.find(({ ended_at }) => ended_at === null)
    const behaviour = behaviourOf(host)
    const well = behaviour.kind === 'flapping' ? 200 : statusOf(behaviour, now)
    return {
      id,
      status: open === undefined ? well : open.status,
      down: open?.started_at.toISOString() ?? null,
    }
  })
  await db.execute(sql`
    update ${webs} set http_status_code = seen.status, down_since = seen.down
    from json_to_recordset(${JSON.stringify(seen)}) as seen (id int, status int, down timestamptz)
    where webs.id = seen.id
      and (webs.http_status_code, webs.down_since) is distinct from (seen.status, seen.down)`)
}
