import { pause, shouldYield } from '../cooperative.ts'
import { type Detector, inCode, isOf, type Load, matches, ofLoad, type SeenCode } from '../page-snapshot.ts'

/** The agency's own script that keeps where visitors came from, and the cookies that it and TYPO3 keep it in. */
const scriptName = /(?:^|\/)referr?er(?:[-._]?v?(\d{1,2})(?:[.\d]*))?(?:\.min)?\.js$/i
const cookieNames = ['t3pref', 't3pentry'] as const

export const isReferrer = ({ pathname }: URL): boolean => scriptName.test(pathname)

/** referrer.js; without a word on its version it is the first, which had none. */
export const referrer: Detector = function* ({ loads, codes }) {
  const sources = new Map(codes.map(({ url, original }) => [url, original]))
  for (const [index, load] of loads.entries()) {
    if (shouldYield(index)) yield pause
    if (!runs(load) || !isReferrer(load.url)) continue
    const source = sources.get(load.url.href) ?? ''
    const version = versionIn(load.url) ?? versionSaid(source) ?? 1
    yield {
      topic: 'referrerjs',
      value: load.url.href,
      domain: load.url.hostname,
      version,
      evidence: ofLoad(load),
    }
  }
}

function versionIn({ pathname, searchParams }: URL): number | undefined {
  const said = searchParams.get('v') ?? searchParams.get('version') ?? ''
  // A time or a hash that only prevents caching is not a version.
  const number = /^v?(\d{1,2})(\.\d{1,3}){0,2}$/.exec(said)?.[1] ?? scriptName.exec(pathname)?.[1]
  return number === undefined ? undefined : Number(number)
}

const versionSaid = (source: string): number | undefined => {
  const said = /(?:referr?er(?:\.js)?\s+v?|@?version:?\s+v?)(\d{1,2})\b/i.exec(source.slice(0, 2_000))?.[1]
  return said === undefined ? undefined : Number(said)
}

/** The cookies, where the page sets them or a script does. */
export const cookies: Detector = function* ({ page, codes, cookies: set, kept = [] }) {
  for (const topic of cookieNames) {
    if (set.includes(topic)) {
      const evidence = {
        source: 'cookie',
        url: page.href,
        excerpt: `Set-Cookie: ${topic}`,
        gated: false,
      } as const
      yield { topic, evidence }
    }
    const seen = kept.find(({ name }) => name === topic)
    if (seen !== undefined) {
      const { phase } = seen
      const evidence = {
        source: 'cookie',
        url: page.href,
        excerpt: topic,
        gated: phase === 'accepted',
        phase,
      } as const
      yield { topic, evidence }
    }
    // What is called `$.cookie` reads without a value, and sets with one.
    const written = new RegExp(
      String.raw`(?:\bdocument\.cookie\s*=\s*["'\`]${topic}=|(?<![\w$])(?:(?:set|create|write|add|save|store|put)_?cookies?\w{0,20}|cookie(?:s|store)?\.(?:set|add|put)|(?:\$|jquery)\.cookie|cookies)\s*\(\s*["'\`]${topic}["'\`]\s*,)`,
      'gi',
    )
    for (const code of codes) {
      yield pause
      for (const match of yield* matches(code, written))
        if (!isRemoval(code, match)) yield { topic, evidence: inCode(code, match) }
    }
  }
}

/** Characters of a statement that are looked through. */
const longestStatement = 300

/** Removing a cookie writes it as well: empty, or with a past time. */
function isRemoval(code: SeenCode, { index, 0: start }: RegExpExecArray): boolean {
  let end = index + start.length
  const most = Math.min(code.text.length, end + longestStatement)
  while (end < most && !(/[;\n]/.test(code.text[end] ?? '') && code.isCode(end))) end += 1
  const statement = code.text.slice(index, end)
  return (
    /expires\s*=[^;]{0,30}\b19[67]\d\b|max-age\s*=\s*(?:0\b|-)/i.test(statement) ||
    /^\s*(?:null\b|(["'`])\1\s*,\s*-)/.test(statement.slice(start.length))
  )
}

/** Whatever is loaded from polyfill.io, which its new owner used to attack visitors with (2024), or polyfill.com. */
export const polyfill: Detector = function* ({ loads }) {
  const isTheirs = ({ url }: Load) => isOf(url, 'polyfill.io') || isOf(url, 'polyfill.com')
  for (const [index, load] of loads.entries()) {
    if (shouldYield(index)) yield pause
    const loaded =
      load.source !== 'link' || /preload|modulepreload|stylesheet/i.test(load.attributes.rel ?? '')
    if (isTheirs(load) && loaded)
      yield { topic: 'polyfillio', domain: load.url.hostname, evidence: ofLoad(load) }
  }
}

export const isDigiAccess = (url: URL): boolean => isOf(url, 'digiaccess.org')

/** DigiAccess: installed, or named by a script that could not be had. */
export const digiAccess: Detector = function* ({ loads, broken }) {
  const isBroken = (load: Load) => broken.has(load.url.href)
  const isIts = ({ url }: Load) => isDigiAccess(url) && /^\/digiaccess(\/|\.js|$)/i.test(url.pathname)
  const scripts = loads.filter(
    (load) => runs(load) && (isDigiAccess(load.url) || load.attributes.id === 'dacs'),
  )
  const isInstalled = scripts.some((load) => isIts(load) && !isBroken(load))
  for (const [index, load] of scripts.entries()) {
    if (shouldYield(index)) yield pause
    // What it loads for itself is another script of its own.
    if (isInstalled && isDigiAccess(load.url) && !isIts(load)) continue
    const isWrong = isBroken(load) || !isIts(load)
    yield {
      topic: 'digiaccess',
      value: isWrong ? 'error' : 'installed',
      domain: load.url.hostname,
      evidence: ofLoad(load),
    }
  }
}

const runs = ({ source, request }: Load) =>
  source === 'script' || source === 'inline' || source === 'container' || request?.kind === 'script'
