import { pause } from '../ease.ts'
import {
  type Detector,
  type Found,
  inCode,
  type Load,
  literalOf,
  matches,
  ofLoad,
  type SeenCode,
} from '../sight.ts'

/** Google's own host; a container that comes from any other is served by the operator's server. */
const googles = 'www.googletagmanager.com'

const id = /^GTM-[A-Z0-9]{4,12}$/
const quotedId = /["'`](GTM-[A-Z0-9]{4,12})["'`]/
/** `'https://host/path/gtm.js?id=' +`, with or without the host. */
const loader = /["'`]((?:https?:)?\/\/[a-z0-9.:-]{1,253})?((?:\/[^"'`?]{0,200})?\/gtm\.js)\?id=["'`$]/gi
/** The snippet in a form whose file is named otherwise. */
const start = /["'`]?gtm\.start["'`]?\s*:/g
const source = /\.src\s*=\s*["'`]((?:(?:https?:)?\/\/[a-z0-9.-]{1,253})?\/[^"'`]{0,200})/i
/** As far as the snippet reaches from its first line to its last argument. */
const reach = 700

export interface Container {
  readonly id: string
  /** Where its script comes from. */
  readonly url: URL
  readonly found: Found
}

/** Google Tag Manager's containers, by their scripts, the usual snippet and its frame for browsers without scripts. */
export function* containersOf({
  loads,
  codes,
  page,
}: Parameters<Detector>[0]): Iterable<Container | typeof pause> {
  for (const load of loads) yield* loaded(load)
  for (const code of codes) {
    yield pause
    const known = read.get(code) ?? snippets(code, page)
    read.set(code, known)
    yield* known
  }
}

/** Each is asked for again whenever another container was read. */
const read = new WeakMap<SeenCode, readonly Container[]>()

export const gtm: Detector = function* (sight) {
  for (const container of containersOf(sight)) {
    if (container === pause) {
      yield pause
      continue
    }
    const { found, id, url } = container
    yield found
    if (url.hostname !== googles) yield { ...found, topic: 'sgtmid', value: id }
  }
}

function loaded(load: Load): Container[] {
  const { url } = load
  const value = url.searchParams.get('id') ?? ''
  const runs = load.source !== 'link' && load.source !== 'image'
  if (!runs || !/\/(gtm\.js|ns\.html)$/.test(url.pathname) || !id.test(value)) return []
  const script = new URL(url.pathname.replace(/ns\.html$/, 'gtm.js'), url)
  return [container(value, script, ofLoad(load))]
}

function snippets(code: SeenCode, page: URL): Container[] {
  const usual = matches(code, loader).flatMap((match) => {
    const url = URL.parse(`${match[1] ?? ''}${match[2]}`, page.href)
    const value = idAfter(code, match.index + match[0].length)
    return url === null || value === undefined ? [] : [container(value, url, inCode(code, match))]
  })
  if (usual.length > 0) return usual
  return matches(code, start).flatMap((match) => {
    const after = code.text.slice(match.index, match.index + 2 * reach)
    const url = URL.parse(source.exec(after)?.[1] ?? '', page.href)
    const value = idAfter(code, match.index)
    return url === null || value === undefined || url.href === page.href
      ? []
      : [container(value, url, inCode(code, match))]
  })
}

/** The next id, or the one in what the snippet adds: `'…gtm.js?id=' + containerId`. */
function idAfter(code: SeenCode, from: number): string | undefined {
  const after = code.text.slice(from, from + reach)
  const quoted = quotedId.exec(after)?.[1] ?? /^\W{0,3}(GTM-[A-Z0-9]{4,12})["'`]/.exec(after)?.[1]
  if (quoted !== undefined) return quoted
  const name = /^\s*(?:\+|\.concat\s*\()?\s*\{?\s*([A-Za-z_$][\w$]*)/.exec(after)?.[1]
  const literal = name === undefined ? undefined : literalOf(code, name)
  return literal !== undefined && id.test(literal) ? literal : undefined
}

function container(value: string, url: URL, evidence: Found['evidence']): Container {
  const script = new URL(url)
  script.searchParams.set('id', value)
  return { id: value, url: script, found: { topic: 'gtm', value, domain: url.hostname, evidence } }
}
