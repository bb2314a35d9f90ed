import {
  type ConsentPhase,
  type Evidence,
  type EvidenceSource,
  maxExcerptLength,
  type TrackingTopic,
} from '@kustos/contract/tracking'
import { type Assignments, readAssignments } from './assignments.ts'
import { type CooperativeTask, each, pause } from './cooperative.ts'
import type { PageParts, Part } from './page-parts.ts'
import { type Code, parseCode } from './parse-code.ts'
import type { FoundSettings } from './plugin-settings.ts'
import { containsMatch, searchText } from './search-text.ts'

/** What is known of a page, in one form for all detectors. */
export type PageSnapshot = ReturnType<typeof emptySnapshot>

export const emptySnapshot = (page: URL) => ({
  page,
  loads: [] as Load[],
  codes: [] as PageCode[],
  tags: [] as Tag[],
  /** Of plugins, where they stand in the page. */
  settings: [] as FoundSettings[],
  /** The names of cookies that the server sets. */
  cookies: [] as readonly string[],
  /** Cookies in the browser, and the phase in which each first appeared. */
  browserCookies: [] as { readonly name: string; readonly phase: ConsentPhase }[],
  /** Addresses of scripts that could not be fetched or are no scripts. */
  brokenScripts: new Set<string>(),
  /** What is known of Usercentrics' settings, by their id. */
  consentServices: new Map<string, readonly string[]>(),
})

/** Something that a browser loads. */
export interface Load {
  readonly source: EvidenceSource
  readonly url: URL
  readonly attributes: Readonly<Record<string, string>>
  readonly consentBlocked: boolean
  readonly excerpt: string
  /** Code adds it as a script, and names all of its address. */
  readonly added?: boolean
  /** Of a request that a browser made: when, as what, and what it sent along. */
  readonly request?: {
    readonly phase: ConsentPhase
    readonly kind: string
    readonly body: string | null
  }
}

