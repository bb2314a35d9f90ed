import {
  type ConsentPhase,
  type Evidence,
  type EvidenceSource,
  maxExcerptLength,
  type TrackingTopic,
} from '@kustos/contract/tracking'
import { type CooperativeTask, each, pause } from './cooperative.ts'
import type { PageElement, PageParts } from './page-parts.ts'
import { type FoundSettings, hasSettings, isLocalized } from './plugin-settings.ts'
import type { ScriptFacts, ScriptLoad, Span } from './scripts/script-facts.ts'
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
  /** The address of the container that adds it. */
  readonly container?: string
  /** Only if a browser requested it. */
  readonly request?: {
    readonly phase: ConsentPhase
    readonly kind: string
    readonly body: string | null
  }
}

/** The source of code that a browser runs, or that a tag manager does. */
export interface CodeSource {
  readonly source: EvidenceSource
  /** The page, script or container that contains it. */
  readonly url: string
  readonly consentBlocked: boolean
  /** The original source, including comments. */
  readonly original: string
  /** Whether its end is missing. */
  readonly isCut: boolean
  /** Whether WordPress wrote it to pass settings to a plugin's script. */
  readonly isLocalized: boolean
}

export interface PageCode extends CodeSource {
  readonly facts: ScriptFacts
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
  /** Whether its container waits for consent, and the tag with it. */
  readonly consentBlocked?: boolean
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
  /fbq|gtag|dataLayer|gtm\.|GTM-|_gaq|['"]UA-|google_conversion|pintrk|uetq|_linkedin_|ttq|_paq|matomo|piwik|_mtm|t3pref|t3pentry|polyfill\.|usercentrics|referr?er|digiaccess/gi

/** Code of a page or a container that adds scripts. */
const adding = /\.src\s{0,5}=|setAttribute|\bimport\b|getScript|\bsrc:/g

/** What may be a host, after a quote or in an address. */
const hostLike = /["'`/]((?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,12})/g
/** Per script; only a hostile one has more. */
const maxHosts = 5_000

/**
 * Whether there is anything in it that a detector looks for, or that loads something.
 * @param isTracker given for scripts of the web: whether a host is worth finding in them
 */
export function* isRelevant(
  { source, original, isLocalized }: CodeSource,
  isTracker?: (host: string) => boolean,
): CooperativeTask<boolean> {
  if (isLocalized || (yield* containsMatch(original, prefilter))) return true
  if (source === 'container') return yield* containsMatch(original, adding)
  if (source === 'inline') return (yield* containsMatch(original, adding)) || (yield* hasSettings(original))
  return (
    isTracker !== undefined &&
    (yield* containsMatch(original, adding)) &&
    (yield* containsHost(original, isTracker))
  )
}

function* containsHost(text: string, isWanted: (host: string) => boolean): CooperativeTask<boolean> {
  const hosts = new Set<string>()
  yield* searchText(text, hostLike, ({ index, 0: { length }, 1: host = '' }) =>
    hosts.add(host).size < maxHosts ? index + length : null,
  )
  let checked = 0
  for (const host of hosts) {
    if (isWanted(host)) return true
    checked += 1
    if (checked % 100 === 0) yield pause
  }
  return false
}

/** Finds what a page, or HTML within a container, loads and runs. */
export function* readSnapshot(
  parts: PageParts,
  place: { readonly url: string; readonly page: string; readonly container?: boolean },
): CooperativeTask<{ readonly loads: LoadedResource[]; readonly sources: CodeSource[] }> {
  const loads: LoadedResource[] = []
  const sources: CodeSource[] = []
  const origin = place.container ? 'container' : null
  const add = (source: EvidenceSource, list: readonly PageElement[]) => {
    for (const { url, attributes, consentBlocked, tag } of list)
      if (url !== null)
        loads.push({
          ...{ source: origin ?? source, url, attributes, consentBlocked, excerpt: tag },
          ...(place.container && { container: place.url }),
        })
  }
  add('script', parts.scripts)
  add('iframe', parts.frames)
  add('image', parts.images)
  add('link', parts.links)
  yield pause
  const source = origin ?? 'inline'
  yield* each(parts.scripts, function* ({ text: original, consentBlocked, attributes }) {
    const code: CodeSource = {
      source,
      url: place.url,
      consentBlocked,
      original,
      isCut: false,
      isLocalized: isLocalized(attributes),
    }
    if (original !== '' && (yield* isRelevant(code))) sources.push(code)
  })
  return { loads, sources }
}

/** @param page the base of relative addresses, wherever the code is */
export function loadedBy(code: PageCode, page: string): LoadedResource[] {
  const { source, consentBlocked, facts } = code
  return facts.loads.flatMap((load) => {
    const url = URL.parse(load.text, page)
    if (url === null || !url.protocol.startsWith('http')) return []
    // What others import is theirs. Containers are read as such.
    if ((load.element === 'module' && source !== 'inline') || isContainer(url)) return []
    const excerpt = excerptAt(code, load)
    return {
      ...{ source, url, attributes: {}, consentBlocked, excerpt, added: isAddedScript(load, url) },
      ...(source === 'container' && { container: code.url }),
    }
  })
}

const isContainer = ({ search }: URL): boolean => /\bGTM-[A-Z0-9]{4,12}\b/.test(search)

const isAddedScript = ({ element, isWhole }: ScriptLoad, { pathname }: URL): boolean =>
  isWhole &&
  (element === 'script' ||
    element === 'module' ||
    (element === 'unknown' && (/\.m?js$/.test(pathname) || !/\.\w{2,5}$/.test(pathname))))

/** Whether a host is a domain's or one of its subdomains'. */
export const isOnDomain = ({ hostname }: URL, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`)

/** @param least characters that are shown where the code at the position is shorter */
export const codeEvidence = (code: PageCode, at: Span, least = 120): Evidence =>
  createEvidence(code, code.url, excerptAt(code, at, least))

const excerptAt = ({ original }: CodeSource, { start, end }: Span, least = 0): string =>
  original.slice(start, Math.min(Math.max(end, start + least), start + 4 * maxExcerptLength))

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

export const tagEvidence = ({ container, json, consentBlocked = false }: TagManagerTag): Evidence =>
  createEvidence({ source: 'container', consentBlocked }, container, json)

/** What containers add to a page that wait for consent themselves waits with them. */
export function blockContainers(snapshot: PageSnapshot, isBlocked: (container: string) => boolean): void {
  snapshot.tags = snapshot.tags.map((tag) =>
    isBlocked(tag.container) ? { ...tag, consentBlocked: true } : tag,
  )
  snapshot.loads = snapshot.loads.map((load) =>
    load.container !== undefined && isBlocked(load.container) ? { ...load, consentBlocked: true } : load,
  )
  snapshot.codes = snapshot.codes.map((code) =>
    code.source === 'container' && isBlocked(code.url) ? { ...code, consentBlocked: true } : code,
  )
}

export function createEvidence(
  { source, consentBlocked }: { readonly source: EvidenceSource; readonly consentBlocked: boolean },
  url: string,
  excerpt: string,
): Evidence {
  const text = excerpt.slice(0, 4 * maxExcerptLength).replace(/[\p{Cc}\s]+/gu, ' ')
  const shown = text.trim().slice(0, maxExcerptLength).toWellFormed()
  return { source, url: url.slice(0, 2_000), excerpt: shown, gated: consentBlocked }
}
