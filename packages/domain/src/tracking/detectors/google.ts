import { type CooperativeTask, pause, shouldYield } from '../cooperative.ts'
import {
  type Detector,
  type Found,
  inCode,
  type Load,
  literalOf,
  matches,
  ofLoad,
  ofTag,
  parameterOf,
  type SeenCode,
  type Tag,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'

const analytics = /^(G-[A-Z0-9]{6,12}|GT-[A-Z0-9]{6,14}|UA-\d{4,10}-\d{1,4})$/
const ads = /^AW-(\d{8,12})/

/** Where a Google tag comes from and reports to, unless the page says otherwise. */
const defaultTagHost = 'www.googletagmanager.com'
const universal = 'www.google-analytics.com'

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
  const servers = new Map<string, string>()
  for (const [index, { url }] of scripts.entries()) {
    if (shouldYield(index)) yield pause
    const value = url.searchParams.get('id')
    if (value !== null && !servers.has(value)) servers.set(value, url.hostname)
  }
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
        yield* named(value, served(value), inCode(code, match))
    for (const pattern of [created, account])
      for (const match of yield* matches(code, pattern))
        yield* named(match[1], universal, inCode(code, match))
    for (const match of yield* matches(code, conversion))
      yield* named(`AW-${match[1]}`, 'www.googleadservices.com', inCode(code, match))
  }
  for (const [index, tag] of tags.entries()) {
    if (shouldYield(index)) yield pause
    yield* ofContainer(tag)
  }
  for (const [index, load] of loads.entries()) {
    if (shouldYield(index)) yield pause
    const { url } = load
    const value = idOf(url) ?? parameterIn(load)
    if (value !== null && load.source !== 'link') yield* named(value, url.hostname, ofLoad(load))
  }
}

/** The server that `gtag('set', …)` names for all. */
function* serverSet(code: SeenCode): CooperativeTask<string | undefined> {
  for (const { index } of yield* matches(code, set)) {
    const call = code.text.slice(index, index + settings).split(')', 1)[0] ?? ''
    const server = URL.parse(serverUrl.exec(call)?.[1] ?? '')
    if (server !== null) return server.hostname
  }
  return undefined
}

function* configured(
  code: SeenCode,
  served: (value: string | undefined) => string,
): Iterable<Found | typeof pause> {
  const calls = yield* matches(code, config)
  for (const [index, match] of calls.entries()) {
    const value = match[1] ?? (yield* literalOf(code, match[2]))
    const end = Math.min(calls[index + 1]?.index ?? Infinity, match.index + settings)
    const server = URL.parse(serverUrl.exec(code.text.slice(match.index, end))?.[1] ?? '')
    yield* named(value, server?.hostname ?? served(value), inCode(code, match))
  }
}

/** What a script or a request says that it is for. */
function idOf({ hostname, pathname, searchParams }: URL): string | null {
  if (/\/gtag\/(js|destination)$/.test(pathname)) return searchParams.get('id')
  if (/\/(g|j)\/collect$/.test(pathname) || (hostname === universal && /\/collect$/.test(pathname)))
    return searchParams.get('tid')
  if (!/(^|\.)(googleadservices\.com|doubleclick\.net|google\.[a-z.]{2,6})$/.test(hostname)) return null
  if (/\/ccm\/collect$/.test(pathname)) return searchParams.get('tid')
  const number =
    /\/(?:pagead\/(?:conversion|viewthroughconversion|1p-conversion|1p-user-list)|rmkt\/collect|ccm\/form-data)\/(\d{8,12})(?:\/|$)/.exec(
      pathname,
    )
  return number === null ? null : `AW-${number[1]}`
}

/** Universal Analytics sends what is long as a form. */
const parameterIn = (load: Load): string | null =>
  load.url.hostname === universal && /\/collect$/.test(load.url.pathname) ? parameterOf(load, 'tid') : null

function* ofContainer(tag: Tag): Iterable<Found> {
  const { kind, values } = tag
  const server = URL.parse(
    values.serverContainerUrl ??
      values.transportUrl ??
      /"(?:server_container_url|transport_url)","parameterValue","([^"]{4,200})"/.exec(tag.json)?.[1] ??
      '',
  )
  const domain = server?.hostname ?? defaultTagHost
  const value = (...names: readonly string[]) => names.map((name) => values[name]).find((text) => text)
  if (kind === '__googtag') yield* named(value('tagId'), domain, ofTag(tag))
  if (kind === '__gaawc' || kind === '__gaawe')
    yield* named(value('measurementIdOverride', 'measurementId'), domain, ofTag(tag))
  if (kind === '__ua') yield* named(value('trackingId'), universal, ofTag(tag))
  if (kind === '__awct' || kind === '__sp' || kind === '__awcc' || kind === '__awud')
    yield* named(
      `AW-${value('conversionId')?.replace(/^AW-/, '') ?? ''}`,
      'www.googleadservices.com',
      ofTag(tag),
    )
}

function* named(value: string | undefined, domain: string, evidence: Found['evidence']): Iterable<Found> {
  if (value === undefined || isPlaceholder(value)) return
  const ad = ads.exec(value)
  if (ad !== null) yield { topic: 'googleads', value: `AW-${ad[1]}`, domain, evidence }
  else if (analytics.test(value)) yield { topic: 'googleanalytics', value, domain, evidence }
}
