import type { Browser } from '@kustos/clients/browser'
import type { Fetched, FetchOutcome, Visit } from '@kustos/clients/page'
import type {
  AuditOutcome,
  ConsentPhase,
  Finding,
  TrackingEngine,
  TrackingVisit,
} from '@kustos/contract/tracking'
import pLimit from 'p-limit'
import { loadsOf, visitOf } from './browser-look.ts'
import { consentServicesOf } from './consent-services.ts'
import { readContainer } from './container.ts'
import { collect, runCooperatively } from './cooperative.ts'
import { containersOf } from './detectors/gtm.ts'
import { consentManagersOf } from './detectors/usercentrics.ts'
import { findingsIn } from './findings.ts'
import type { Observed } from './merge.ts'
import { mostAttributes, mostParts, type PageParts, partsOf } from './page-parts.ts'
import {
  type Load,
  loadedBy,
  type PageSnapshot,
  readSnapshot,
  type SeenCode,
  seenCode,
  type Tag,
} from './page-snapshot.ts'
import { chosenScripts, mostScripts } from './scripts.ts'
import { settingsOf } from './settings.ts'

/** What an audit saw, and what it could not see. */
export interface Look extends Observed {
  readonly outcome: AuditOutcome
  /** browser: one opened the page as well. */
  readonly engine: TrackingEngine
  /** What a browser saw; null where none looked. */
  readonly visit: TrackingVisit | null
  /** In sentences. */
  readonly problems: readonly string[]
}

/**
 * In milliseconds: for all of it, for the page, for each script, for the browser; then, counted from
 * the beginning, until that and all is done: what was read is kept where an inspection's 60 s are not over.
 */
const deadlines = { all: 20_000, page: 10_000, script: 5_000, opening: 40_000, browser: 50_000, last: 56_000 }
const maxConcurrency = 6
const mostContainers = 5
/** Pages that send on to another by their own head. */
const mostRefreshes = 2
const mostProblems = 20
/** Characters of code in scripts that name what is looked for: what they cost is memory too. */
const mostCode = 8 * 1024 * 1024

/** What a look is taken with. */
export interface AuditClients {
  readonly visit: Visit
  /** Null where none is configured. */
  readonly browser: Pick<Browser, 'visit'> | null
}

/**
 * Looks at a web's first page as it comes: the page, the scripts that it names, and the containers of Google Tag Manager
 * are read, and nothing of them is run. Where there is a browser, it opens the page meanwhile, and what it asks for is
 * read like the rest. It never rejects for anything that it meets there.
 * @throws the signal's reason
 * @param host in its ASCII form
 */
