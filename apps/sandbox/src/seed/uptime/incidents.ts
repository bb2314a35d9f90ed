import { type Message, message } from '@kustos/contract/messages'
import { type IncidentKind, isUp } from '@kustos/contract/monitoring'
import { type IncidentTimes, minWebsOfOutage, type Span } from '@kustos/domain/monitoring'
import { type Behaviour, cycleStart, findBehaviour, flapping, getStatus } from '../behaviours.ts'
import { createCertificate } from '../certificates.ts'
import { createRandom, hashText, type Random } from '../random.ts'
import { intervalMs, nextRound, type Period, previousRound, spanAt } from './period.ts'

export interface MonitoredWeb {
  readonly id: number
  /** The ASCII name. */
  readonly host: string
  readonly node: string | null
  readonly nodeId: number | null
  /** When monitoring began, in milliseconds since 1970. */
  readonly since: number
}

export interface SeedIncident extends IncidentTimes {
  /** Null of the outage of a node. */
  readonly web: number | null
  readonly node?: number | null
  readonly kind?: IncidentKind
  readonly status: number | null
  readonly reason: Message
  readonly last_failed_at: Date
}

/** A time when a site is down, whether or not a probe notices. */
interface Outage extends Span {
  readonly status: number | null
  readonly reason: Message
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** When a web is probed, relative to the start of the round. */
export const probeOffsetMs = (host: string): number => hashText(`${host} offset`) % 50_000

/** A web's incidents in chronological order; only the last one may still be open. */
export function createIncidents(web: MonitoredWeb, period: Period): SeedIncident[] {
  const random = createRandom(hashText(`${web.host} incidents`))
  const outages = currentOutages(web, period, random)
  // Current outages take precedence over past ones that would overlap.
  for (const outage of [...nodeOutages(web, period), ...randomOutages(web, period, random)])
    if (outage.from >= web.since && outages.every((other) => areSeparate(outage, other))) outages.push(outage)
  return outages.toSorted((a, b) => a.from - b.from).flatMap((outage) => probe(outage, web, period) ?? [])
}

const areSeparate = (a: Span, b: Span) => a.to + 10 * minuteMs < b.from || b.to + 10 * minuteMs < a.from

/** The incident that probes find; null if the outage was between two of them. */
function probe({ from, to, status, reason }: Outage, web: MonitoredWeb, period: Period): SeedIncident | null {
  const offset = probeOffsetMs(web.host)
  const firstFailed = nextRound(period, from - offset)
  const firstSucceeded = nextRound(period, to - offset)
  const end = Math.min(firstSucceeded, period.until)
  if (firstFailed >= end) return null
  const lastFailed = previousRound(period, end)
  const probedAt = (round: number) => new Date(round + offset)
  return {
    web: web.id,
    status,
    reason,
    started_at: probedAt(firstFailed),
    ended_at: firstSucceeded < period.until ? probedAt(firstSucceeded) : null,
    last_failed_at: probedAt(lastFailed),
    watched_until: new Date(lastFailed + intervalMs),
    gaps: period.gaps
      .filter((gap) => gap.from > firstFailed && gap.to <= end)
      .map((gap) => ({ started_at: new Date(gap.from), ended_at: probedAt(gap.to) })),
  }
}

const statusReason = (status: number) => message('status_down', { status })

const reasons: Readonly<Partial<Record<Behaviour['kind'], Message>>> = {
  silent: message('no_response_in_time', { seconds: 10 }),
  refusing: message('connection_refused'),
  'without-tls': message('tls_refused'),
  expired: message('certificate_expired'),
  misnamed: message('certificate_wrong_name'),
}

function currentOutages({ host }: MonitoredWeb, { until }: Period, random: Random): Outage[] {
  const behaviour = findBehaviour(host)
  if (behaviour.kind === 'flapping') {
    const first = cycleStart(new Date(until - 6 * hourMs))
    const cycles = Math.ceil((until - first) / flapping.cycleMs)
    return Array.from({ length: cycles }, (_, i) => {
      const from = first + i * flapping.cycleMs
      return { from, to: from + flapping.downMs, status: 503, reason: statusReason(503) }
    })
  }
  const status = getStatus(behaviour, new Date(until))
  if (isUp(status)) return []
  const from =
    behaviour.kind === 'expired'
      ? (createCertificate(host, new Date(until))?.until.getTime() ?? until)
      : until - random.int(2 * 60, 9 * 24 * 60) * minuteMs
  const reason =
    status === null ? (reasons[behaviour.kind] ?? message('no_connection')) : statusReason(status)
  return [{ from, to: Number.POSITIVE_INFINITY, status, reason }]
}

/** What Kustos recorded of the failures of nodes: one incident for all webs of the node. */
export const createOutages = (
  webs: readonly MonitoredWeb[],
  incidents: readonly SeedIncident[],
  { today }: Period,
): SeedIncident[] =>
  nodeFailures.flatMap((failure) => {
    const { from, to } = spanAt(today, failure)
    const ofNode = webs.filter(({ node }) => node === failure.node)
    const ids = new Set<number | null>(ofNode.map(({ id }) => id))
    const members = incidents
      .filter(({ web, started_at: start }) => ids.has(web) && start.getTime() >= from && start.getTime() < to)
      .toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime())
    const [first] = members
    if (first === undefined || members.length < minWebsOfOutage) return []
    const latest = (times: readonly (Date | null)[]) => new Date(Math.max(...times.map(Number)))
    return {
      ...first,
      web: null,
      node: ofNode[0]?.nodeId ?? null,
      ended_at: latest(members.map(({ ended_at }) => ended_at)),
      last_failed_at: latest(members.map(({ last_failed_at }) => last_failed_at)),
      watched_until: latest(members.map(({ watched_until }) => watched_until)),
      gaps: [],
    }
  })

