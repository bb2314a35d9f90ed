import type { IncidentEntry, IncidentTimelineEntry } from '@kustos/contract/incidents'
import type { Transaction } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { maxProbeDelayMs } from '../monitoring/index.ts'

type ProbeEntry = Extract<IncidentTimelineEntry, { readonly kind: 'probe' }>

/** The probes of more webs would fill the timeline. */
const maxWebs = 20
/** Good ones before the first failure, failures from the first on, good ones from the first on. */
const shown = { before: 1, failed: 3, good: 2 } as const
/** Webs whose probes are read at once, so that connections are left for other requests. */
const maxReads = 4
const minutes = (count: number) => sql`${count} * interval '1 minute'`
/** The time in which the round of a probe is found, and the probe before it. */
const ofRounds = minutes(maxProbeDelayMs / 60_000)

/** The probes in which an incident began and ended: the last good one, the first failures, and the first good ones. */
export async function readProbes(db: Transaction, members: readonly IncidentEntry[]): Promise<ProbeEntry[]> {
  const lists = await pLimit(maxReads).map(members.slice(0, maxWebs), (member) => readProbesOf(db, member))
  return lists.flat()
}

async function readProbesOf(
  db: Transaction,
  { web, started_at, ended_at }: IncidentEntry,
): Promise<ProbeEntry[]> {
  if (web === null) return []
  const start = sql`${started_at}::timestamptz`
  const probes = (
    from: ReturnType<typeof sql>,
    to: ReturnType<typeof sql>,
    order: 'asc' | 'desc',
    count: number,
  ) => sql`(
    select s.created_at, s.outcome, s.status, s.reason, s.reason_code, s.reason_params
    from statistics_between(${from} - ${ofRounds}, ${to} + ${minutes(1)}, ${from}) s
    where s.web_id = ${web.id} and s.created_at >= ${from} and s.created_at < ${to}
    order by s.created_at ${sql.raw(order)} limit ${count})`
  const parts = [
    probes(sql`${start} - ${ofRounds}`, start, 'desc', shown.before),
    probes(
      start,
      sql`least(${start} + ${minutes(30)}, ${ended_at ?? 'infinity'}::timestamptz)`,
      'asc',
      shown.failed,
    ),
  ]
  if (ended_at !== null) {
    const end = sql`${ended_at}::timestamptz`
    parts.push(probes(end, sql`${end} + ${minutes(30)}`, 'asc', shown.good))
  }
  const { rows } = await db.execute<{ probe: Omit<ProbeEntry, 'kind' | 'web'> }>(sql`
    select json_build_object('at', created_at, 'outcome', outcome, 'status', status, 'reason', reason,
      'reason_code', reason_code, 'reason_params', reason_params) as probe
    from (${sql.join(parts, sql` union all `)}) probes`)
  return rows.map(({ probe }) => ({ kind: 'probe', web, ...probe }))
}
