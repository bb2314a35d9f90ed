import { Parser } from 'htmlparser2'
import { type CooperativeTask, pause } from './cooperative.ts'
import { dataOf } from './data-url.ts'
import { type Attributes, isGated, kindOf } from './script-kinds.ts'

/** What a page makes its visitors' browsers load and run. */
export interface PageParts {
  readonly scripts: readonly Script[]
  /** What a content management system keeps for its scripts, as JSON. */
  readonly blocks: readonly Script[]
  readonly frames: readonly Part[]
  readonly images: readonly Part[]
  readonly links: readonly Part[]
  /** Where it sends its visitors on at once, by its own head. */
  readonly refresh: string | null
  /** Whether it is nested deeper than any browser bears; what comes after was not read. */
  readonly tooDeep: boolean
  /** Whether it names more than any page does; what comes after was not read. */
  readonly tooMany: boolean
  /** Whether a tag of it has more attributes than any has; it and what comes after were not read. */
  readonly tooWide: boolean
}

export interface Part {
  /** Resolved; null where it has none, or none that could be loaded over HTTP. */
  readonly url: URL | null
  readonly attributes: Attributes
  /** Whether it waits for the visitor's consent. */
  readonly gated: boolean
  /** Its opening tag, for people. */
  readonly tag: string
}

export interface Script extends Part {
  /** Inline code; empty where there is a source. */
  readonly text: string
}

/** Blink nests no deeper than 512; the parser pays for each open element with every tag. */
const deepest = 2_000
/** Attributes of a tag. */
export const maxAttributes = 1_000
/** Documents within documents (`srcdoc`). */
const deepestDocument = 3
/** Characters that are read between two pauses: each of their tags may be looked for among all open elements. */
const piece = 8 * 1024
/** Scripts, frames, pictures and links of a page. */
export const maxParts = 5_000

/**
 * Reads HTML as browsers do. What is not run or loaded does not count: comments, text, what is escaped, templates,
 * data blocks. Linear in the length of the page, whatever it consists of.
 * @param address what its own addresses are relative to
 */