const noConnection = message('no_connection_in_time', { seconds: 10 })
const nodeFailures = [
  { node: 'bz-cloud-02', daysAgo: 47, startMinute: 131, minutes: 143, reason: noConnection },
  {
    node: 'ibk-cloud-01',
    daysAgo: 12,
    startMinute: 1418,
    minutes: 51,
    reason: message('connection_refused'),
  },
  { node: 'bz-legacy-07', daysAgo: 96, startMinute: 422, minutes: 318, reason: noConnection },
]

const nodeOutages = (web: MonitoredWeb, { today }: Period): Outage[] =>
  nodeFailures
    .filter(({ node }) => node === web.node)
    .map((failure) => ({ ...spanAt(today, failure), status: null, reason: failure.reason }))

const weights = {
  stability: { stable: 5, usual: 3, unstable: 1 },
  duration: { short: 6, medium: 3, long: 1 },
  cause: { 503: 4, 500: 2, 502: 2, silent: 3, refusing: 1 },
} as const
const outageCounts = { stable: [0, 2], usual: [2, 6], unstable: [6, 14] } as const
const durationMinutes = { short: [2, 9], medium: [10, 45], long: [60, 240] } as const

function randomOutages({ node }: MonitoredWeb, { days, until }: Period, random: Random): Outage[] {
  const [min, max] = outageCounts[random.weighted(weights.stability)]
  const more = node === 'bz-legacy-07' ? 4 : 0
  return Array.from({ length: random.int(min, max) + more }, () => {
    const day = random.pick(days)
    const from = day.from + random.int(0, 24 * 60 - 1) * minuteMs
    const [shortest, longest] = durationMinutes[random.weighted(weights.duration)]
    const cause = random.weighted(weights.cause)
    const reason = cause === 'silent' || cause === 'refusing' ? reasons[cause] : undefined
    return {
      from,
      to: from + random.int(shortest, longest) * minuteMs,
      status: reason ? null : Number(cause),
      reason: reason ?? statusReason(Number(cause)),
    }
  }).filter(({ to }) => to < until - hourMs)
}
