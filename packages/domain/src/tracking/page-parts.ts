import type { PageLink } from '@kustos/clients/browser/choose-pages'
import { type Handler, Parser } from 'htmlparser2'
import { type CooperativeTask, pause } from './cooperative.ts'
import { parseDataUrl } from './data-url.ts'
import { frameSource, imageSource, mediaSources, readStyle } from './element-sources.ts'
import { type Attributes, classifyScript, isConsentBlocked } from './script-kinds.ts'

/** The parts of a page that browsers load and run. */
export type PageParts = ReturnType<typeof noParts>

const noParts = () => ({
  scripts: [] as Script[],
  /** JSON settings that a content management system provides to its scripts. */
  blocks: [] as Script[],
  frames: [] as PageElement[],
  images: [] as PageElement[],
  links: [] as PageElement[],
  /** Links to other pages, as far as they are needed to choose some. */
  anchors: [] as PageLink[],
  /** The target of an immediate redirect by a meta element. */
  refresh: null as string | null,
  /** Whether reading stopped because elements are nested too deeply. */
  tooDeep: false,
  /** The number of parts of all kinds. */
  count: 0,
  /** Whether reading stopped because there are more than `maxParts` parts. */
  tooMany: false,
  /** Whether reading stopped at a tag with more than `maxAttributes` attributes. */
  tooWide: false,
})

export interface PageElement {
  /** Resolved; null without an HTTP address. */
  readonly url: URL | null
  readonly attributes: Attributes
  /** Whether it waits for the visitor's consent. */
  readonly consentBlocked: boolean
  /** Its opening tag, shortened for display. */
  readonly tag: string
}

export interface Script extends PageElement {
  /** Inline code; empty if the script has a source. */
  readonly text: string
}

/** Blink nests at most 512 levels. The cost of each tag grows with the number of open elements. */
const maxDepth = 2_000
export const maxAttributesPerTag = 1_000
/** Documents may be nested (`srcdoc`). */
const maxDocumentDepth = 3
/** Characters between two pauses. Small, because each tag may be compared with all open elements. */
const chunkLength = 8 * 1024
/** Scripts, frames, images and links of a page. */
export const maxParts = 5_000
const maxAnchors = 1_000
const maxAnchorTextLength = 100

/**
 * Reads HTML as browsers do, in time linear in its length. Leaves out what is neither run nor loaded: comments, text,
 * templates and data blocks.
 * @param address base of relative addresses
 */
export function* parsePage(html: string, address: string): CooperativeTask<PageParts> {
  const parts = noParts()
  yield* readDocument(html, address, parts, 0)
  return parts
}

