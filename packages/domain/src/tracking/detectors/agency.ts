import { each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type Detector,
  isOnDomain,
  type LoadedResource,
  loadEvidence,
  type PageCode,
} from '../page-snapshot.ts'
import { type Span, startsOf, textsOf } from '../scripts/script-facts.ts'
import { isCookieCall } from '../scripts/watched.ts'

/** The agency's own script that keeps where visitors came from, and the cookies that it and TYPO3 keep it in. */
const scriptName = /(?:^|\/)referr?er(?:[-._]?v?(\d{1,2})(?:[.\d]*))?(?:\.min)?\.js$/i
const cookieNames = ['t3pref', 't3pentry'] as const

export const isReferrer = ({ pathname }: URL): boolean => scriptName.test(pathname)

/** referrer.js; without a word on its version it is the first, which had none. */
export const referrer: Detector = function* ({ loads, codes }) {
  const sources = new Map(codes.map(({ url, original }) => [url, original]))
  yield* each(loads, function* (load) {
    if (!runs(load) || !isReferrer(load.url)) return
    const { href: value, hostname: domain } = load.url
    const version = versionOf(load.url, sources.get(value) ?? '')
    yield { topic: 'referrerjs', value, domain, version, evidence: loadEvidence(load) }
  })
}

function versionOf({ pathname, searchParams }: URL, source: string): number {
  const parameter = searchParams.get('v') ?? searchParams.get('version') ?? ''
  const comment = /(?:referr?er(?:\.js)?\s+v?|@?version:?\s+v?)(\d{1,2})\b/i
  // A time or a hash that only prevents caching is not a version.
  const number =
    /^v?(\d{1,2})(\.\d{1,3}){0,2}$/.exec(parameter)?.[1] ??
    scriptName.exec(pathname)?.[1] ??
    comment.exec(source.slice(0, 2_000))?.[1]
  return Number(number ?? 1)
}

/** The cookies, where the page sets them or a script does. */
export const cookies: Detector = function* ({ page, codes, cookies: set, browserCookies }) {
  for (const topic of cookieNames) {
    const place = { source: 'cookie', url: page.href } as const
    if (set.includes(topic))
      yield { topic, evidence: { ...place, excerpt: `Set-Cookie: ${topic}`, gated: false } }
    const phase = browserCookies.find(({ name }) => name === topic)?.phase
    if (phase !== undefined)
      yield { topic, evidence: { ...place, excerpt: topic, gated: phase === 'accepted', phase } }
    for (const code of codes) {
      yield pause
      for (const at of findWrites(code, topic)) yield { topic, evidence: codeEvidence(code, at) }
    }
  }
}

function findWrites(code: PageCode, cookie: string): Span[] {
  const { assignments, calls } = code.facts
  const assigned = assignments.filter(
    ({ name, value, ...at }) =>
      name === 'document.cookie' &&
      startsOf(value).some(({ text }) => text.startsWith(`${cookie}=`)) &&
      !isExpired(code, at),
  )
  const called = calls.filter(
    ({ name, args: [first, value, ...more], ...at }) =>
      isCookieCall(name) &&
      textsOf(first).includes(cookie) &&
      value !== undefined &&
      value !== null &&
      !(value === '' && Number(textsOf(more[0])[0]) < 0) &&
      !isExpired(code, at),
  )
  return [...assigned, ...called]
}

/** Removing a cookie writes it as well: empty, or with a past time. */
const isExpired = ({ original }: PageCode, { start, end }: Span): boolean =>
  /expires\s*=[^;]{0,30}\b19[67]\d\b|max-age\s*=\s*(?:0\b|-)/i.test(
    original.slice(start, Math.min(end, start + 500)),
  )

/** Whatever is loaded from polyfill.io, which its new owner used to attack visitors with (2024), or polyfill.com. */
export const polyfill: Detector = function* ({ loads }) {
  const isTheirs = ({ url }: LoadedResource) =>
    isOnDomain(url, 'polyfill.io') || isOnDomain(url, 'polyfill.com')
  yield* each(loads, function* (load) {
    const isLoaded = load.source !== 'link' || /preload|stylesheet/i.test(load.attributes.rel ?? '')
    if (isTheirs(load) && isLoaded)
      yield { topic: 'polyfillio', domain: load.url.hostname, evidence: loadEvidence(load) }
  })
}

export const isDigiAccess = (url: URL): boolean => isOnDomain(url, 'digiaccess.org')

/** DigiAccess: installed, or named by a script that could not be loaded. */
export const digiAccess: Detector = function* ({ loads, brokenScripts }) {
  const isBroken = (load: LoadedResource) => brokenScripts.has(load.url.href)
  const isIts = ({ url }: LoadedResource) =>
    isDigiAccess(url) && /^\/digiaccess(\/|\.js|$)/i.test(url.pathname)
  const scripts = loads.filter(
    (load) => runs(load) && (isDigiAccess(load.url) || load.attributes.id === 'dacs'),
  )
  const isInstalled = scripts.some((load) => isIts(load) && !isBroken(load))
  yield* each(scripts, function* (load) {
    // A script that it loads itself is another one of its own.
    if (isInstalled && isDigiAccess(load.url) && !isIts(load)) return
    const value = isBroken(load) || !isIts(load) ? 'error' : 'installed'
    yield { topic: 'digiaccess', value, domain: load.url.hostname, evidence: loadEvidence(load) }
  })
}

const runs = ({ source, request }: LoadedResource) =>
  source === 'script' || source === 'inline' || source === 'container' || request?.kind === 'script'
