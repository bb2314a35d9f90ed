import type { Finding, TrackingTopic } from '@kustos/contract/tracking'
import { consentSignals, nothingFound, type TrackingData, trackingServices } from '@kustos/contract/webs'

/** The findings of an audit that could read the page. */
export interface PageFindings {
  readonly findings: readonly Finding[]
  /** Whether everything that can contain a tracker was read. Only then is a missing finding known to be absent. */
  readonly complete: boolean
}

/**
 * Merges an audit into the tracking data of a web. Services that were found get a new timestamp; the others keep theirs, so
 * that they become stale. Everything else is replaced by the findings. After an incomplete audit, missing values are kept
 * if they were found recently.
 * @param now Unix seconds
 * @param recentTopics topics found within the time for which services count as current; null if unknown
 */
export function mergeTracking(
  previous: TrackingData | null,
  { findings, complete }: PageFindings,
  now: number,
  recentTopics: ReadonlySet<TrackingTopic> | null = null,
): TrackingData {
  const before = previous ?? nothingFound
  const findTopic = (topic: TrackingTopic) => findings.find((finding) => finding.topic === topic)
  // Otherwise a page that can never be read completely would keep old values forever.
  const isKept = (topic: TrackingTopic) => !complete && recentTopics?.has(topic) !== false
  const keep = <T>(value: T, ...topics: readonly TrackingTopic[]) => (topics.some(isKept) ? value : null)
  const isPresent = (topic: TrackingTopic, wasPresent: boolean) =>
    findTopic(topic) !== undefined || (wasPresent && isKept(topic))
  const gtm = findTopic('gtm')
  const digiaccess = findTopic('digiaccess')
  const referrer = findTopic('referrerjs')
  return {
    usercentrics:
      mergeConsentManager(findTopic('usercentrics'), before.usercentrics) ??
      keep(before.usercentrics, 'usercentrics'),
    gtm: gtm ? { domain: gtm.domain ?? '', id: gtm.value ?? '' } : keep(before.gtm, 'gtm'),
    sgtmid: findTopic('sgtmid')?.value ?? keep(before.sgtmid, 'sgtmid'),
    referrerjs: referrer ? { version: referrer.version ?? 1 } : keep(before.referrerjs, 'referrerjs'),
    cookies: {
      t3pref: isPresent('t3pref', before.cookies.t3pref),
      t3pentry: isPresent('t3pentry', before.cookies.t3pentry),
    },
    consentmode: consentMode(findings) ?? keep(before.consentmode, ...consentSignals),
    tracking_services: mergeServices(before.tracking_services, findings, now),
    fbadvancedmatching: isPresent('fbadvancedmatching', before.fbadvancedmatching),
    polyfillio: isPresent('polyfillio', before.polyfillio),
    digiaccess: digiaccess
      ? digiaccess.value === 'installed'
        ? 2
        : 1
      : (keep(before.digiaccess, 'digiaccess') ?? 0),
  }
}

type ConsentManager = TrackingData['usercentrics']

/** If the services could not be read, those of the same settings are kept. */
function mergeConsentManager(found: Finding | undefined, before: ConsentManager): ConsentManager {
  if (found === undefined) return null
  const { value, version, names, evidence } = found
  const known = before?.id === value ? (before?.services ?? []) : []
  return {
    id: value ?? '',
    version: version ?? 1,
    src:
      evidence.find(({ source }) => source === 'script' || source === 'container' || source === 'request')
        ?.url ?? '',
    services: names === null ? known : names.map((name) => ({ name })),
  }
}

function consentMode(findings: readonly Finding[]): TrackingData['consentmode'] {
  const states = Object.fromEntries(
    consentSignals.map((signal) => {
      const value = findings.find(({ topic }) => topic === signal)?.value
      return [signal, value === 'granted' || value === 'denied' ? value : null]
    }),
  ) as NonNullable<TrackingData['consentmode']>
  return Object.values(states).every((state) => state === null) ? null : states
}

type Services = TrackingData['tracking_services']

function mergeServices(before: Services, findings: readonly Finding[], now: number): Services {
  const merged = trackingServices.map((name) => {
    const seen = findings
      .filter(({ topic }) => topic === name)
      .map(({ value, domain }) => ({ id: value ?? '', domain: domain ?? '', timestamp: now }))
    const isSeen = (old: Services[typeof name][number]) =>
      seen.some(({ id, domain }) => id === old.id && (name !== 'matomo' || domain === old.domain))
    return [name, [...seen, ...before[name].filter((old) => !isSeen(old))].slice(0, maxServiceIds)]
  })
  return Object.fromEntries(merged) as Services
}

/** Per service; the latest ids are kept. */
const maxServiceIds = 50