/** Adds the parts of a document and those that it contains. */
function* readDocument(
  html: string,
  address: string,
  parts: PageParts,
  level: number,
): CooperativeTask<void> {
  const { scripts, blocks, frames, images, links } = parts
  const documents: { readonly html: string; readonly base: string }[] = []
  let base = address
  let hasBase = false
  let depth = 0
  let templates = 0
  let noscripts = 0
  let attributesOfTag = 0
  let open: { readonly part: PageElement; readonly isBlock: boolean; text: string[] } | null = null
  let isStopped = false
  /** Of the open style element. */
  let css: string[] | null = null
  /** Whether the open video or audio element is loaded only when it is played. */
  let isDeferred = false
  let anchor: { readonly url: string; text: string } | null = null
  /** Where the current parser began, and where the next one has to. */
  let offset = 0
  let resumeAt = null as number | null
  /** The end of the innermost `noscript`, which is searched once for all elements in it. */
  let noscriptEnd = -1

  const handler: Partial<Handler> = {
    onopentagname() {
      attributesOfTag = 0
    },
    onattribute() {
      attributesOfTag += 1
      if (attributesOfTag <= maxAttributesPerTag) return
      parts.tooWide = true
      stop()
    },
    onopentag(name, attributes) {
      depth += 1
      if (depth > maxDepth) {
        parts.tooDeep = true
        stop()
      }
      if (parts.tooMany) return parser.pause()
      if (name === 'template') templates += 1
      if (name === 'noscript') noscripts += 1
      if (templates > 0) return
      if (name === 'a' && level === 0) anchor = startAnchor(attributes)
      if (noscripts > 0 && textElements.has(name)) skipUnclosed(name)
      if (noscripts === 0) addHandlers(name, attributes)
      if (attributes.style !== undefined) addStyle(attributes.style)
      if (name === 'video' || name === 'audio')
        isDeferred = attributes.preload === 'none' && attributes.autoplay === undefined
      for (const source of mediaSources(name, attributes, isDeferred))
        if (source !== undefined) images.push(createElement(name, attributes, source))
      if (name === 'style' && isStyle(attributes)) css = []
      if (name === 'script') open = noscripts > 0 ? null : startScript(attributes)
      else if (name === 'iframe' && isInlineDocument(attributes)) addDocument(attributes)
      else if (name === 'iframe') frames.push(createFrame(attributes))
      else if (name === 'img') images.push(createElement(name, attributes, imageSource(attributes)))
      else if (name === 'link') links.push(createElement(name, attributes, attributes.href))
      else if (name === 'base' && !hasBase && noscripts === 0) setBase(attributes.href)
      else if (name === 'meta' && level === 0 && noscripts === 0 && isRefresh(attributes))
        parts.refresh ??= parseRefresh(attributes.content ?? '', base)
    },
    ontext(text) {
      open?.text.push(text)
      css?.push(text)
      if (anchor !== null && anchor.text.length < maxAnchorTextLength) anchor.text += text
    },
    onclosetag(name) {
      depth -= 1
      if (name === 'template') templates -= 1
      if (name === 'noscript') noscripts -= 1
      if (name === 'a') anchor = null
      if (name === 'video' || name === 'audio') isDeferred = false
      if (name === 'style' && css !== null) {
        addStyle(css.join(''))
        css = null
      }
      if (name !== 'script' || open === null) return
      const { part, isBlock, text } = open
      // The content of a script with a source does not run.
      if (isBlock) blocks.push({ ...part, text: text.join('') })
      else {
        const source = scriptSource(part.attributes)
        scripts.push({
          ...part,
          text: source === undefined ? text.join('') : (parseDataUrl(source)?.text ?? ''),
        })
      }
      open = null
    },
  }
  let parser = new Parser(handler)

  function stop(): void {
    isStopped = true
    parser.pause()
  }

  /**
   * Browsers that run scripts take the content of `noscript` for text, so that an element in it that is never closed ends with it. The
   * parser would take all that follows for the text of that element.
   */
  function skipUnclosed(name: string): void {
    const from = offset + parser.endIndex
    if (noscriptEnd < from) noscriptEnd = indexOf(html, /<\/noscript/gi, from) ?? html.length
    if (noscriptEnd === html.length) return
    if (new RegExp(`</${name}`, 'i').test(html.slice(from, noscriptEnd))) return
    resumeAt = noscriptEnd
    parser.pause()
  }

  function resume(at: number): void {
    resumeAt = null
    offset = at
    parser = new Parser(handler)
    depth = 0
    noscripts = 0
    open = null
    css = null
    anchor = null
  }

  /** Adds code of attributes such as `onclick="gtag(…)"`. */
  function addHandlers(name: string, attributes: Attributes): void {
    for (const key in attributes) {
      if (key[0] !== 'o' || key[1] !== 'n') continue
      const text = attributes[key] ?? ''
      if (trackingCode.test(text)) scripts.push({ ...createElement(name, {}, undefined), text })
    }
  }

  function addStyle(text: string): void {
    for (const { address, isImport, text: tag } of readStyle(text)) {
      const list = isImport ? links : images
      list.push({ ...createElement('style', isImport ? { rel: 'stylesheet' } : {}, address), tag })
    }
  }

  function setBase(href: string | undefined): void {
    if (href === undefined) return
    hasBase = true
    // Bases other than HTTP addresses are ignored.
    base = httpUrl(href, address)?.href ?? address
  }

  function startScript(attributes: Attributes) {
    const kind = classifyScript(attributes)
    if (kind === null) return null
    const part = createElement('script', attributes, scriptSource(attributes), kind === 'consentBlocked')
    return { part, isBlock: kind === 'settings', text: [] }
  }

  function startAnchor({ href }: Attributes) {
    const url = parts.anchors.length < maxAnchors ? httpUrl(href, base) : null
    if (url === null) return null
    const link = { url: url.href, text: '' }
    parts.anchors.push(link)
    return link
  }

  /** Scripts of an inline document run unless the frame forbids them. */
  function addDocument(attributes: Attributes): void {
    const forbids = attributes.sandbox !== undefined && !/\ballow-scripts\b/i.test(attributes.sandbox)
    if (noscripts === 0 && !forbids && level < maxDocumentDepth)
      documents.push({ html: attributes.srcdoc ?? parseDataUrl(attributes.src)?.text ?? '', base })
  }

  function createFrame(attributes: Attributes): PageElement {
    const { source, consentBlocked } = frameSource(attributes)
    return createElement('iframe', attributes, source, consentBlocked)
  }

  const createElement = (
    name: string,
    attributes: Attributes,
    source?: string,
    consentBlocked = false,
  ): PageElement => {
    parts.count += 1
    parts.tooMany = parts.count >= maxParts
    return { url: httpUrl(source, base), attributes, consentBlocked, tag: formatTag(name, attributes) }
  }

  for (let at = 0; at < html.length && !isStopped && !parts.tooMany; ) {
    parser.write(html.slice(at, at + chunkLength))
    at = resumeAt ?? at + chunkLength
    if (resumeAt !== null) resume(at)
    yield pause
  }
  if (!isStopped) parser.end()
  for (const document of documents)
    if (!parts.tooMany) yield* readDocument(document.html, document.base, parts, level + 1)
}

