import { type CooperativeTask, collect, each, pause } from '../cooperative.ts'
import {
  codeEvidence,
  type DetectedFinding,
  type Detector,
  type LoadedResource,
  loadEvidence,
  type PageCode,
  type PageSnapshot,
} from '../page-snapshot.ts'
import { isPlaceholder } from '../placeholders.ts'
import type { ScriptFacts, Span } from '../scripts/script-facts.ts'
import { createSettingsEvidence, maxIdsPerPlugin } from './settings.ts'

/** Google's own host; a container that comes from any other is served by the operator's server. */
const defaultTagHost = 'www.googletagmanager.com'

const id = /^GTM-[A-Z0-9]{4,12}$/
const isId = (value: string): boolean => id.test(value) && !isPlaceholder(value)
const idInText = /\bGTM-[A-Z0-9]{4,12}\b/
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
    const known = read.get(code) ?? snippets(code, page)
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

/**
 * The addresses of the containers that do not wait for consent, also of those that a browser has loaded before it. The frame for browsers
 * without scripts runs none of the tags, so that it says nothing of a container that has a script.
 */
export function openContainers(containers: readonly Container[]): ReadonlySet<string> {
  const isFrame = ({ found }: Container) => found.evidence.source === 'iframe'
  const hasScript = new Set(containers.flatMap((one) => (isFrame(one) ? [] : one.url.href)))
  return new Set(
    containers.flatMap((one) => {
      const { href } = one.url
      return one.found.evidence.gated || (isFrame(one) && hasScript.has(href)) ? [] : href
    }),
  )
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
  // A path with two slashes at its beginning would be an address of its own.
  const script = new URL(url)
  script.pathname = url.pathname.replace(/ns\.html$/, 'gtm.js')
  script.search = ''
  script.hash = ''
  return [container(value, script, loadEvidence(load))]
}

/** By the address of the loader, else by the snippet's first event with a loader of another name. */
function snippets(code: PageCode, page: URL): Container[] {
  const { loads, texts, objects } = code.facts
  const isLoaded = ({ start, end }: Span) => loads.some((load) => load.start <= start && end <= load.end)
  const joined = texts.filter((text) => text.isJoined && !isLoaded(text))
  const containers = [...loads, ...joined].flatMap((one) =>
    /^(?:(?:https?:)?\/\/[a-z0-9.:-]{1,253})?(?:\/[^?]{0,200})?\/gtm\.js\?/i.test(one.text)
      ? toContainer(code, one.text, one, page)
      : [],
  )
  if (containers.length > 0) return containers
  return objects.flatMap((object) => {
    if (!object.fields.has('gtm.start')) return []
    const load = loads.find(({ start }) => start > object.start && start < object.start + 2 * reach)
    return load === undefined ? [] : toContainer(code, load.text, object, page)
  })
}

function toContainer(code: PageCode, address: string, at: Span, page: URL): Container[] {
  const url = URL.parse(address, page.href)
  const value = idInText.exec(url?.search ?? '')?.[0] ?? idAfter(code.facts, at)
  if (url === null || value === undefined || isPlaceholder(value)) return []
  url.search = ''
  return [container(value, url, codeEvidence(code, at))]
}

/** The next id: the snippet's last argument. */
const idAfter = ({ texts }: ScriptFacts, { start }: Span): string | undefined =>
  texts.find((one) => one.start > start && one.start < start + reach && id.test(one.text))?.text

function container(value: string, url: URL, evidence: DetectedFinding['evidence']): Container {
  const script = new URL(url)
  script.searchParams.set('id', value)
  return { id: value, url: script, found: { topic: 'gtm', value, domain: url.hostname, evidence } }
}
