import {
  type ConsentPhase,
  type Evidence,
  type EvidenceSource,
  maxExcerptLength,
  type TrackingTopic,
} from '@kustos/contract/tracking'
import { type Assignments, readAssignments } from './assignments.ts'
import { type CooperativeTask, each, pause } from './cooperative.ts'
import type { PageElement, PageParts } from './page-parts.ts'
import { type ParsedCode, parseCode } from './parse-code.ts'
import type { FoundSettings } from './plugin-settings.ts'
import { containsMatch, searchText } from './search-text.ts'

/** Everything known about a page, in one form for all detectors. */
export type PageSnapshot = ReturnType<typeof emptySnapshot>

export const emptySnapshot = (page: URL) => ({
  page,
  loads: [] as LoadedResource[],
  codes: [] as PageCode[],
  tags: [] as TagManagerTag[],
  /** Settings of plugins that the page contains. */
  settings: [] as FoundSettings[],
  /** The names of cookies that the server sets. */
  cookies: [] as readonly string[],
  /** Cookies in the browser, and the phase in which each first appeared. */
  browserCookies: [] as { readonly name: string; readonly phase: ConsentPhase }[],
  /** Addresses of scripts that could not be fetched or are no scripts. */
  brokenScripts: new Set<string>(),
  /** The services in Usercentrics' settings, by the id of the settings. */
  consentServices: new Map<string, readonly string[]>(),
})

/** Something that a browser loads. */
export interface LoadedResource {
  readonly source: EvidenceSource
  readonly url: URL
  readonly attributes: Readonly<Record<string, string>>
  readonly consentBlocked: boolean
  readonly excerpt: string
  /** Whether code adds it as a script and contains its complete URL. */
  readonly added?: boolean
  /** Only if a browser requested it. */
  readonly request?: {
    readonly phase: ConsentPhase
    readonly kind: string
    readonly body: string | null
  }
}

/** Code that a browser runs, or that a tag manager does. */
export interface PageCode extends ParsedCode {
  readonly source: EvidenceSource
  /** The page, script or container that contains it. */
  readonly url: string
  readonly consentBlocked: boolean
  /** The original source, including comments. */
  readonly original: string
  /** The values assigned to its variables; computed when first needed. */
  assignments: Assignments | null
  /** Matches that may still be looked into, of all patterns together. */
  matchesLeft: number
}

/** A tag of a Google Tag Manager container, its values filled in as far as they are constants. */
export interface TagManagerTag {
  /** Its kind: `__gaawe`, `__awct`, … */
  readonly kind: string
  /** Without their prefix `vtp_`; only those that are text. */
  readonly values: Readonly<Record<string, string>>
  /** All of it, as JSON. */
  readonly json: string
  readonly container: string
}

/** A single finding of a detector. */
export interface DetectedFinding {
  readonly topic: TrackingTopic
  readonly value?: string
  readonly domain?: string
  readonly version?: number
  readonly names?: readonly string[]
  readonly evidence: Evidence
}

/** May be interrupted within each code: it may be large. */
export type Detector = (snapshot: PageSnapshot) => Iterable<DetectedFinding | typeof pause>

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

