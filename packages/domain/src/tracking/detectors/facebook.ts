import { pause, shouldYield } from '../cooperative.ts'
import {
  type Detector,
  type Found,
  inCode,
  isOf,
  literalOf,
  matches,
  ofLoad,
  ofTag,
  parameterOf,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'

const script = 'connect.facebook.net'
const init =
  /\bfbq\s*\(\s*["'`]init["'`]\s*,\s*(?:["'`]?(\d{8,20})["'`]?|([A-Za-z_$][\w$]*))\s*(?:,\s*(\{[^}]{0,100}|[A-Za-z_$][\w$.]{0,60}))?/g
const isPixel = (value: string): boolean => /^\d{8,20}$/.test(value) && !isPlaceholder(value)
const nothing = new Set(['undefined', 'null', 'false', 'void'])

/** Meta's pixel, and whether it is given what identifies a visitor (manual advanced matching). */
export const facebook: Detector = function* ({ loads, codes, tags }) {
  for (const code of codes) {
    yield pause
    for (const match of yield* matches(code, init)) {
      const [, id, name, matching] = match
      const value = id ?? (yield* literalOf(code, name))
      if (value === undefined || !isPixel(value)) continue
      yield* found(value, script, inCode(code, match))
      if (matching !== undefined && hasMatching(matching))
        yield { topic: 'fbadvancedmatching', evidence: inCode(code, match) }
    }
  }
  // Templates of the gallery have no kind of their own.
  for (const tag of tags) {
    if (!tag.kind.startsWith('__cvt')) continue
    for (const id of (tag.values.pixelId ?? tag.values.pixelIds ?? '').split(/[\s,]+/).slice(0, 10)) {
      if (!/^\d{14,17}$/.test(id) || isPlaceholder(id)) continue
      yield* found(id, script, ofTag(tag))
      if (tag.values.advancedMatching === 'true') yield { topic: 'fbadvancedmatching', evidence: ofTag(tag) }
    }
  }
  for (const [index, load] of loads.entries()) {
    if (shouldYield(index)) yield pause
    const { url, source, request } = load
    // What Meta's script fetches for each pixel before it says anything.
    const [, configured = null] = /^\/signals\/config\/(\d+)$/.exec(url.pathname) ?? []
    if (url.hostname === script) yield* found(configured, script, ofLoad(load))
    if (source === 'link' || !isOf(url, 'facebook.com') || !/^\/tr\/?$/.test(url.pathname)) continue
    // A form of several parts is how it sends what is too long for an address.
    const [, posted = null] = /name="id"\s+(\d+)/.exec(request?.body ?? '') ?? []
    yield* found(parameterOf(load, 'id') ?? posted, url.hostname, ofLoad(load))
    const keys = [...url.searchParams.keys(), ...(request?.body?.match(/\bud(?:ff)?\[/g) ?? [])]
    if (keys.some((key) => /^ud(ff)?\[/.test(key)))
      yield { topic: 'fbadvancedmatching', evidence: ofLoad(load) }
  }
}

const hasMatching = (matching: string) =>
  matching.startsWith('{') ? /\w/.test(matching) : !nothing.has(matching)

function* found(value: string | null, domain: string, evidence: Found['evidence']): Iterable<Found> {
  if (value !== null && isPixel(value)) yield { topic: 'facebookads', value, domain, evidence }
}
