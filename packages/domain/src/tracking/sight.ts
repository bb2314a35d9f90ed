import {
  type ConsentPhase,
  type Evidence,
  type EvidenceSource,
  longestExcerpt,
  type TrackingTopic,
} from '@kustos/contract/tracking'
import { type Code, readCode } from './code.ts'
import type { PageParts, Part } from './page-parts.ts'

/** All that is known of a page, in one form for all detectors. */
export interface Sight {
  readonly page: URL
  readonly loads: readonly Load[]
  readonly codes: readonly SeenCode[]
  readonly tags: readonly Tag[]
  readonly cookies: readonly string[]
  /** Those that there were in a browser, and when first. */
  readonly kept?: readonly { readonly name: string; readonly phase: ConsentPhase }[]
  /** Addresses of scripts that could not be had, or are none. */
  readonly broken: ReadonlySet<string>
  /** What was learnt of Usercentrics' settings, by their id. */
  readonly consentServices: ReadonlyMap<string, readonly string[]>
}

/** Something that a browser loads. */
export interface Load {
  readonly source: EvidenceSource
  readonly url: URL
  readonly attributes: Readonly<Record<string, string>>
  readonly gated: boolean
  readonly excerpt: string
  /** Of a request that a browser made: when, as what, and what it sent along. */
  readonly request?: {
    readonly phase: ConsentPhase
    readonly kind: string
    readonly body: string | null
  }
}

/** Code that a browser runs, or that a tag manager does. */
export interface SeenCode extends Code {
  readonly source: EvidenceSource
  /** The page, script or container that it stands in. */
  readonly url: string
  readonly gated: boolean
  /** How it came, comments included. */
  readonly original: string
  /** Names that were looked up, with the text that they were given. */
  readonly literals: Map<string, string | undefined>
}

/** A tag of a Google Tag Manager container, its values filled in as far as they are constants. */
export interface Tag {
  /** Its kind: `__gaawe`, `__awct`, … */
  readonly kind: string
  /** Without their prefix `vtp_`; only those that are text. */
  readonly values: Readonly<Record<string, string>>
  /** All of it, as JSON. */
  readonly json: string
  readonly container: string
}

/** One sight of one thing. */
export interface Found {
  readonly topic: TrackingTopic
  readonly value?: string
  readonly domain?: string
  readonly version?: number
  readonly names?: readonly string[]
  readonly evidence: Evidence
}

export type Detector = (sight: Sight) => Iterable<Found>

/** Code without one of these words is not worth reading: most of a page's scripts. */
const telling =
  /fbq|gtag|gtm\.|GTM-|_gaq|['"]UA-|google_conversion|pintrk|uetq|_linkedin_|ttq|_paq|matomo|piwik|t3pref|t3pentry|polyfill\.|usercentrics|referr?er|digiaccess/i

/** @returns null where there is nothing in it that a detector looks for */
export function seenCode(
  original: string,
  place: Pick<SeenCode, 'source' | 'url' | 'gated'>,
): SeenCode | null {
  return telling.test(original) ? { ...place, ...readCode(original), original, literals: new Map() } : null
}

/** What a page, or HTML within a container, loads and runs. */
export function sightOf(
  parts: PageParts,
  place: { readonly url: string; readonly container?: boolean },
): { readonly loads: Load[]; readonly codes: SeenCode[] } {
  const load = (source: EvidenceSource) => (part: Part) =>
    part.url === null
      ? []
      : [
          {
            source: place.container ? ('container' as const) : source,
            url: part.url,
            attributes: part.attributes,
            gated: part.gated,
            excerpt: part.tag,
          },
        ]
  const codes = parts.scripts.flatMap(
    ({ text, gated }) =>
      seenCode(text, { source: place.container ? 'container' : 'inline', url: place.url, gated }) ?? [],
  )
  return {
    loads: [
      ...parts.scripts.flatMap(load('script')),
      ...parts.frames.flatMap(load('iframe')),
      ...parts.images.flatMap(load('image')),
      ...parts.links.flatMap(load('link')),
      ...codes.flatMap(loadedBy),
    ],
    codes,
  }
}

/** What code loads by naming it whole: `element.src = "…"` and `setAttribute("src", "…")`. */
const sourceSet =
  /\.(?:src\s*=|setAttribute\s*\(\s*["']src["']\s*,)\s*["'`]((?:https?:)?\/\/[^"'`\s]{4,500})["'`]/g

export function loadedBy(code: SeenCode): Load[] {
  return matches(code, sourceSet).flatMap((match) => {
    const url = URL.parse(match[1] ?? '', 'https://page/')
    if (url === null) return []
    return [{ source: code.source, url, attributes: {}, gated: code.gated, excerpt: match[0] }]
  })
}

/** Of one pattern in one script, and names that are looked up in it: more is no page but an attack. */
const mostMatches = 500
const mostNames = 50

/** Where a pattern begins in what runs. @param pattern global */
export function matches(code: Code, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (
    let match = pattern.exec(code.text);
    match !== null && found.length < mostMatches;
    match = pattern.exec(code.text)
  ) {
    const runs = code.isCode(match.index)
    if (runs) found.push(match)
    pattern.lastIndex = match.index + (runs ? Math.max(1, match[0].length) : 1)
  }
  return found
}

/** The text that a name was given in the same code; undefined where it was none. */
export function literalOf({ text, literals }: SeenCode, name: string): string | undefined {
  if (literals.has(name) || literals.size === mostNames) return literals.get(name)
  const escaped = name.replaceAll('$', String.raw`\$`)
  const given = new RegExp(String.raw`(?:^|[^\w$.])${escaped}\s*=\s*["']([^"']{1,200})["']`).exec(text)?.[1]
  literals.set(name, given)
  return given
}

/** Whether a host is a domain's or one of its subdomains'. */
export const isOf = ({ hostname }: URL, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`)

export const inCode = (code: SeenCode, { index, 0: text }: RegExpExecArray): Evidence =>
  evidenceOf(code, code.url, code.original.slice(index, index + Math.max(text.length, 120)))

export const ofLoad = (load: Load): Evidence => ({
  ...evidenceOf(load, load.url.href, load.excerpt),
  ...(load.request && { phase: load.request.phase }),
})

/** What a request says under a name: in its address, or in a form that it sends. */
export function parameterOf({ url, request }: Load, name: string): string | null {
  const body = request?.body ?? ''
  return (
    url.searchParams.get(name) ?? (/^[\w%.[\]-]+=/.test(body) ? new URLSearchParams(body).get(name) : null)
  )
}

export const ofTag = ({ container, json }: Tag): Evidence =>
  evidenceOf({ source: 'container', gated: false }, container, json)

function evidenceOf(
  { source, gated }: { readonly source: EvidenceSource; readonly gated: boolean },
  url: string,
  excerpt: string,
): Evidence {
  const text = excerpt
    .slice(0, 4 * longestExcerpt)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return { source, url: url.slice(0, 2_000), excerpt: text.slice(0, longestExcerpt).toWellFormed(), gated }
}
