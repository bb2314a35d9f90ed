import {
  type Detector,
  inCode,
  type Load,
  literalOf,
  matches,
  ofLoad,
  parameterOf,
  type SeenCode,
} from '../sight.ts'

const site = /\[\s*["'`]setSiteId["'`]\s*,\s*["'`]?([\w-]{1,40})["'`]?\s*\]/g
const trackerUrl = /\[\s*["'`]setTrackerUrl["'`]\s*,\s*(?:["'`]([^"'`]{1,300})["'`]|([A-Za-z_$][\w$]*)\s*\+)/g
const added =
  /\[\s*["'`]addTracker["'`]\s*,\s*(?:["'`]([^"'`]{1,300})["'`]|([A-Za-z_$][\w$]*)\s*\+[^,\]]{1,40})\s*,\s*["'`]?([\w-]{1,40})["'`]?\s*\]/g
const gotten =
  /\b(?:Matomo|Piwik)\.(?:getTracker|getAsyncTracker|addTracker)\s*\(\s*["'`]([^"'`]{1,300})["'`]\s*,\s*["'`]?([\w-]{1,40})["'`]?/g
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
    if (value !== null) yield entry(value, load.url, ofLoad(load))
  }
  for (const code of codes) {
    const hostOf = (literal: string | undefined, name: string | undefined) =>
      URL.parse((literal ?? (name === undefined ? undefined : literalOf(code, name))) || 'none:', page.href)
    const [tracker] = matches(code, trackerUrl)
    const told = tracker === undefined ? null : hostOf(tracker[1], tracker[2])
    if (/_paq/.test(code.text)) {
      for (const match of matches(code, site))
        yield entry(match[1], httpUrl(told) ?? served ?? page, inCode(code, match))
      for (const match of matches(code, added))
        yield entry(match[3], httpUrl(hostOf(match[1], match[2])) ?? page, inCode(code, match))
    }
    for (const match of matches(code, gotten))
      yield entry(match[2], httpUrl(hostOf(match[1], undefined)) ?? page, inCode(code, match))
    for (const match of container(code))
      yield entry(match[2], httpUrl(hostOf(unescaped(match[1]), undefined)) ?? page, inCode(code, match))
  }
}

const container = (code: SeenCode) => (isMatomoContainer(new URL(code.url)) ? matches(code, configured) : [])

const isTracker = ({ url, source }: Load) => source !== 'link' && /\/(matomo|piwik)\.php$/.test(url.pathname)

const entry = (value: string | undefined, { hostname }: URL, evidence: ReturnType<typeof ofLoad>) => ({
  topic: 'matomo' as const,
  value: value ?? '',
  domain: hostname,
  evidence,
})

const httpUrl = (url: URL | null): URL | null => (url?.protocol.startsWith('http') ? url : null)

const unescaped = (text: string | undefined) => text?.replaceAll(String.raw`\/`, '/')