const isStyle = ({ type = '' }: Attributes): boolean => /^(?:text\/css)?$/i.test(type)

/** Elements whose content is text up to their closing tag. */
const textElements: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
])

/** @param pattern global */
function indexOf(text: string, pattern: RegExp, from: number): number | undefined {
  pattern.lastIndex = from
  return pattern.exec(text)?.index
}

const isRefresh = (attributes: Attributes): boolean => attributes['http-equiv']?.toLowerCase() === 'refresh'

/** Whether the page itself contains the frame's document. */
const isInlineDocument = ({ srcdoc, src }: Attributes): boolean =>
  srcdoc !== undefined || parseDataUrl(src)?.type === 'text/html'

/** Attributes without one of these words are not read. */
const trackingCode = /\b(?:gtag|fbq|ga|_gaq|_paq|pintrk|ttq|uetq|cookie)\b/

const scriptSource = (attributes: Attributes): string | undefined =>
  attributes.src ??
  attributes['data-gtmsrc'] ??
  attributes['uc-src'] ??
  attributes['data-rocket-src'] ??
  attributes['data-pmdelayedscript'] ??
  (attributes.type === 'litespeed/javascript' ? attributes['data-src'] : undefined) ??
  (isConsentBlocked(attributes)
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

function parseRefresh(content: string, base: string): string | null {
  const [, seconds, target] =
    /^\s*(\d{1,3})[.\d]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']{1,2000})/i.exec(content) ?? []
  return Number(seconds) <= 5 ? (httpUrl(target, base)?.href ?? null) : null
}

const maxShownAttributes = 12

function formatTag(name: string, attributes: Attributes): string {
  const pieces = [name]
  // Avoids copying up to `maxAttributes` entries.
  for (const key in attributes) {
    if (pieces.length > maxShownAttributes) break
    const value = attributes[key] ?? ''
    pieces.push(value === '' ? key.slice(0, 60) : `${key.slice(0, 60)}="${value.slice(0, 200)}"`)
  }
  return `<${pieces.join(' ')}>`
}
