import { consentSignals, type Finding, type TrackingTopic } from '@kustos/contract/tracking'
import { nothingFound, type TrackingData, trackingServices } from '@kustos/contract/webs'

/** What an audit that saw the page found. */
export interface Observed {
  readonly findings: readonly Finding[]
  /** Whether all that could carry a tracker was looked at; only then is what was not found not there. */
  readonly complete: boolean
}

/**
 * What is known of a web after an audit. A service that was seen gets its time; one that was not seen keeps its old one,
 * and so goes stale. All else is as it was seen; what was not found is gone, unless something could not be looked at: then
 * it stays while it was seen lately.
 * @param now Unix seconds
 * @param lately what was found within the time that services are current for; null where that is not known
 */
export function mergeTracking(
  previous: TrackingData | null,
  { findings, complete }: Observed,
  now: number,
  lately: ReadonlySet<TrackingTopic> | null = null,
): TrackingData {
  const before = previous ?? nothingFound
  const kept = complete ? nothingFound : lately === null ? before : seenLately(before, lately)
  const first = (topic: TrackingTopic) => findings.find((finding) => finding.topic === topic)
  const gtm = first('gtm')
  const digiaccess = first('digiaccess')
  const referrer = first('referrerjs')
  return {
    usercentrics: consentManager(first('usercentrics'), before.usercentrics) ?? kept.usercentrics,
    gtm: gtm ? { domain: gtm.domain ?? '', id: gtm.value ?? '' } : kept.gtm,
    sgtmid: first('sgtmid')?.value ?? kept.sgtmid,
    referrerjs: referrer ? { version: referrer.version ?? 1 } : kept.referrerjs,
    cookies: {
      t3pref: first('t3pref') !== undefined || kept.cookies.t3pref,
      t3pentry: first('t3pentry') !== undefined || kept.cookies.t3pentry,
    },
    consentmode: consentMode(findings) ?? kept.consentmode,
    tracking_services: services(before.tracking_services, findings, now),
    fbadvancedmatching: first('fbadvancedmatching') !== undefined || kept.fbadvancedmatching,
    polyfillio: first('polyfillio') !== undefined || kept.polyfillio,
    digiaccess: digiaccess ? (digiaccess.value === 'installed' ? 2 : 1) : kept.digiaccess,
  }
}

/** A page that is never seen as a whole would keep for ever what once was there. */
function seenLately(before: TrackingData, lately: ReadonlySet<TrackingTopic>): TrackingData {
  const { cookies } = before
  return {
    ...before,
    usercentrics: lately.has('usercentrics') ? before.usercentrics : null,
    gtm: lately.has('gtm') ? before.gtm : null,
    sgtmid: lately.has('sgtmid') ? before.sgtmid : null,
    referrerjs: lately.has('referrerjs') ? before.referrerjs : null,
    cookies: {
      t3pref: cookies.t3pref && lately.has('t3pref'),
      t3pentry: cookies.t3pentry && lately.has('t3pentry'),
    },
    consentmode: consentSignals.some((signal) => lately.has(signal)) ? before.consentmode : null,
    fbadvancedmatching: before.fbadvancedmatching && lately.has('fbadvancedmatching'),
    polyfillio: before.polyfillio && lately.has('polyfillio'),
    digiaccess: lately.has('digiaccess') ? before.digiaccess : 0,
  }
}

type ConsentManager = TrackingData['usercentrics']

/** Its services cannot always be read: those of the same settings stay. */
function consentManager(found: Finding | undefined, before: ConsentManager): ConsentManager {
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

function services(before: Services, findings: readonly Finding[], now: number): Services {
  const merged = trackingServices.map((name) => {
    const seen = findings
      .filter(({ topic }) => topic === name)
      .map(({ value, domain }) => ({ id: value ?? '', domain: domain ?? '', timestamp: now }))
    const isSeen = (old: Services[typeof name][number]) =>
      seen.some(({ id, domain }) => id === old.id && (name !== 'matomo' || domain === old.domain))
    return [name, [...seen, ...before[name].filter((old) => !isSeen(old))].slice(0, mostServices)]
  })
  return Object.fromEntries(merged) as Services
}

/** Ids of a service that are kept, the latest first. */
const mostServices = 50
