import type { SeenRequest, Visited } from '@kustos/clients/browser'
import {
  consentVerdicts,
  maxRequestedHosts,
  type RequestedHost,
  type TrackingTopic,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import { consentSignals, trackingServices } from '@kustos/contract/webs'
import {
  defaultPolicy,
  type IdentifyParty,
  judgeRequest,
  partyOf,
  readConsentToolAddress,
  type TrackingPolicy,
} from '../third-parties/index.ts'
import { collectFindings } from './collect-findings.ts'
import { type CooperativeTask, pause } from './cooperative.ts'
import { emptySnapshot, isOnDomain, type LoadedResource } from './page-snapshot.ts'
import { listConsentSignals, listStored, parseTcStrings } from './visit-evidence.ts'
import { toCoveredStop } from './visit-stops.ts'

/** The limit of ids of a service on one host. */
const maxIdsPerHost = 10

/** Returns a browser's requests in the form that all detectors read. */
export function listLoads({ requests }: Pick<Visited, 'requests'>): LoadedResource[] {
  return requests.flatMap((request) => toLoad(request) ?? [])
}

function toLoad({
  url: address,
  method,
  resourceType,
  phase,
  initiator,
  body,
}: SeenRequest): LoadedResource | null {
  const url = URL.parse(address)
  if (url === null) return null
  return {
    source: 'request',
    url,
    attributes: {},
    // Who asks only once visitors have agreed waits for their consent.
    consentBlocked: phase === 'accepted',
    excerpt: `${method} ${resourceType}${initiator === null ? '' : ` by ${initiator}`}`,
    request: { phase, kind: resourceType, body },
  }
}

/**
 * Hosts that belong to a service whatever they are asked for, its script among it; where others of its makers' are on the
 * same host, the paths that are its own. Facebook's SDK, Pinterest's button and an embedded video of YouTube's are none.
 */
const hosts: readonly (readonly [topic: TrackingTopic, domains: readonly string[], path?: RegExp])[] = [
  ['googleanalytics', ['google-analytics.com', 'analytics.google.com']],
  ['googleanalytics', ['stats.g.doubleclick.net']],
  ['googleads', ['googleadservices.com', 'ad.doubleclick.net', 'fls.doubleclick.net', 'td.doubleclick.net']],
  [
    'googleads',
    ['doubleclick.net', 'googlesyndication.com'],
    /\/(?:pagead\/(?:conversion|viewthroughconversion|landing|1p-)|rmkt\/|ccm\/|activity|ddm\/)/,
  ],
  ['facebookads', ['connect.facebook.net'], /\/(?:fbevents[\w.-]*\.js$|signals\/)/],
  ['pinterestads', ['ct.pinterest.com']],
  ['pinterestads', ['s.pinimg.com'], /^\/ct\//],
  ['microsoftads', ['bat.bing.com', 'bat.bing.net']],
  ['linkedinads', ['snap.licdn.com', 'ads.linkedin.com']],
  ['tiktokads', ['analytics.tiktok.com']],
  ['gtm', ['googletagmanager.com']],
  ['usercentrics', ['usercentrics.eu', 'usercentrics.com', 'usercentrics-sandbox.eu']],
  ['polyfillio', ['polyfill.io', 'polyfill.com']],
  ['digiaccess', ['digiaccess.org']],
]

const services: ReadonlySet<TrackingTopic> = new Set(trackingServices)
const signals: ReadonlySet<TrackingTopic> = new Set(consentSignals)

interface Purpose {
  readonly topic: TrackingTopic | null
  readonly ids: readonly string[]
  /** Of a consent tool. */
  readonly versions?: readonly string[]
}

/** Finds the purpose of a request by its content, otherwise by its destination. */
function* purposeOf(load: LoadedResource): CooperativeTask<Purpose> {
  const all = yield* collectFindings({ ...emptySnapshot(load.url), loads: [load] })
  // What a request says of the consent does not say whose request it is.
  const found = all.filter(({ topic }) => !signals.has(topic))
  const main = found.find(({ topic }) => services.has(topic)) ?? found[0]
  if (main !== undefined) {
    const ids = found.flatMap(({ topic, value }) => (topic === main.topic ? (value ?? []) : []))
    return { topic: main.topic, ids }
  }
  if (/\/(matomo|piwik)\.(js|php)$/.test(load.url.pathname)) return { topic: 'matomo', ids: [] }
  const [topic = null] =
    hosts.find(
      ([, domains, path]) =>
        domains.some((domain) => isOnDomain(load.url, domain)) && path?.test(load.url.pathname) !== false,
    ) ?? []
  return topic === null ? { topic, ...readConsentToolAddress(load.url) } : { topic, ids: [] }
}

interface Asked extends Purpose {
  readonly party: ReturnType<IdentifyParty>
  readonly request: SeenRequest
  readonly load: LoadedResource
}

/** What knows Google's consent mode, by topic or company. Maps, reCAPTCHA, fonts and videos do not. */
const consentModeTopics: ReadonlySet<TrackingTopic | null> = new Set(['googleanalytics', 'googleads', 'gtm'])
const consentModeEntities: ReadonlySet<string | undefined> = new Set([
  'Google Analytics',
  'Google Tag Manager',
  'Google/Doubleclick Ads',
  'Google DoubleClick Ad Exchange',
])

interface Judge {
  readonly identify: IdentifyParty
  readonly policy: TrackingPolicy
}

/** Of a web whose hosts are all its own. */
const byTopic: Judge = { identify: () => ({}), policy: defaultPolicy }

/**
 * Whom a page asked in a browser, phase by phase. A service that needs consent by the policy and was asked before it, or after
 * a refusal, is a violation, unless it was told that consent is denied. Google's script tells so in each of its requests
 * (`gcs=G100`); that it was loaded is then judged as they are. What a tracker has stored is judged in the same way.
 */
export function* summarizeVisit(
  {
    requests,
    consent,
    stored,
    tcStrings,
    stops = [],
    collected,
    tried = [],
  }: Pick<Visited, 'requests' | 'consent' | 'stored' | 'tcStrings' | 'stops' | 'collected' | 'tried'>,
  { identify, policy }: Judge = byTopic,
): CooperativeTask<TrackingVisit> {
  const seen: Asked[] = []
  for (const request of requests) {
    const load = toLoad(request)
    if (load !== null) {
      const purpose = yield* purposeOf(load)
      seen.push({ request, load, ...purpose, party: partyOf(purpose.topic, identify(load.url)) })
    }
    yield pause
  }
  // For each phase and page in which Google's servers received the consent: whether all of it was denied.
  const deniedIn = new Map<string, boolean>()
  const pageOf = ({ phase, stop }: SeenRequest) => [phase, stop?.page, stop?.visitor].join(' ')
  for (const { request, load } of seen) {
    const state = load.url.searchParams.get('gcs')
    const page = pageOf(request)
    if (state !== null) deniedIn.set(page, deniedIn.get(page) !== false && state === 'G100')
  }
  const isDenied = ({ request, load, topic, party }: Asked): boolean => {
    const { searchParams } = load.url
    if (topic === 'microsoftads') return searchParams.get('asc') === 'D'
    if (!consentModeTopics.has(topic) && !consentModeEntities.has(party.entity)) return false
    if (searchParams.has('gcs')) return searchParams.get('gcs') === 'G100'
    return request.resourceType === 'script' && deniedIn.get(pageOf(request)) === true
  }
  const asked = new Map<string, RequestedHost>()
  for (const one of seen) {
    yield pause
    const { request, load, topic, ids, versions = [], party } = one
    const { phase, url, method, resourceType: kind, initiator, stop } = request
    const { hostname: host } = load.url
    const { category } = party
    const is_denied = isDenied(one)
    const verdict = judgeRequest(policy, { host, phase, category, isDenied: is_denied })
    const key = [phase, host, topic, party.entity, verdict].join(' ')
    const known = asked.get(key)
    asked.set(
      key,
      known === undefined
        ? {
            ...{
              phase,
              host,
              topic,
              ...party,
              ids: [...ids],
              requests: 1,
              verdict,
              is_denied,
              url,
              method,
              kind,
              initiator,
            },
            ...(versions.length > 0 && { versions: [...versions] }),
            ...(stop && { stop }),
          }
        : {
            ...known,
            requests: known.requests + 1,
            is_denied: known.is_denied === true && is_denied,
            ids: [...new Set([...known.ids, ...ids])].slice(0, maxIdsPerHost),
            ...(versions.length > 0 && {
              versions: [...new Set([...(known.versions ?? []), ...versions])].slice(0, maxIdsPerHost),
            }),
          },
    )
  }
  const rank = ({ verdict, topic, category }: RequestedHost) =>
    ['violation', 'denied', 'review'].includes(verdict)
      ? consentVerdicts.indexOf(verdict)
      : topic !== null
        ? 3
        : category !== undefined
          ? 4
          : 5
  const ranked = [...asked.values()].sort((a, b) => rank(a) - rank(b))
  const listed = ranked.slice(0, maxRequestedHosts)
  // Of others' hosts, those that are left out are not gone.
  const cutPhases = new Set(
    ranked.slice(maxRequestedHosts).flatMap(({ category, phase }) => (category === undefined ? [] : phase)),
  )
  return {
    ...consent,
    asked: listed,
    stored: listStored(stored, listed, policy),
    signals: listConsentSignals(seen.map(({ load }) => load)),
    tcf: parseTcStrings(tcStrings),
    collected: collected.filter((phase) => !cutPhases.has(phase)),
    tried: [...tried],
    ...(stops.length > 0 && { stops: stops.map(toCoveredStop) }),
  }
}
