import { type CooperativeTask, each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  literalValue,
  loadEvidence,
  matches,
  type PageCode,
  readParameter,
  type TagManagerTag,
  tagEvidence,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'

const analytics = /^(G-[A-Z0-9]{6,12}|GT-[A-Z0-9]{6,14}|UA-\d{4,10}-\d{1,4})$/
const ads = /^AW-(\d{8,12})/

/** Where a Google tag comes from and reports to, unless the page says otherwise. */
const defaultTagHost = 'www.googletagmanager.com'
const universal = 'www.google-analytics.com'
const conversionHost = 'www.googleadservices.com'

const config =
  /(?:\bgtag|\b__gtagTracker)\s*\(\s*["'`]config["'`]\s*,\s*(?:["'`]([A-Z]{1,2}-[A-Z0-9-]{4,20})["'`]|([A-Za-z_$][\w$]*))/g
const sent = /["']?send_to["']?\s*:\s*(\[[^\]]{0,500}\]|["'`]AW-\d{8,12})/g
const created = /\b(?:ga|__gaTracker)\s*\(\s*["']create["']\s*,\s*["'](UA-\d{4,10}-\d{1,4})["']/g
const account = /\[\s*["'](?:[\w.]{1,40}\.)?_setAccount["']\s*,\s*["'](UA-\d{4,10}-\d{1,4})["']/g
const conversion = /\bgoogle_conversion_id["']?\s*[=:]\s*["']?(\d{8,12})\b/g
const serverUrl = /(?:server_container_url|transport_url)["'`]?\s*[:,]\s*["'`](https?:\/\/[^"'`\s]{4,200})/
/** What holds for all ids that are not told otherwise. */
const set = /\bgtag\s*\(\s*["'`]set["'`]\s*,/g
/** Of a call's settings, as far as they are looked through for a server's address. */
const settings = 600

/** Google Analytics and Google Ads: one script and one call serve both, and the id says which it is. */
export const google: Detector = function* ({ loads, codes, tags }) {
  const scripts = loads.filter(({ url }) => /\/gtag\/js$/.test(url.pathname))
  // The first script of an id counts.
  const servers = new Map(scripts.toReversed().map(({ url }) => [url.searchParams.get('id'), url.hostname]))
  let server: string | undefined
  for (const code of codes) {
    yield pause
    server ??= yield* serverSet(code)
  }
  /** One script serves several ids; one that has its own comes from there. */
  const served = (value: string | undefined) =>
    server ??
    (value === undefined ? undefined : servers.get(value)) ??
    scripts[0]?.url.hostname ??
    defaultTagHost
  for (const code of codes) {
    yield pause
    yield* configured(code, served)
    for (const match of yield* matches(code, sent))
      for (const [value] of match[1]?.matchAll(/\bAW-\d{8,12}/g) ?? [])
        yield* named(value, served(value), codeEvidence(code, match))
    for (const pattern of [created, account])
      for (const match of yield* matches(code, pattern))
        yield* named(match[1], universal, codeEvidence(code, match))
    for (const match of yield* matches(code, conversion))
      yield* named(`AW-${match[1]}`, conversionHost, codeEvidence(code, match))
  }
  yield* each(tags, ofContainer)
  yield* each(loads, function* (load) {
    if (load.source !== 'link') yield* named(idOf(load), load.url.hostname, loadEvidence(load))
  })
}

/** The server that `gtag('set', …)` names for all. */
function* serverSet(code: PageCode): CooperativeTask<string | undefined> {
  for (const { index } of yield* matches(code, set)) {
    const call = code.text.slice(index, index + settings).split(')', 1)[0] ?? ''
    const server = serverIn(call)
    if (server !== undefined) return server
  }
  return undefined
}

function* configured(
  code: PageCode,
  served: (value: string | undefined) => string,
): Iterable<DetectedFinding | typeof pause> {
  const calls = yield* matches(code, config)
  for (const [index, match] of calls.entries()) {
    const value = match[1] ?? (yield* literalValue(code, match[2]))
    const end = Math.min(calls[index + 1]?.index ?? Infinity, match.index + settings)
    const server = serverIn(code.text.slice(match.index, end))
    yield* named(value, server ?? served(value), codeEvidence(code, match))
  }
}

const serverIn = (call: string) => URL.parse(serverUrl.exec(call)?.[1] ?? '')?.hostname

/** What a script or a request says that it is for. */
function idOf(load: LoadedResource): string | null {
  const { hostname, pathname, searchParams } = load.url
  if (/\/gtag\/(js|destination)$/.test(pathname)) return searchParams.get('id')
  // Universal Analytics sends what is long as a form.
  if (hostname === universal && /\/collect$/.test(pathname)) return readParameter(load, 'tid')
  if (/\/(g|j)\/collect$/.test(pathname)) return searchParams.get('tid')
  if (!/(^|\.)(googleadservices\.com|doubleclick\.net|google\.[a-z.]{2,6})$/.test(hostname)) return null
  if (/\/ccm\/collect$/.test(pathname)) return searchParams.get('tid')
  const number =
    /\/(?:pagead\/(?:conversion|viewthroughconversion|1p-conversion|1p-user-list)|rmkt\/collect|ccm\/form-data)\/(\d{8,12})(?:\/|$)/.exec(
      pathname,
    )
  return number === null ? null : `AW-${number[1]}`
}

function* ofContainer(tag: TagManagerTag): Iterable<DetectedFinding> {
  const { kind, values } = tag
  const parameter = /"(?:server_container_url|transport_url)","parameterValue","([^"]{4,200})"/
  const server = values.serverContainerUrl ?? values.transportUrl ?? parameter.exec(tag.json)?.[1]
  const domain = URL.parse(server ?? '')?.hostname ?? defaultTagHost
  if (kind === '__googtag') yield* named(values.tagId, domain, tagEvidence(tag))
  if (kind === '__gaawc' || kind === '__gaawe')
    yield* named(values.measurementIdOverride || values.measurementId, domain, tagEvidence(tag))
  if (kind === '__ua') yield* named(values.trackingId, universal, tagEvidence(tag))
  if (/^__(awct|sp|awcc|awud)$/.test(kind))
    yield* named(`AW-${values.conversionId?.replace(/^AW-/, '') ?? ''}`, conversionHost, tagEvidence(tag))
}

function* named(
  value: string | null | undefined,
  domain: string,
  evidence: DetectedFinding['evidence'],
): Iterable<DetectedFinding> {
  if (value == null || isPlaceholder(value)) return
  const ad = ads.exec(value)
  if (ad !== null) yield { topic: 'googleads', value: `AW-${ad[1]}`, domain, evidence }
  else if (analytics.test(value)) yield { topic: 'googleanalytics', value, domain, evidence }
}
