import { pause } from '../ease.ts'
import {
  type Detector,
  type Found,
  inCode,
  type Load,
  literalOf,
  matches,
  ofLoad,
  parameterOf,
  type SeenCode,
} from '../sight.ts'

/** An id: in quotes or a number, else the name of what holds it. */
const siteId = String.raw`(?:["'\`]([\w-]{1,40})["'\`]|(\d{1,20})\b|([A-Za-z_$][\w$]{0,60}))`
const site = new RegExp(String.raw`\[\s*["'\`]setSiteId["'\`]\s*,\s*${siteId}\s*\]`, 'g')
const trackerUrl = /\[\s*["'`]setTrackerUrl["'`]\s*,\s*(?:["'`]([^"'`]{1,300})["'`]|([A-Za-z_$][\w$]*)\s*\+)/g
const url = String.raw`(?:["'\`]([^"'\`]{1,300})["'\`]|([A-Za-z_$][\w$]{0,60})\s*\+[^,\])]{1,40})`
const added = new RegExp(String.raw`\[\s*["'\`]addTracker["'\`]\s*,\s*${url}\s*,\s*${siteId}\s*\]`, 'g')
const gotten = new RegExp(
  String.raw`\b(?:Matomo|Piwik)\.(?:getTracker|getAsyncTracker|addTracker)\s*\(\s*${url}\s*,\s*${siteId}`,
  'g',
)
/** Within a container of Matomo's own tag manager. */
const configured = /"matomoUrl":"((?:[^"\\]|\\.){1,300})"[^{}]{0,300}?"idSite":"?([\w-]{1,40})/g

/** A script of Matomo's, under its own name or the one that it had. */
const isMatomo = ({ pathname }: URL): boolean => /\/(matomo|piwik)\.js$/.test(pathname)
export const isMatomoContainer = ({ pathname }: URL): boolean => /\/container_\w{8}\.js$/.test(pathname)

/** Matomo under any host: by its code, its picture for browsers without scripts, and its tag manager's container. */
export const matomo: Detector = function* ({ loads, codes, page }) {
  const served = loads.find(({ url }) => isMatomo(url))?.url
  for (const load of loads) {
    const value = isTracker(load) ? parameterOf(load, 'idsite') : null
    if (value !== null) yield* entry(value, load.url, ofLoad(load))
  }
  for (const code of codes) {
    yield pause
    const hostOf = (literal: string | undefined, name: string | undefined) =>
      URL.parse((literal ?? (name === undefined ? undefined : literalOf(code, name))) || 'none:', page.href)
    const [tracker] = matches(code, trackerUrl)
    const told = tracker === undefined ? null : hostOf(tracker[1], tracker[2])
    if (/_paq/.test(code.text)) {
      for (const match of matches(code, site))
        yield* entry(idIn(code, match, 1), httpUrl(told) ?? served ?? page, inCode(code, match))
      for (const match of matches(code, added))
        yield* entry(idIn(code, match, 3), httpUrl(hostOf(match[1], match[2])) ?? page, inCode(code, match))
    }
    for (const match of matches(code, gotten))
      yield* entry(idIn(code, match, 3), httpUrl(hostOf(match[1], match[2])) ?? page, inCode(code, match))
    for (const match of container(code))
      yield* entry(match[2], httpUrl(hostOf(unescaped(match[1]), undefined)) ?? page, inCode(code, match))
  }
}

const container = (code: SeenCode) => (isMatomoContainer(new URL(code.url)) ? matches(code, configured) : [])

/** Under its own name, or any other: its requests say what they are. */
const isTracker = ({ url, source }: Load) =>
  source !== 'link' && (/\/(matomo|piwik)\.php$/.test(url.pathname) || url.searchParams.get('rec') === '1')

/** @param from the first of the groups that are an id's */
function idIn(code: SeenCode, match: RegExpExecArray, from: number): string | undefined {
  const name = match[from + 2]
  return match[from] ?? match[from + 1] ?? (name === undefined ? undefined : literalOf(code, name))
}

/** Nothing where the id is known only in a browser. */
function* entry(
  value: string | undefined,
  { hostname }: URL,
  evidence: ReturnType<typeof ofLoad>,
): Iterable<Found> {
  if (value !== undefined && /^[\w-]{1,40}$/.test(value))
    yield { topic: 'matomo', value, domain: hostname, evidence }
}

const httpUrl = (url: URL | null): URL | null => (url?.protocol.startsWith('http') ? url : null)

const unescaped = (text: string | undefined) => text?.replaceAll(String.raw`\/`, '/')
