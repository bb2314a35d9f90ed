import { type Message, message } from '@kustos/contract/messages'
import { isUp } from '@kustos/contract/monitoring'
import { dayAfter, type IncidentTimes, type Span, spanOf } from '@kustos/domain/monitoring'
import { type Behaviour, behaviourOf, cycleStart, flapping, statusOf } from '../behaviours.ts'
import { certificateOf } from '../certificates.ts'
import type { NodeName } from '../places.ts'
import { createRandom, type Random, seedOf } from '../random.ts'
import { type Frame, interval, roundBefore, roundFrom } from './frame.ts'

export interface WatchedWeb {
  readonly id: number
  /** In its ASCII form. */
  readonly host: string
  readonly node: string | null
  /** The first moment that it was watched. */
  readonly since: number
}

export interface SeedIncident extends IncidentTimes {
  readonly web: number
  readonly status: number | null
  readonly reason: Message
  readonly last_failed_at: Date
}

/** What is to have happened, before it is seen by probes. */
interface Outage extends Span {
  readonly status: number | null
  readonly reason: Message
}

const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000]

/** Milliseconds after a round's beginning that this web is probed: a round is spread over its interval. */
export const offsetOf = (host: string): number => seedOf(`${host} offset`) % 50_000

/** A web's incidents in their order; one that goes on is the last. */
export function incidentsOf(web: WatchedWeb, frame: Frame): SeedIncident[] {
  const random = createRandom(seedOf(`${web.host} incidents`))
  const kept = presentOutages(web, frame, random)
  // What is so now comes first; whatever else would touch it did not happen.
  for (const outage of [...nodeOutages(web, frame), ...chance(web, frame, random)])
    if (outage.from >= web.since && kept.every((other) => apart(outage, other))) kept.push(outage)
  return kept.toSorted((a, b) => a.from - b.from).flatMap((outage) => seen(outage, web, frame) ?? [])
}

const apart = (one: Span, other: Span) =>
  one.to + 10 * minute < other.from || other.to + 10 * minute < one.from

/** How probes saw it; null where it fell between two of them. */
function seen({ from, to, status, reason }: Outage, web: WatchedWeb, frame: Frame): SeedIncident | null {
  const offset = offsetOf(web.host)
  const first = roundFrom(frame, from - offset)
  const good = roundFrom(frame, to - offset)
  const end = Math.min(good, frame.until)
  if (first >= end) return null
  const at = (round: number) => new Date(round + offset)
  return {
    web: web.id,
    status,
    reason,
    started_at: at(first),
    ended_at: good < frame.until ? at(good) : null,
    last_failed_at: at(roundBefore(frame, end)),
    watched_until: new Date(roundBefore(frame, end) + interval),
    gaps: frame.unwatched
      .filter((away) => away.from > first && away.to <= end)
      .map((away) => ({ started_at: new Date(away.from), ended_at: at(away.to) })),
  }
}

const statusReason = (status: number) => message('status_down', { status })

/** As probes say it. */
const reasons: Readonly<Partial<Record<Behaviour['kind'], Message>>> = {
  silent: message('no_response_in_time', { seconds: 10 }),
  refusing: message('connection_refused'),
  expired: message('certificate_expired'),
  misnamed: message('certificate_wrong_name'),
}

/** What the site's behaviour comes to: it is down by now, or on and off. */
function presentOutages({ host }: WatchedWeb, { until }: Frame, random: Random): Outage[] {
  const behaviour = behaviourOf(host)
  if (behaviour.kind === 'flapping') {
    const first = cycleStart(new Date(until - 6 * hour))
    const cycles = Math.ceil((until - first) / flapping.cycle)
    return Array.from({ length: cycles }, (_, i) => {
      const from = first + i * flapping.cycle
      return { from, to: from + flapping.down, status: 503, reason: statusReason(503) }
    })
  }
  const status = statusOf(behaviour, new Date(until))
  if (isUp(status)) return []
  const since =
    behaviour.kind === 'expired'
      ? (certificateOf(host, new Date(until))?.until.getTime() ?? until)
      : until - random.int(2 * 60, 9 * 24 * 60) * minute
  const reason =
    status === null ? (reasons[behaviour.kind] ?? message('no_connection')) : statusReason(status)
  return [{ from: since, to: Number.POSITIVE_INFINITY, status, reason }]
}

/** A node takes all that it hosts along. */
const failures: readonly { node: NodeName; ago: number; at: number; lasting: number; reason: Message }[] = [
  {
    node: 'bz-cloud-02',
    ago: 47,
    at: 2 * hour + 11 * minute,
    lasting: 143 * minute,
    reason: message('no_connection_in_time', { seconds: 10 }),
  },
  {
    node: 'ibk-cloud-01',
    ago: 12,
    at: 23 * hour + 38 * minute,
    lasting: 51 * minute,
    reason: message('connection_refused'),
  },
  {
    node: 'bz-legacy-07',
    ago: 96,
    at: 7 * hour + 2 * minute,
    lasting: 318 * minute,
    reason: message('no_connection_in_time', { seconds: 10 }),
  },
]

const nodeOutages = (web: WatchedWeb, { today }: Frame): Outage[] =>
  failures
    .filter(({ node }) => node === web.node)
    .map(({ ago, at, lasting, reason }) => {
      const from = spanOf(dayAfter(today, -ago)).from + at
      return { from, to: from + lasting, status: null, reason }
    })

/** How often each is to be met, in relation to the others. */
const often = {
  times: { calm: 5, usual: 3, shaky: 1 },
  length: { short: 6, middle: 3, long: 1 },
  cause: { 503: 4, 500: 2, 502: 2, silent: 3, refusing: 1 },
} as const

const times = { calm: [0, 2], usual: [2, 6], shaky: [6, 14] } as const
/** In minutes. */
const lengths = { short: [2, 9], middle: [10, 45], long: [60, 240] } as const

/** What simply happens, and is over by now. */
function chance({ node }: WatchedWeb, { days, until }: Frame, random: Random): Outage[] {
  const [least, most] = times[random.weighted(often.times)]
  const more = node === 'bz-legacy-07' ? 4 : 0
  return Array.from({ length: random.int(least, most) + more }, () => {
    const where = days[random.int(0, days.length - 1)]
    const from = (where?.from ?? 0) + random.int(0, day / minute - 1) * minute
    const [shortest, longest] = lengths[random.weighted(often.length)]
    const cause = random.weighted(often.cause)
    const reason = cause === 'silent' || cause === 'refusing' ? reasons[cause] : undefined
    const status = reason ? null : Number(cause)
    return {
      from,
      to: from + random.int(shortest, longest) * minute,
      status,
      reason: reason ?? statusReason(Number(cause)),
    }
  }).filter(({ to }) => to < until - hour)
}
