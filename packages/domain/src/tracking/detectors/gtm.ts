import { type CooperativeTask, collect, each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  literalValue,
  loadEvidence,
  matches,
  type PageCode,
  type PageSnapshot,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import { createSettingsEvidence, maxIdsPerPlugin } from './settings.ts'

/** Google's own host; a container that comes from any other is served by the operator's server. */
const defaultTagHost = 'www.googletagmanager.com'

const id = /^GTM-[A-Z0-9]{4,12}$/
const isId = (value: string): boolean => id.test(value) && !isPlaceholder(value)
const quotedId = /["'`](GTM-[A-Z0-9]{4,12})["'`]/
/** `'https://host/path/gtm.js?id=' +`, with or without the host. */
const loader = /["'`]((?:https?:)?\/\/[a-z0-9.:-]{1,253})?((?:\/[^"'`?]{0,200})?\/gtm\.js)\?id=["'`$]/gi
/** The snippet with a file of another name. */
const start = /["'`]?gtm\.start["'`]?\s*:/g
const source = /\.src\s*=\s*["'`]((?:(?:https?:)?\/\/[a-z0-9.-]{1,253})?\/[^"'`]{0,200})/i
/** As far as the snippet reaches from its first line to its last argument. */
const reach = 700

export interface Container {
  readonly id: string
  /** Where its script comes from. */
  readonly url: URL
  readonly found: DetectedFinding
}

/** Google Tag Manager's containers, by their scripts, the usual snippet and its frame for browsers without scripts. */
export function* containersOf({ loads, codes, page, settings }: PageSnapshot): CooperativeTask<Container[]> {
  const containers = yield* collect(each(loads, loaded))
  for (const code of codes) {
    yield pause
    const known = read.get(code) ?? (yield* snippets(code, page))
    read.set(code, known)
    containers.push(...known)
  }
  for (const seen of settings) {
    yield pause
    for (const setting of seen.settings.filter(({ value }) => isId(value)).slice(0, maxIdsPerPlugin)) {
      yield pause
      const url = new URL(`https://${defaultTagHost}/gtm.js`)
      containers.push(container(setting.value, url, createSettingsEvidence(seen, setting, page)))
    }
  }
  return containers
}

/** Each is asked for again whenever another container was read. */
const read = new WeakMap<PageCode, readonly Container[]>()

export const gtm: Detector = function* (snapshot) {
  for (const { found, id, url } of yield* containersOf(snapshot)) {
    yield found
    if (url.hostname !== defaultTagHost) yield { ...found, topic: 'sgtmid', value: id }
  }
}

function loaded(load: LoadedResource): Container[] {
  const { url } = load
  const value = url.searchParams.get('id') ?? ''
  const runs = load.source !== 'link' && load.source !== 'image'
  if (!runs || !/\/(gtm\.js|ns\.html)$/.test(url.pathname) || !isId(value)) return []
  const script = new URL(url.pathname.replace(/ns\.html$/, 'gtm.js'), url)
  return [container(value, script, loadEvidence(load))]
}

function* snippets(code: PageCode, page: URL): CooperativeTask<Container[]> {
  const containers: Container[] = []
  for (const match of yield* matches(code, loader)) {
    const url = URL.parse(`${match[1] ?? ''}${match[2]}`, page.href)
    const value = yield* idAfter(code, match.index + match[0].length)
    if (url !== null && value !== undefined) containers.push(container(value, url, codeEvidence(code, match)))
  }
  if (containers.length > 0) return containers
  for (const match of yield* matches(code, start)) {
    const after = code.text.slice(match.index, match.index + 2 * reach)
    const url = URL.parse(source.exec(after)?.[1] ?? '', page.href)
    const value = yield* idAfter(code, match.index)
    if (url !== null && value !== undefined && url.href !== page.href)
      containers.push(container(value, url, codeEvidence(code, match)))
  }
  return containers
}

/** The next id, or the one in what the snippet adds: `'…gtm.js?id=' + containerId`. */
function* idAfter(code: PageCode, from: number): CooperativeTask<string | undefined> {
  const after = code.text.slice(from, from + reach)
  const quoted = quotedId.exec(after)?.[1] ?? /^\W{0,3}(GTM-[A-Z0-9]{4,12})["'`]/.exec(after)?.[1]
  if (quoted !== undefined) return isPlaceholder(quoted) ? undefined : quoted
  const name = /^\s*(?:\+|\.concat\s*\()?\s*\{?\s*([A-Za-z_$][\w$]*)/.exec(after)?.[1]
  const literal = yield* literalValue(code, name)
  return literal !== undefined && isId(literal) ? literal : undefined
}

function container(value: string, url: URL, evidence: DetectedFinding['evidence']): Container {
  const script = new URL(url)
  script.searchParams.set('id', value)
  return { id: value, url: script, found: { topic: 'gtm', value, domain: url.hostname, evidence } }
}