/** Code that a browser runs, or that a tag manager does. */
export interface PageCode extends Code {
  readonly source: EvidenceSource
  /** The page, script or container that it stands in. */
  readonly url: string
  readonly consentBlocked: boolean
  /** How it came, comments included. */
  readonly original: string
  /** What its names are given; read once it is asked for. */
  assignments: Assignments | null
  /** Matches that may still be looked into, of all patterns together. */
  matchesLeft: number
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

/** A single finding of a detector. */
export interface Found {
  readonly topic: TrackingTopic
  readonly value?: string
  readonly domain?: string
  readonly version?: number
  readonly names?: readonly string[]
  readonly evidence: Evidence
}

/** May be interrupted within each code: it may be large. */
export type Detector = (snapshot: PageSnapshot) => Iterable<Found | typeof pause>

/** Code without one of these words is not worth reading: most of a page's scripts. */
const prefilter =
  /fbq|gtag|gtm\.|GTM-|_gaq|['"]UA-|google_conversion|pintrk|uetq|_linkedin_|ttq|_paq|matomo|piwik|_mtm|t3pref|t3pentry|polyfill\.|usercentrics|referr?er|digiaccess/gi

/** Code of a page that adds scripts. */
const adding = /\.src\s{0,5}=|setAttribute|\bimport\b/g

/** @returns null where there is nothing in it that a detector looks for */
export function* readPageCode(
  original: string,
  place: Pick<PageCode, 'source' | 'url' | 'consentBlocked'>,
): CooperativeTask<PageCode | null> {
  const isRelevant =
    (yield* containsMatch(original, prefilter)) ||
    (place.source === 'inline' && (yield* containsMatch(original, adding)))
  if (!isRelevant) return null
  return {
    ...place,
    ...(yield* parseCode(original)),
    original,
    assignments: null,
    matchesLeft: maxMatchesPerScript,
  }
}

/** What a page, or HTML within a container, loads and runs. */
export function* readSnapshot(
  parts: PageParts,
  place: { readonly url: string; readonly page: string; readonly container?: boolean },
): CooperativeTask<{ readonly loads: Load[]; readonly codes: PageCode[] }> {
  const loads: Load[] = []
  const codes: PageCode[] = []
  const origin = place.container ? 'container' : null
  const add = (source: EvidenceSource, list: readonly Part[]) => {
    for (const { url, attributes, consentBlocked, tag } of list)
      if (url !== null)
        loads.push({ source: origin ?? source, url, attributes, consentBlocked, excerpt: tag })
  }
  add('script', parts.scripts)
  add('iframe', parts.frames)
  add('image', parts.images)
  add('link', parts.links)
  yield pause
  const source = origin ?? 'inline'
  yield* each(parts.scripts, function* ({ text, consentBlocked }) {
    const code = text === '' ? null : yield* readPageCode(text, { source, url: place.url, consentBlocked })
    if (code === null) return
    codes.push(code)
    loads.push(...(yield* loadedBy(code, place.page)))
  })
  return { loads, codes }
}

/** What code loads by naming it: `element.src = "…"` and `setAttribute("src", "…")`. */
const sourceSet =
  /\.(?:src\s*=|setAttribute\s*\(\s*["']src["']\s*,)\s*["'`]((?:(?:https?:)?\/\/|\/(?!\/)|\.\.?\/)[^"'`\s]{1,500})["'`](?!\s{0,20}(?:\+|\.concat))|\.(?:src\s*=|setAttribute\s*\(\s*["']src["']\s*,)\s*["'`]((?:https?:)?\/\/[^"'`\s]{4,500})["'`]/g
/** What a module of the page imports: `import '/a.js'`, `import a from './a.js'`, `import('/a.js')`. */
const importing =
  /(?<![\w$.])import\s{0,5}(?:\(\s{0,5}|[\w$*{},\s]{1,200}?(?<![\w$])from\s{0,5})?["']((?:https?:\/\/|\/|\.\.?\/)[^"'\s]{1,500})["']/g
const scriptMade = /createElement\s*\(\s*["'`]script["'`]|createElement\s*\(\s*[\w$]{1,3}\s*\)/g

/** @param page what addresses are relative to, wherever the code stands */
export function* loadedBy(code: PageCode, page: string): CooperativeTask<Load[]> {
  const { source, consentBlocked } = code
  const load = (excerpt: string, address = '', isAdded: (url: URL) => boolean = () => true): Load[] => {
    const url = URL.parse(address, page)
    if (url === null || !url.protocol.startsWith('http')) return []
    return [{ source, url, attributes: {}, consentBlocked, excerpt, added: isAdded(url) }]
  }
  const found = yield* matches(code, sourceSet)
  const makesScripts = found.length > 0 && (yield* containsMatch(code.text, scriptMade))
  const isScript = ({ pathname }: URL) => /\.m?js$/.test(pathname) || !/\.\w{2,5}$/.test(pathname)
  const set = found.flatMap(([excerpt, whole, start]) => {
    const isWhole = whole?.includes('${') === false
    return load(excerpt, whole ?? start, (url) => isWhole && makesScripts && isScript(url))
  })
  const modules = source === 'inline' ? yield* matches(code, importing) : []
  return [...set, ...modules.flatMap(([excerpt, address]) => load(excerpt, address))]
}

/** Of one pattern in one script, and of all in it: more is no page but an attack. */
const maxMatches = 500
export const maxMatchesPerScript = 2_000

/** Where a pattern begins in what runs. @param pattern global */
export function* matches(
  code: Code & { matchesLeft: number },
  pattern: RegExp,
): CooperativeTask<RegExpExecArray[]> {
  const found: RegExpExecArray[] = []
  if (code.matchesLeft <= 0) return found
  yield* searchText(code.text, pattern, (match) => {
    const runs = code.isExecutable(match.index)
    if (runs) {
      found.push(match)
      code.matchesLeft -= 1
    }
    if (found.length >= maxMatches || code.matchesLeft <= 0) return null
    return match.index + (runs ? Math.max(1, match[0].length) : 1)
  })
  return found
}

/** The text or number that a name was given in the same code; undefined where it was none, or there is no name. */
export function* literalValue(code: PageCode, name: string | undefined): CooperativeTask<string | undefined> {
  return name === undefined ? undefined : (yield* assignmentsOf(code)).texts.get(name)
}

/** What stands in the object that a name was given, up to its first closing brace. */
export function* objectText(code: PageCode, name: string): CooperativeTask<string | undefined> {
  const start = (yield* assignmentsOf(code)).objects.get(name)
  return start === undefined ? undefined : textToBrace(code, start)
}

function* assignmentsOf(code: PageCode): CooperativeTask<Assignments> {
  code.assignments ??= yield* readAssignments(code)
  return code.assignments
}

/** Of an object's settings, as far as they are read. */
const maxObjectLength = 2_000

/** From behind an opening brace up to the first closing one; undefined where that is too far. */
export function textToBrace({ text }: Code, start: number): string | undefined {
  const inside = text.slice(start, start + maxObjectLength + 1)
  const end = inside.indexOf('}')
  return end === -1 ? undefined : inside.slice(0, end)
}

/** Whether a host is a domain's or one of its subdomains'. */
export const isOnDomain = ({ hostname }: URL, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`)

/** @param least characters that are shown where the match is shorter */
export const codeEvidence = (code: PageCode, { index, 0: text }: RegExpExecArray, least = 120): Evidence =>
  evidenceOf(code, code.url, code.original.slice(index, index + Math.max(text.length, least)))

export const loadEvidence = (load: Load): Evidence => ({
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

export const tagEvidence = ({ container, json }: Tag): Evidence =>
  evidenceOf({ source: 'container', consentBlocked: false }, container, json)

export function evidenceOf(
  { source, consentBlocked }: { readonly source: EvidenceSource; readonly consentBlocked: boolean },
  url: string,
  excerpt: string,
): Evidence {
  const text = excerpt.slice(0, 4 * maxExcerptLength).replace(/[\p{Cc}\s]+/gu, ' ')
  const shown = text.trim().slice(0, maxExcerptLength).toWellFormed()
  return { source, url: url.slice(0, 2_000), excerpt: shown, gated: consentBlocked }
}