export async function lookAt(
  { visit, browser }: AuditClients,
  host: string,
  signal?: AbortSignal,
): Promise<Look> {
  const began = performance.now()
  let endsAt = began + deadlines.all
  const left = () => Math.floor((endsAt - performance.now()) / 100) * 100
  const get = (url: string, most: number): Promise<FetchOutcome> => {
    const deadline = Math.min(most, left())
    if (deadline <= 0)
      return Promise.resolve({ outcome: 'unseen', reason: 'there was no time left', refused: false })
    return visit.get(url, { deadline, ...(signal && { signal }) })
  }
  const first = await pageOf(host, (url) => get(url, deadlines.page), signal)
  if ('problem' in first) return { ...unseen, problems: [first.problem] }

  const { page, parts, cookies } = first
  const problems: string[] = []
  let complete = true
  const missed = (sentence: string, matters = true) => {
    problems.push(sentence)
    complete &&= !matters
  }
  if (page.cut) missed('The page is larger than 2 MiB; the rest was not read.')
  if (parts.tooMany)
    missed(`The page has more than ${mostParts} scripts, pictures and links; the rest was not read.`)
  if (parts.tooWide)
    missed(`The page has a tag with more than ${mostAttributes} attributes; the rest was not read.`)
  if (parts.tooDeep) missed('The page is nested too deeply; the rest was not read.')

  const opening = browser?.visit(page.url, {
    deadline: Math.min(deadlines.opening, began + deadlines.browser - performance.now()),
    ...(signal && { signal }),
  })
  const seen = await runCooperatively(readSnapshot(parts, { url: page.url, page: page.url }), signal)
  const settings = await runCooperatively(settingsOf(parts), signal)
  const loads: Load[] = [...seen.loads]
  const codes: SeenCode[] = [...seen.codes]
  const tags: Tag[] = []
  const broken = new Set<string>()
  const consentServices = new Map<string, readonly string[]>()
  const kept: { readonly name: string; readonly phase: ConsentPhase }[] = []
  const snapshot: PageSnapshot = {
    page: new URL(page.url),
    loads,
    codes,
    tags,
    settings,
    cookies,
    kept,
    broken,
    consentServices,
  }
  let codeLeft = mostCode
  const limit = pLimit(maxConcurrency)
  const read = new Set<string>()

  async function readContainers(): Promise<void> {
    const urls = new Set(
      (await runCooperatively(collect(containersOf(snapshot)), signal)).map(({ url }) => url.href),
    )
    const fresh = [...urls].filter((url) => !read.has(url)).slice(0, mostContainers)
    await Promise.all(fresh.map((url) => limit(() => readOne(url))))
  }

  async function readOne(url: string): Promise<void> {
    read.add(url)
    const script = await get(url, deadlines.script)
    const why = whyUnread(script)
    if (why !== null) return missed(`The container ${shown(url)} could not be read: ${why}.`)
    // Where there is none, nothing of it runs.
    if (script.outcome === 'unseen' || script.status >= 400) return
    const content = await runCooperatively(readContainer(script.text, url, page.url), signal)
    if (content === null) return missed(`The container ${shown(url)} could not be read: it is none.`)
    if (content.tooMuch)
      missed(`The container ${shown(url)} says more than any container does; the rest was not read.`)
    tags.push(...content.tags)
    loads.push(...content.loads)
    codes.push(...content.codes)
  }

  async function readScript({ url, gated }: Load, matters: boolean): Promise<void> {
    const script = await get(url.href, deadlines.script)
    const why = whyUnread(script)
    if (!isScript(script)) broken.add(url.href)
    if (why !== null) return missed(`The script ${shown(url.href)} could not be read: ${why}.`, matters)
    if (!isScript(script)) return
    if (script.cut)
      missed(`The script ${shown(url.href)} is larger than 2 MiB; the rest was not read.`, matters)
    const { length } = script.text
    if (length > codeLeft)
      return missed(`The script ${shown(url.href)} could not be read: all together are too large.`, matters)
    codeLeft -= length
    const code = await runCooperatively(
      seenCode(script.text, { source: 'script', url: url.href, gated }),
      signal,
    )
    if (code === null) {
      codeLeft += length
      return
    }
    codes.push(code)
    loads.push(...(await runCooperatively(loadedBy(code, page.url), signal)))
  }

  const { chosen, leftOut } = chosenScripts(loads, snapshot.page)
  if (leftOut > 0)
    missed(`The page has more than ${mostScripts} scripts; ${leftOut} of its own were not looked at.`)
  const scripts = chosen.map(({ load, matters }) => limit(() => readScript(load, matters)))
  await Promise.all([readContainers(), ...scripts])
  // What scripts bring along, in the order in which they stand in the page.
  const places = new Map(chosen.map(({ load }, index) => [load.url.href, index]))
  codes.sort((a, b) => (places.get(a.url) ?? -1) - (places.get(b.url) ?? -1))
  await readContainers()

  const since = performance.now()
  const opened = await opening
  // The browser has a time of its own.
  endsAt = Math.min(endsAt + performance.now() - since, began + deadlines.last)
  if (opened?.outcome === 'unseen') missed(`The page in the browser could not be read: ${opened.reason}.`)
  if (opened?.outcome === 'visited') {
    for (const problem of opened.problems) missed(`The page in the browser could not be read: ${problem}.`)
    loads.push(...loadsOf(opened))
    kept.push(...opened.cookies)
    // Those that only a script has put in.
    await readContainers()
  }

  const [manager] = await runCooperatively(collect(consentManagersOf(snapshot)), signal)
  if (manager !== undefined) {
    const services = await consentServicesOf(visit, manager, left, signal)
    if (services.outcome === 'seen') consentServices.set(manager.id, services.names)
    else missed(`The services of Usercentrics could not be read: ${services.reason}.`, false)
  }
  const findings: Finding[] = await runCooperatively(findingsIn(snapshot), signal)
  return {
    outcome: problems.length === 0 ? 'seen' : 'partial',
    engine: opened?.outcome === 'visited' ? 'browser' : 'static',
    visit: opened?.outcome === 'visited' ? await runCooperatively(visitOf(opened), signal) : null,
    problems: bounded(problems),
    findings,
    complete,
  }
}

const unseen = { outcome: 'failed', engine: 'static', visit: null, findings: [], complete: false } as const

interface Page {
  readonly page: Fetched
  readonly parts: PageParts
  readonly cookies: readonly string[]
}

async function pageOf(
  host: string,
  get: (url: string) => Promise<FetchOutcome>,
  signal: AbortSignal | undefined,
): Promise<Page | { readonly problem: string }> {
  let url = `https://${host}/`
  let page = await get(url)
  if (page.outcome === 'unseen' && page.refused) {
    url = `http://${host}/`
    page = await get(url)
  }
  const cookies = new Set<string>()
  for (let refreshes = 0; ; refreshes++) {
    if (page.outcome === 'unseen') return { problem: `${shown(url)} could not be read: ${page.reason}.` }
    for (const cookie of page.cookies) cookies.add(cookie)
    if (page.status >= 400 || empty.has(page.status))
      return { problem: `${shown(page.url)} answered ${page.status}.` }
    if (!pages.has(page.contentType))
      return {
        problem: `${shown(page.url)} answered with ${page.contentType.slice(0, 60)}, which is no page.`,
      }
    const parts = await runCooperatively(partsOf(page.text, page.url), signal)
    if (parts.refresh === null || parts.refresh === page.url || refreshes === mostRefreshes)
      return { page, parts, cookies: [...cookies] }
    url = parts.refresh
    page = await get(url)
  }
}

/** Answers without a page: browsers stay where they are. */
const empty = new Set([204, 205, 304])
const pages = new Set(['', 'text/html', 'application/xhtml+xml'])

/** Null where it was read, or where there is nothing to read: that is a fact of the page, and not a failure to look. */
function whyUnread(seen: FetchOutcome): string | null {
  if (seen.outcome === 'unseen') return seen.reason
  const refuses = seen.status >= 500 || seen.status === 403 || seen.status === 429
  return refuses ? `the server answered ${seen.status}` : null
}

const isScript = (seen: FetchOutcome): seen is Fetched =>
  seen.outcome === 'fetched' && seen.status < 300 && !/^(text\/html|image\/|font\/)/.test(seen.contentType)

const shown = (url: string) => (url.length > 200 ? `${url.slice(0, 200)}…` : url)

const bounded = (problems: readonly string[]): readonly string[] =>
  problems.length <= mostProblems
    ? problems
    : [...problems.slice(0, mostProblems), `${problems.length - mostProblems} more could not be read.`]
