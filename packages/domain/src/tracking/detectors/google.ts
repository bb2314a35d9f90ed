import { each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  loadEvidence,
  type PageCode,
  readParameter,
  type TagManagerTag,
  tagEvidence,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import { fieldsOf, itemsOf, type ScriptCall, type ScriptValue, textsOf } from '../scripts/script-facts.ts'

const analytics = /^(G-[A-Z0-9]{6,12}|GT-[A-Z0-9]{6,14}|UA-\d{4,10}-\d{1,4})$/
const ads = /^AW-(\d{8,12})/

/** Where a Google tag comes from and reports to, unless the page says otherwise. */
const defaultTagHost = 'www.googletagmanager.com'
const universal = 'www.google-analytics.com'
const conversionHost = 'www.googleadservices.com'

/** Google Analytics and Google Ads: one script and one call serve both, and the id says which it is. */
export const google: Detector = function* ({ loads, codes, tags }) {
  const scripts = loads.filter(({ url }) => /\/gtag\/js$/.test(url.pathname))
  // The first script of an id counts.
  const servers = new Map(scripts.toReversed().map(({ url }) => [url.searchParams.get('id'), url.hostname]))
  const server = findGlobalServer(codes)
  /** One script serves several ids; one that has its own comes from there. */
  const serverOf = (value: string | undefined) =>
    server ??
    (value === undefined ? undefined : servers.get(value)) ??
    scripts[0]?.url.hostname ??
    defaultTagHost
  for (const code of codes) {
    yield pause
    yield* findInCode(code, serverOf)
  }
  yield* each(tags, findInContainer)
  yield* each(loads, function* (load) {
    if (load.source !== 'link') yield* toFindings(readId(load), load.url.hostname, loadEvidence(load))
  })
}

const tagCalls = new Set(['gtag', '__gtagTracker'])
const universalCalls = new Set(['ga', '__gaTracker'])
const isTagCall = ({ name, args }: ScriptCall, command: string): boolean =>
  tagCalls.has(name) && textsOf(args[0]).includes(command)

/** The server that `gtag('set', …)` names for all ids without settings of their own. */
function findGlobalServer(codes: readonly PageCode[]): string | undefined {
  const calls = codes.flatMap(({ facts }) => facts.calls.filter((call) => isTagCall(call, 'set')))
  const servers = calls.flatMap(({ args: [, name, value] }) => {
    const isServer = textsOf(name).some((text) => serverFields.includes(text))
    return isServer ? textsOf(value).flatMap((url) => hostOf(url) ?? []) : (readServer(name) ?? [])
  })
  return servers[0]
}

function* findInCode(
  code: PageCode,
  serverOf: (value: string | undefined) => string,
): Iterable<DetectedFinding> {
  const { calls, objects, lists, assignments } = code.facts
  for (const call of calls) {
    const [command, id, settings] = call.args
    const evidence = codeEvidence(code, call)
    if (isTagCall(call, 'config'))
      for (const value of textsOf(id))
        yield* toFindings(value, readServer(settings) ?? serverOf(value), evidence)
    if (universalCalls.has(call.name) && textsOf(command).includes('create'))
      for (const value of [id, ...fieldsOf(id, 'trackingId')].flatMap(textsOf))
        yield* toFindings(value, universal, evidence)
  }
  for (const object of objects) {
    const evidence = codeEvidence(code, object)
    for (const value of itemsOf(object.fields.get('send_to')).flatMap(textsOf))
      yield* toFindings(ads.exec(value)?.[0], serverOf(value.split('/', 1)[0]), evidence)
    yield* toConversions(object.fields.get('google_conversion_id'), evidence)
  }
  for (const list of lists)
    if (textsOf(list.items[0]).some((command) => command.endsWith('_setAccount')))
      for (const value of textsOf(list.items[1]))
        yield* toFindings(value, universal, codeEvidence(code, list))
  for (const one of assignments)
    if (one.name === 'google_conversion_id') yield* toConversions(one.value, codeEvidence(code, one))
}

const serverFields = ['server_container_url', 'transport_url']
const hostOf = (url: string): string | undefined =>
  /^https?:/.test(url) ? URL.parse(url)?.hostname : undefined

const readServer = (settings: ScriptValue | undefined): string | undefined =>
  serverFields
    .flatMap((name) => fieldsOf(settings, name).flatMap(textsOf))
    .map(hostOf)
    .find((host) => host !== undefined)

function* toConversions(
  id: ScriptValue | undefined,
  evidence: DetectedFinding['evidence'],
): Iterable<DetectedFinding> {
  for (const value of textsOf(id))
    if (/^\d{8,12}$/.test(value)) yield* toFindings(`AW-${value}`, conversionHost, evidence)
}

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
