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
const sendTo = /["']?send_to["']?\s*:\s*(\[[^\]]{0,500}\]|["'`]AW-\d{8,12})/g
const createCall = /\b(?:ga|__gaTracker)\s*\(\s*["']create["']\s*,\s*["'](UA-\d{4,10}-\d{1,4})["']/g
const setAccountCall = /\[\s*["'](?:[\w.]{1,40}\.)?_setAccount["']\s*,\s*["'](UA-\d{4,10}-\d{1,4})["']/g
const conversion = /\bgoogle_conversion_id["']?\s*[=:]\s*["']?(\d{8,12})\b/g
const serverUrl = /(?:server_container_url|transport_url)["'`]?\s*[:,]\s*["'`](https?:\/\/[^"'`\s]{4,200})/
/** Applies to all ids without settings of their own. */
const setCall = /\bgtag\s*\(\s*["'`]set["'`]\s*,/g
/** Characters of a call that are searched for a server's address. */
const maxSettingsLength = 600

/** Google Analytics and Google Ads: one script and one call serve both, and the id says which it is. */
export const google: Detector = function* ({ loads, codes, tags }) {
  const scripts = loads.filter(({ url }) => /\/gtag\/js$/.test(url.pathname))
  // The first script of an id counts.
  const servers = new Map(scripts.toReversed().map(({ url }) => [url.searchParams.get('id'), url.hostname]))
  let server: string | undefined
  for (const code of codes) {
    yield pause
    server ??= yield* findGlobalServer(code)
  }
  /** One script serves several ids; one that has its own comes from there. */
  const serverOf = (value: string | undefined) =>
    server ??
    (value === undefined ? undefined : servers.get(value)) ??
    scripts[0]?.url.hostname ??
    defaultTagHost
  for (const code of codes) {
    yield pause
    yield* findConfigured(code, serverOf)
    for (const match of yield* matches(code, sendTo))
      for (const [value] of match[1]?.matchAll(/\bAW-\d{8,12}/g) ?? [])
        yield* toFindings(value, serverOf(value), codeEvidence(code, match))
    for (const pattern of [createCall, setAccountCall])
      for (const match of yield* matches(code, pattern))
        yield* toFindings(match[1], universal, codeEvidence(code, match))
    for (const match of yield* matches(code, conversion))
      yield* toFindings(`AW-${match[1]}`, conversionHost, codeEvidence(code, match))
  }
  yield* each(tags, findInContainer)
  yield* each(loads, function* (load) {
    if (load.source !== 'link') yield* toFindings(readId(load), load.url.hostname, loadEvidence(load))
  })
}

/** The server that `gtag('set', …)` names for all. */
function* findGlobalServer(code: PageCode): CooperativeTask<string | undefined> {
  for (const { index } of yield* matches(code, setCall)) {
    const call = code.text.slice(index, index + maxSettingsLength).split(')', 1)[0] ?? ''
    const server = readServer(call)
    if (server !== undefined) return server
  }
  return undefined
}

function* findConfigured(
  code: PageCode,
  serverOf: (value: string | undefined) => string,
): Iterable<DetectedFinding | typeof pause> {
  const calls = yield* matches(code, config)
  for (const [index, match] of calls.entries()) {
    const value = match[1] ?? (yield* literalValue(code, match[2]))
    const end = Math.min(calls[index + 1]?.index ?? Infinity, match.index + maxSettingsLength)
    const server = readServer(code.text.slice(match.index, end))
    yield* toFindings(value, server ?? serverOf(value), codeEvidence(code, match))
  }
}

const readServer = (call: string) => URL.parse(serverUrl.exec(call)?.[1] ?? '')?.hostname

/** Returns the id that a script or a request is for, or null if it has none. */
function readId(load: LoadedResource): string | null {
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

function* findInContainer(tag: TagManagerTag): Iterable<DetectedFinding> {
  const { kind, values } = tag
  const parameter = /"(?:server_container_url|transport_url)","parameterValue","([^"]{4,200})"/
  const server = values.serverContainerUrl ?? values.transportUrl ?? parameter.exec(tag.json)?.[1]
  const domain = URL.parse(server ?? '')?.hostname ?? defaultTagHost
  if (kind === '__googtag') yield* toFindings(values.tagId, domain, tagEvidence(tag))
  if (kind === '__gaawc' || kind === '__gaawe')
    yield* toFindings(values.measurementIdOverride || values.measurementId, domain, tagEvidence(tag))
  if (kind === '__ua') yield* toFindings(values.trackingId, universal, tagEvidence(tag))
  if (/^__(awct|sp|awcc|awud)$/.test(kind))
    yield* toFindings(
      `AW-${values.conversionId?.replace(/^AW-/, '') ?? ''}`,
      conversionHost,
      tagEvidence(tag),
    )
}

function* toFindings(
  value: string | null | undefined,
  domain: string,
  evidence: DetectedFinding['evidence'],
): Iterable<DetectedFinding> {
  if (value == null || isPlaceholder(value)) return
  const ad = ads.exec(value)
  if (ad !== null) yield { topic: 'googleads', value: `AW-${ad[1]}`, domain, evidence }
  else if (analytics.test(value)) yield { topic: 'googleanalytics', value, domain, evidence }
}
