import type { Transaction } from '@kustos/database/client'
import { probeRounds, transientFailure } from '@kustos/database/tables'
import { spanOf } from '@kustos/domain/monitoring'
import { storedMessage } from '@kustos/domain/platform/stored-message'
import { sql } from 'drizzle-orm'
import { findBehaviour, getStatus } from '../behaviours.ts'
import { createRandom, hashText } from '../random.ts'
import { type MonitoredWeb, probeOffsetMs, type SeedIncident } from './incidents.ts'
import { intervalMs, type Period } from './period.ts'
import { createResponseTimes } from './response-times.ts'

/** Adds today's rounds with their probes. @param incidents by the web's id */
export async function seedProbes(
  db: Transaction,
  webs: readonly MonitoredWeb[],
  incidents: ReadonlyMap<number, readonly SeedIncident[]>,
  { today, until }: Period,
): Promise<void> {
  const { from } = spanOf(today)
  const rounds = Array.from({ length: (until - from) / intervalMs }, (_, i) => from + i * intervalMs)
  if (rounds.length === 0 || webs.length === 0) return
  const probes = webs.flatMap((web) => createProbes(web, incidents.get(web.id) ?? [], rounds))
  const failures = Map.groupBy(
    probes.filter(({ outcome }) => outcome === 'down'),
    ({ round_at }) => round_at.getTime(),
  )
  await db.insert(probeRounds).values(
    rounds.map((round) => ({
      round_at: new Date(round),
      interval_seconds: intervalMs / 1000,
      shards: 1,
      judged_at: new Date(round + intervalMs),
      state: 'known',
      probes: webs.length,
      failures: failures.get(round)?.length ?? 0,
    })),
  )
  await db.execute(sql`
    insert into statistics (web_id, round_at, created_at, status, response_ms, outcome, reason, reason_code, reason_params)
    select web_id, round_at, created_at, status, response_ms, outcome, reason, reason_code, reason_params
    from json_to_recordset(${JSON.stringify(probes)}) as probe (
      web_id int, round_at timestamptz, created_at timestamptz, status smallint, response_ms int, outcome text, reason text,
      reason_code text, reason_params jsonb
    )
    order by created_at`)
}

function createProbes(web: MonitoredWeb, incidents: readonly SeedIncident[], rounds: readonly number[]) {
  const responseTimes = createResponseTimes(web.host, 'today')
  const random = createRandom(hashText(`${web.host} blips`))
  const offset = probeOffsetMs(web.host)
  const behaviour = findBehaviour(web.host)
  const statusWhileUp =
    behaviour.kind === 'redirecting' || behaviour.kind === 'failing' ? getStatus(behaviour, new Date()) : 200
  return rounds.map((round) => {
    const createdAt = new Date(round + offset)
    const incident = incidents.find(
      ({ started_at, ended_at }) => started_at <= createdAt && (ended_at === null || createdAt < ended_at),
    )
    const noReason = storedMessage('reason', null)
    const probe = { web_id: web.id, round_at: new Date(round), created_at: createdAt, ...noReason }
    if (incident !== undefined) {
      const { status, reason } = incident
      const down = { ...probe, status, outcome: 'down' }
      if (status === null) return { ...down, response_ms: null, ...storedMessage('reason', reason) }
      return { ...down, response_ms: responseTimes.ofProbe() }
    }
    const isTransient = random.chance(0.0004)
    return {
      ...probe,
      status: isTransient ? 503 : statusWhileUp,
      response_ms: responseTimes.ofProbe(),
      outcome: isTransient ? transientFailure : 'up',
    }
  })
}
