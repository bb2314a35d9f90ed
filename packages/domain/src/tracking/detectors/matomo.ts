import { type CooperativeTask, pause, shouldYield } from '../cooperative.ts'
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
} from '../page-snapshot.ts'
import { has } from '../scan.ts'

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
const commands = /_paq/g
/** Within a container of Matomo's own tag manager. */
const inContainer = /"matomoUrl":"((?:[^"\\]|\\.){1,300})"[^{}]{0,300}?"idSite":"?([\w-]{1,40})/g

/** A script of Matomo's, under its own name or the one that it had. */
const isMatomo = ({ pathname }: URL): boolean => /\/(matomo|piwik)\.js$/.test(pathname)
export const isMatomoContainer = ({ pathname }: URL): boolean => /\/container_\w{8}\.js$/.test(pathname)

/** Matomo under any host: by its code, its picture for browsers without scripts, and its tag manager's container. */
export const matomo: Detector = function* ({ loads, codes, page }) {
  const served = loads.find(({ url }) => isMatomo(url))?.url
  for (const [index, load] of loads.entries()) {
    if (shouldYield(index)) yield pause
    const value = isTracker(load) ? parameterOf(load, 'idsite') : null
    if (value !== null) yield* entry(value, load.url, ofLoad(load))
  }
  for (const code of codes) {
    yield pause
    function* hostOf(literal: string | undefined, name?: string): CooperativeTask<URL | null> {
      return httpUrl(URL.parse((literal ?? (yield* literalOf(code, name))) || 'none:', page.href))
    }
    const [tracker] = yield* matches(code, trackerUrl)
    const configured = tracker === undefined ? null : yield* hostOf(tracker[1], tracker[2])
    if (yield* has(code.text, commands)) {
      for (const match of yield* matches(code, site))
        yield* entry(yield* idIn(code, match, 1), configured ?? served ?? page, inCode(code, match))
      for (const match of yield* matches(code, added)) {
        const host = yield* hostOf(match[1], match[2])
        yield* entry(yield* idIn(code, match, 3), host ?? page, inCode(code, match))
      }
    }
    for (const match of yield* matches(code, gotten)) {
      const host = yield* hostOf(match[1], match[2])
      yield* entry(yield* idIn(code, match, 3), host ?? page, inCode(code, match))
    }
    if (!isMatomoContainer(new URL(code.url))) continue
    for (const match of yield* matches(code, inContainer)) {
      const host = yield* hostOf(unescaped(match[1]))
      yield* entry(match[2], host ?? page, inCode(code, match))
    }
  }
}

/** Under its own name, or any other: its requests say what they are. */
const isTracker = ({ url, source }: Load) =>
  source !== 'link' && (/\/(matomo|piwik)\.php$/.test(url.pathname) || url.searchParams.get('rec') === '1')

/** @param from the first of the groups that are an id's */
function* idIn(code: SeenCode, match: RegExpExecArray, from: number): CooperativeTask<string | undefined> {
  return match[from] ?? match[from + 1] ?? (yield* literalOf(code, match[from + 2]))
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