export function* partsOf(html: string, address: string, level = 0): CooperativeTask<PageParts> {
  const scripts: Script[] = []
  const blocks: Script[] = []
  const documents: { readonly html: string; readonly base: string }[] = []
  const frames: Part[] = []
  const images: Part[] = []
  const links: Part[] = []
  let base = address
  let based = false
  let refresh: string | null = null
  let depth = 0
  let templates = 0
  let noscripts = 0
  let tooDeep = false
  let tooWide = false
  let attributesOfTag = 0
  let parts = 0
  let open: { readonly part: Part; readonly isBlock: boolean; text: string[] } | null = null

  const parser = new Parser({
    onopentagname() {
      attributesOfTag = 0
    },
    onattribute() {
      attributesOfTag += 1
      if (attributesOfTag <= maxAttributes) return
      tooWide = true
      parser.pause()
    },
    onopentag(name, attributes) {
      depth += 1
      if (depth > deepest) {
        tooDeep = true
        parser.pause()
      }
      if (parts >= maxParts) return parser.pause()
      if (name === 'template') templates += 1
      if (name === 'noscript') noscripts += 1
      if (templates > 0) return
      if (noscripts === 0) handlersOf(name, attributes)
      if (name === 'script') open = noscripts > 0 ? null : opened(attributes)
      else if (name === 'iframe' && isOwn(attributes)) documentOf(attributes)
      else if (name === 'iframe') frames.push(frameOf(attributes))
      else if (name === 'img') images.push(partOf(name, attributes, attributes.src))
      else if (name === 'link') links.push(partOf(name, attributes, attributes.href))
      else if (name === 'base' && !based) setBase(attributes.href)
      else if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh' && noscripts === 0)
        refresh ??= refreshOf(attributes.content ?? '', base)
    },
    ontext(text) {
      open?.text.push(text)
    },
    onclosetag(name) {
      depth -= 1
      if (name === 'template') templates -= 1
      if (name === 'noscript') noscripts -= 1
      if (name !== 'script' || open === null) return
      const { part, isBlock, text } = open
      // With a source, what stands inside is not run.
      if (isBlock) blocks.push({ ...part, text: text.join('') })
      else {
        const source = sourceOf(part.attributes)
        scripts.push({ ...part, text: source === undefined ? text.join('') : (dataOf(source)?.text ?? '') })
      }
      open = null
    },
  })

  /** Code within attributes: `onclick="gtag(…)"`. */
  function handlersOf(name: string, attributes: Attributes): void {
    for (const key in attributes) {
      if (key[0] !== 'o' || key[1] !== 'n') continue
      const text = attributes[key] ?? ''
      if (tracking.test(text)) scripts.push({ ...partOf(name, {}, undefined), text })
    }
  }

  function setBase(href: string | undefined): void {
    if (href === undefined) return
    based = true
    // One that leads to no server does not count.
    base = httpUrl(href, address)?.href ?? address
  }

  function opened(attributes: Attributes) {
    const kind = kindOf(attributes)
    if (kind === null) return null
    const part = partOf('script', attributes, sourceOf(attributes), kind === 'gated')
    return { part, isBlock: kind === 'settings', text: [] }
  }

  /** What a page writes into a frame itself; its scripts run unless the frame forbids it. */
  function documentOf(attributes: Attributes): void {
    const forbids = attributes.sandbox !== undefined && !/\ballow-scripts\b/i.test(attributes.sandbox)
    if (noscripts === 0 && !forbids && level < deepestDocument)
      documents.push({ html: attributes.srcdoc ?? dataOf(attributes.src)?.text ?? '', base })
  }

  function frameOf(attributes: Attributes): Part {
    const held =
      attributes['uc-src'] ??
      attributes['data-uc-src'] ??
      attributes['data-cookieblock-src'] ??
      attributes['data-cmp-src'] ??
      attributes.suppressedsrc
    return held === undefined
      ? partOf('iframe', attributes, attributes.src)
      : partOf('iframe', attributes, held, true)
  }

  const partOf = (name: string, attributes: Attributes, source: string | undefined, gated = false): Part => {
    parts += 1
    return { url: httpUrl(source, base), attributes, gated, tag: tagOf(name, attributes) }
  }

  for (let at = 0; at < html.length && !tooDeep && !tooWide && parts < maxParts; at += piece) {
    parser.write(html.slice(at, at + piece))
    yield pause
  }
  if (!tooDeep && !tooWide) parser.end()
  for (const document of documents) {
    if (parts >= maxParts) break
    const inner = yield* partsOf(document.html, document.base, level + 1)
    scripts.push(...inner.scripts)
    blocks.push(...inner.blocks)
    frames.push(...inner.frames)
    images.push(...inner.images)
    links.push(...inner.links)
    parts += inner.scripts.length + inner.frames.length + inner.images.length + inner.links.length
    tooDeep ||= inner.tooDeep
    tooWide ||= inner.tooWide
  }
  return { scripts, blocks, frames, images, links, refresh, tooDeep, tooMany: parts >= maxParts, tooWide }
}

/** Whether what a frame shows stands in the page. */
const isOwn = ({ srcdoc, src }: Attributes): boolean =>
  srcdoc !== undefined || dataOf(src)?.type === 'text/html'

/** Of all that is said in attributes, what is worth reading. */
const tracking = /\b(?:gtag|fbq|ga|_gaq|_paq|pintrk|ttq|uetq|cookie)\b/

const sourceOf = (attributes: Attributes): string | undefined =>
  attributes.src ??
  attributes['data-gtmsrc'] ??
  attributes['uc-src'] ??
  attributes['data-rocket-src'] ??
  (isGated(attributes)
    ? (attributes['data-src'] ??
      attributes['data-cmp-src'] ??
      attributes['data-suppressedsrc'] ??
      attributes.suppressedsrc)
    : undefined)

function httpUrl(source: string | undefined, base: string): URL | null {
  if (source === undefined || source.trim() === '') return null
  const url = URL.parse(source.trim(), base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null
}

function refreshOf(content: string, base: string): string | null {
  const [, seconds, target] =
    /^\s*(\d{1,3})[.\d]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']{1,2000})/i.exec(content) ?? []
  return Number(seconds) <= 5 ? (httpUrl(target, base)?.href ?? null) : null
}

/** Attributes of a tag that are shown. */
const mostShown = 12

function tagOf(name: string, attributes: Attributes): string {
  const written = [name]
  // A tag may have a hundred thousand of them.
  for (const key in attributes) {
    if (written.length > mostShown) break
    const value = attributes[key] ?? ''
    written.push(value === '' ? key.slice(0, 60) : `${key.slice(0, 60)}="${value.slice(0, 200)}"`)
  }
  return `<${written.join(' ')}>`
}