/** Finds what a page, or HTML within a container, loads and runs. */
export function* readSnapshot(
  parts: PageParts,
  place: { readonly url: string; readonly page: string; readonly container?: boolean },
): CooperativeTask<{ readonly loads: LoadedResource[]; readonly codes: PageCode[] }> {
  const loads: LoadedResource[] = []
  const codes: PageCode[] = []
  const origin = place.container ? 'container' : null
  const add = (source: EvidenceSource, list: readonly PageElement[]) => {
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

/** Matches code that sets the address of an element: `element.src = "…"` and `setAttribute("src", "…")`. */
const sourceSet =
  /\.(?:src\s*=|setAttribute\s*\(\s*["']src["']\s*,)\s*["'`]((?:(?:https?:)?\/\/|\/(?!\/)|\.\.?\/)[^"'`\s]{1,500})["'`](?!\s{0,20}(?:\+|\.concat))|\.(?:src\s*=|setAttribute\s*\(\s*["']src["']\s*,)\s*["'`]((?:https?:)?\/\/[^"'`\s]{4,500})["'`]/g
/** Matches imports of a module of the page: `import '/a.js'`, `import a from './a.js'`, `import('/a.js')`. */
const importing =
  /(?<![\w$.])import\s{0,5}(?:\(\s{0,5}|[\w$*{},\s]{1,200}?(?<![\w$])from\s{0,5})?["']((?:https?:\/\/|\/|\.\.?\/)[^"'\s]{1,500})["']/g
const scriptMade = /createElement\s*\(\s*["'`]script["'`]|createElement\s*\(\s*[\w$]{1,3}\s*\)/g

/** @param page the base of relative addresses, wherever the code is */
export function* loadedBy(code: PageCode, page: string): CooperativeTask<LoadedResource[]> {
  const { source, consentBlocked } = code
  const load = (
    excerpt: string,
    address = '',
    isAdded: (url: URL) => boolean = () => true,
  ): LoadedResource[] => {
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

/** Matches of one pattern in a script, and of all patterns together: only a malicious page has more. */
const maxMatches = 500
export const maxMatchesPerScript = 2_000

/** Where a pattern begins in what runs. @param pattern global */
export function* matches(
  code: ParsedCode & { matchesLeft: number },
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
  return name === undefined ? undefined : (yield* getAssignments(code)).texts.get(name)
}

/** Returns the text of the object that was assigned to a name, up to its first closing brace. */
export function* objectText(code: PageCode, name: string): CooperativeTask<string | undefined> {
  const start = (yield* getAssignments(code)).objects.get(name)
  return start === undefined ? undefined : textToBrace(code, start)
}

function* getAssignments(code: PageCode): CooperativeTask<Assignments> {
  code.assignments ??= yield* readAssignments(code)
  return code.assignments
}

/** Only this much of an object's text is read. */
const maxObjectLength = 2_000

/** The text after an opening brace up to the first closing one; undefined if that is too far. */
export function textToBrace({ text }: ParsedCode, start: number): string | undefined {
  const inside = text.slice(start, start + maxObjectLength + 1)
  const end = inside.indexOf('}')
  return end === -1 ? undefined : inside.slice(0, end)
}

/** Whether a host is a domain's or one of its subdomains'. */
export const isOnDomain = ({ hostname }: URL, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`)

/** @param least characters that are shown where the match is shorter */
export const codeEvidence = (code: PageCode, { index, 0: text }: RegExpExecArray, least = 120): Evidence =>
  createEvidence(code, code.url, code.original.slice(index, index + Math.max(text.length, least)))

export const loadEvidence = (load: LoadedResource): Evidence => ({
  ...createEvidence(load, load.url.href, load.excerpt),
  ...(load.request && { phase: load.request.phase }),
})

/** Returns a parameter of a request: from its address, or from a form that it sends. */
export function readParameter({ url, request }: LoadedResource, name: string): string | null {
  const body = request?.body ?? ''
  return (
    url.searchParams.get(name) ?? (/^[\w%.[\]-]+=/.test(body) ? new URLSearchParams(body).get(name) : null)
  )
}

export const tagEvidence = ({ container, json }: TagManagerTag): Evidence =>
  createEvidence({ source: 'container', consentBlocked: false }, container, json)

export function createEvidence(
  { source, consentBlocked }: { readonly source: EvidenceSource; readonly consentBlocked: boolean },
  url: string,
  excerpt: string,
): Evidence {
  const text = excerpt.slice(0, 4 * maxExcerptLength).replace(/[\p{Cc}\s]+/gu, ' ')
  const shown = text.trim().slice(0, maxExcerptLength).toWellFormed()
  return { source, url: url.slice(0, 2_000), excerpt: shown, gated: consentBlocked }
}
