import type { Message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import type { Transaction } from '@kustos/database/client'
import { probeRounds } from '@kustos/database/tables'
import { spanOf } from '@kustos/domain/monitoring'
import { sql } from 'drizzle-orm'
import { behaviourOf, statusOf } from '../behaviours.ts'
import { createRandom, seedOf } from '../random.ts'
import { paceOf } from './answers.ts'
import { type Frame, interval } from './frame.ts'
import { offsetOf, type SeedIncident, type WatchedWeb } from './incidents.ts'

interface Probe {
  readonly web: number
  readonly round: number
  readonly at: number
  readonly status: number | null
  readonly milliseconds: number | null
  readonly outcome: 'up' | 'down' | 'blip'
  readonly reason: Message | null
}

/** Writes the rounds since midnight, and every probe of theirs. @param incidents by the web's id */
export async function seedToday(
  db: Transaction,
  webs: readonly WatchedWeb[],
  incidents: ReadonlyMap<number, readonly SeedIncident[]>,
  frame: Frame,
): Promise<void> {
  const { from } = spanOf(frame.today)
  const rounds = Array.from({ length: (frame.until - from) / interval }, (_, i) => from + i * interval)
  if (rounds.length === 0 || webs.length === 0) return
  const probes = webs.flatMap((web) => probesOf(web, incidents.get(web.id) ?? [], rounds))
  const failures = new Map<number, number>()
  for (const { round, outcome } of probes)
    if (outcome === 'down') failures.set(round, (failures.get(round) ?? 0) + 1)
  await db.insert(probeRounds).values(
    rounds.map((round) => ({
      round_at: new Date(round),
      interval_seconds: interval / 1000,
      shards: 1,
      judged_at: new Date(round + interval),
      state: 'known',
      probes: webs.length,
      failures: failures.get(round) ?? 0,
    })),
  )
  const column = <T>(value: (probe: Probe) => T) => sql.param(probes.map(value))
  await db.execute(sql`
    insert into statistics (web_id, round_at, created_at, status, response_ms, outcome, reason, reason_code,
      reason_params)
    select web_id, to_timestamp(round / 1000.0), to_timestamp(at / 1000.0), status, response_ms, outcome, reason,
      reason_code, reason_params
    from unnest(
      ${column(({ web }) => web)}::int[], ${column(({ round }) => round)}::bigint[],
      ${column(({ at }) => at)}::bigint[], ${column(({ status }) => status)}::smallint[],
      ${column(({ milliseconds }) => milliseconds)}::int[], ${column(({ outcome }) => outcome)}::text[],
      ${column(({ reason }) => reason && englishText(reason))}::text[],
      ${column(({ reason }) => reason?.code ?? null)}::text[],
      ${column(({ reason }) => (reason?.params ? JSON.stringify(reason.params) : null))}::jsonb[]
    ) as probe (web_id, round, at, status, response_ms, outcome, reason, reason_code, reason_params)
    order by at`)
}

function probesOf(web: WatchedWeb, incidents: readonly SeedIncident[], rounds: readonly number[]): Probe[] {
  const pace = paceOf(web.host, 'today')
  const random = createRandom(seedOf(`${web.host} blips`))
  const offset = offsetOf(web.host)
  const behaviour = behaviourOf(web.host)
  // What it answers while it is not down.
  const well =
    behaviour.kind === 'redirecting' || behaviour.kind === 'failing' ? statusOf(behaviour, new Date()) : 200
  return rounds.map((round) => {
    const at = round + offset
    const incident = incidents.find(
      ({ started_at, ended_at }) =>
        started_at.getTime() <= at && (ended_at === null || at < ended_at.getTime()),
    )
    const probe = { web: web.id, round, at }
    if (incident !== undefined) {
      const { status } = incident
      return {
        ...probe,
        status,
        milliseconds: status === null ? null : pace.probe(),
        outcome: 'down',
        reason: status === null ? incident.reason : null,
      }
    }
    const isBlip = random.chance(0.0004)
    return {
      ...probe,
      status: isBlip ? 503 : well,
      milliseconds: pace.probe(),
      outcome: isBlip ? 'blip' : 'up',
      reason: null,
    }
  })
}
