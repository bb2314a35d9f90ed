import { type FurtherPages, isSameSite, missingPageOf } from '@kustos/clients/browser/choose-pages'
import type { FetchOutcome } from '@kustos/clients/page'
import { type Message, message } from '@kustos/contract/messages'
import { type CooperativeTask, pause } from './cooperative.ts'
import { type PageElement, type PageParts, parsePage, type Script } from './page-parts.ts'
import { pageTypes, shorten, whyUnread } from './page-responses.ts'
import { type CodeSource, type LoadedResource, readSnapshot } from './page-snapshot.ts'

interface StartPage {
  /** After redirects. */
  readonly url: string
  readonly parts: PageParts
}

interface ReadingTools {
  readonly get: (url: string) => Promise<FetchOutcome | null>
  readonly run: <T>(task: CooperativeTask<T>) => Promise<T>
}

export interface FurtherReading {
  readonly loads: readonly LoadedResource[]
  readonly sources: readonly CodeSource[]
  /** The names of cookies that the servers set. */
  readonly cookies: readonly string[]
  readonly problems: readonly Message[]
}

/**
 * Reads further pages of a web, and one that does not exist: their HTML and the code in it, as far as the start page does not
 * contain the same. Pages that do not exist, or lead to another site, are none.
 */
export async function readFurtherPages(
  start: StartPage,
  { contact, content }: FurtherPages,
  tools: ReadingTools,
): Promise<FurtherReading> {
  const known = new Set(elementsOf(start.parts).map(keyOf))
  const wanted = [contact, content].filter((url) => url !== undefined)
  const read = await Promise.all([
    ...wanted.map((url) => readPage(url, start, known, tools)),
    // No web has to respond well to this one.
    readPage(missingPageOf(start.url), start, known, tools).then((page) => ({ ...page, problems: [] })),
  ])
  return {
    loads: read.flatMap(({ loads }) => loads),
    sources: read.flatMap(({ sources }) => sources),
    cookies: read.flatMap(({ cookies }) => cookies),
    problems: read.flatMap(({ problems }) => problems),
  }
}

const nothing: FurtherReading = { loads: [], sources: [], cookies: [], problems: [] }

async function readPage(
  address: string,
  start: StartPage,
  known: ReadonlySet<string>,
  { get, run }: ReadingTools,
): Promise<FurtherReading> {
  const problem = (reason: Message) => [message('page_unread', { url: shorten(address), reason })]
  const page = await get(address)
  const reason = whyUnread(page)
  if (reason !== null) return { ...nothing, problems: problem(reason) }
  if (page?.outcome !== 'fetched' || !pageTypes.has(page.contentType) || !isSameSite(page.url, start.url))
    return nothing
  const parts = await run(parsePage(page.text, page.url))
  const isComplete = !page.cut && !parts.tooMany && !parts.tooWide && !parts.tooDeep
  const { loads, sources } = await run(readNewParts(parts, known, page.url))
  const problems = isComplete ? [] : problem(message('page_read_in_part'))
  return { loads, sources, cookies: page.cookies, problems }
}

function* readNewParts(
  parts: PageParts,
  known: ReadonlySet<string>,
  url: string,
): CooperativeTask<{ readonly loads: LoadedResource[]; readonly sources: CodeSource[] }> {
  const isNew = (element: PageElement) => !known.has(keyOf(element))
  const fresh = {
    ...parts,
    scripts: parts.scripts.filter(isNew),
    frames: parts.frames.filter(isNew),
    images: parts.images.filter(isNew),
    links: parts.links.filter(isNew),
  }
  yield pause
  return yield* readSnapshot(fresh, { url, page: url })
}

const elementsOf = ({ scripts, frames, images, links }: PageParts) => [
  ...scripts,
  ...frames,
  ...images,
  ...links,
]

/** What makes two elements load and run the same. */
const keyOf = (element: PageElement | Script): string =>
  `${element.consentBlocked} ${'text' in element && element.text !== '' ? element.text : (element.url?.href ?? element.tag)}`
