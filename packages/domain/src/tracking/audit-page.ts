import type { Browser } from '@kustos/clients/browser'
import type { Fetched, FetchOutcome, Visit } from '@kustos/clients/page'
import { type Message, type MessageArguments, message } from '@kustos/contract/messages'
import type { AuditOutcome, TrackingEngine, TrackingVisit } from '@kustos/contract/tracking'
import pLimit from 'p-limit'
import type { Screenshot } from '../reports/index.ts'
import { listLoads, summarizeVisit } from './browser-visit.ts'
import { collectFindings } from './collect-findings.ts'
import { fetchConsentServices } from './consent-services.ts'
import { type CooperativeTask, runCooperatively } from './cooperative.ts'
import { containersOf } from './detectors/gtm.ts'
import { consentManagersOf } from './detectors/usercentrics.ts'
import type { PageFindings } from './merge-tracking.ts'
import { maxAttributesPerTag, maxParts, type PageParts, parsePage } from './page-parts.ts'
import { emptySnapshot, type LoadedResource, loadedBy, readPageCode, readSnapshot } from './page-snapshot.ts'
import { readPluginSettings } from './plugin-settings.ts'
import { readContainer } from './read-container.ts'
import { maxScripts, selectScripts } from './select-scripts.ts'

/** The findings of an audit, and what it could not check. */
export interface PageAudit extends PageFindings {
  readonly outcome: AuditOutcome
  /** browser: one opened the page as well. */
  readonly engine: TrackingEngine
  /** Null if no browser visited the page. */
  readonly visit: TrackingVisit | null
  readonly problems: readonly Message[]
  /** The version of the browser that visited the page. */
  readonly browser?: string | undefined
  /** Those of the visit, in the order of its phases. */
  readonly screenshots?: readonly Screenshot[]
}

/**
 * Timeouts, and deadlines from the audit's start: for all reading, for the browser, and for what follows it, so that
 * the result can be stored within an inspection's 60 s.
 */
const timeoutsMs = { page: 10_000, script: 5_000, browser: 40_000 }
const deadlinesMs = { reading: 20_000, browser: 50_000, end: 56_000 }
const maxConcurrency = 6
const maxContainers = 5
/** Pages that redirect by a meta element. */
const maxRefreshes = 2
const maxProblems = 20
/** Characters of relevant code, since it is kept in memory. */
const maxCodeLength = 8 * 1024 * 1024

export interface AuditClients {
  readonly visit: Visit
  /** Null if none is configured. */
  readonly browser: Pick<Browser, 'visit'> | null
}

/**
 * Reads a web's first page, its scripts and its Google Tag Manager containers without running them. If there is a
 * browser, it opens the page at the same time, and its requests are evaluated as well. Never rejects for what it finds.
 * @param host in ASCII
 * @throws the signal's reason
 */
export async function auditPage(
  { visit, browser }: AuditClients,
  host: string,
  signal?: AbortSignal,
): Promise<PageAudit> {
  const start = performance.now()
  let end = start + deadlinesMs.reading
  const remainingMs = () => Math.floor((end - performance.now()) / 100) * 100
  const get = (url: string, timeoutMs: number): Promise<FetchOutcome | null> => {
    const deadlineMs = Math.min(timeoutMs, remainingMs())
    return deadlineMs <= 0 ? Promise.resolve(null) : visit.get(url, { deadlineMs, ...(signal && { signal }) })
  }
  const run = <T>(task: CooperativeTask<T>) => runCooperatively(task, signal)
  const first = await openPage(host, (url) => get(url, timeoutsMs.page), run)
  if ('problem' in first) return { ...failed, problems: [first.problem] }

  const { page, parts, cookies } = first
  const problems: Message[] = []
  let complete = true
  const report = (...args: MessageArguments) => {
    problems.push(message(...args))
    complete = false
  }
  /** A problem that hides no tracking. */
  const remark = (...args: MessageArguments) => void problems.push(message(...args))
  if (page.cut) report('page_too_large')
  if (parts.tooMany) report('page_too_many_parts', { max: maxParts })
  if (parts.tooWide) report('page_too_many_attributes', { max: maxAttributesPerTag })
  if (parts.tooDeep) report('page_too_deep')

  const opening = browser?.visit(page.url, {
    deadlineMs: Math.min(timeoutsMs.browser, start + deadlinesMs.browser - performance.now()),
    ...(signal && { signal }),
  })
  const seen = await run(readSnapshot(parts, { url: page.url, page: page.url }))
  const settings = await run(readPluginSettings(parts))
  const snapshot = { ...emptySnapshot(new URL(page.url)), ...seen, settings, cookies }
  const { loads, codes, tags, browserCookies, brokenScripts, consentServices } = snapshot
  let codeLeft = maxCodeLength
  const limit = pLimit(maxConcurrency)
  const readUrls = new Set<string>()

  async function readContainers(): Promise<void> {
    const urls = new Set((await run(containersOf(snapshot))).map(({ url }) => url.href))
    const fresh = [...urls].filter((url) => !readUrls.has(url)).slice(0, maxContainers)
    await Promise.all(fresh.map((url) => limit(() => readOne(url))))
  }

  async function readOne(href: string): Promise<void> {
    readUrls.add(href)
    const url = shorten(href)
    const script = await get(href, timeoutsMs.script)
    const reason = whyUnread(script)
    if (reason !== null) return report('container_unread', { url, reason })
    // A missing container runs nothing.
    if (script?.outcome !== 'fetched' || script.status >= 400) return
    const content = await run(readContainer(script.text, href, page.url))
    if (content === null) return report('container_unread', { url, reason: message('not_a_container') })
    if (content.tooMuch) report('container_too_large', { url })
    tags.push(...content.tags)
    loads.push(...content.loads)
    codes.push(...content.codes)
  }

  async function readScript(
    { url: { href }, consentBlocked }: LoadedResource,
    matters: boolean,
  ): Promise<void> {
    const note = matters ? report : remark
    const url = shorten(href)
    const script = await get(href, timeoutsMs.script)
    const reason = whyUnread(script)
    const isUsable = isScript(script)
    if (!isUsable) brokenScripts.add(href)
    if (reason !== null) return note('script_unread', { url, reason })
    if (!isUsable) return
    if (script.cut) note('script_too_large', { url })
    const { length } = script.text
    if (length > codeLeft) return note('script_unread', { url, reason: message('scripts_too_large') })
    codeLeft -= length
    const code = await run(readPageCode(script.text, { source: 'script', url: href, consentBlocked }))
    if (code === null) {
      codeLeft += length
      return
    }
    codes.push(code)
    loads.push(...(await run(loadedBy(code, page.url))))
  }

  const { selected, skipped } = selectScripts(loads, snapshot.page)
  if (skipped > 0) report('page_too_many_scripts', { max: maxScripts, skipped })
  const scripts = selected.map(({ load, matters }) => limit(() => readScript(load, matters)))
  await Promise.all([readContainers(), ...scripts])
  // Scripts in the order of the page.
  const places = new Map(selected.map(({ load }, index) => [load.url.href, index]))
  codes.sort((a, b) => (places.get(a.url) ?? -1) - (places.get(b.url) ?? -1))
  await readContainers()

  const waitingSince = performance.now()
  const opened = await opening
  // The time for reading does not run while the browser is waited for.
  end = Math.min(end + performance.now() - waitingSince, start + deadlinesMs.end)
  if (opened?.outcome === 'failed') report('browser_page_unread', { reason: opened.reason })
  if (opened?.outcome === 'visited') {
    for (const reason of opened.problems) report('browser_page_unread', { reason })
    loads.push(...listLoads(opened))
    browserCookies.push(...opened.cookies)
    // Those that only a script has added.
    await readContainers()
  }

  const [manager] = await run(consentManagersOf(snapshot))
  if (manager !== undefined) {
    const services = await fetchConsentServices(visit, manager, remainingMs, signal)
    if ('names' in services) consentServices.set(manager.id, services.names)
    else remark('usercentrics_unread', services)
  }
  return {
    outcome: problems.length === 0 ? 'seen' : 'partial',
    engine: opened?.outcome === 'visited' ? 'browser' : 'static',
    browser: opened?.outcome === 'visited' ? opened.browser : undefined,
    visit: opened?.outcome === 'visited' ? await run(summarizeVisit(opened)) : null,
    problems: truncate(problems),
    findings: await run(collectFindings(snapshot)),
    complete,
  }
}

const failed = { outcome: 'failed', engine: 'static', visit: null, findings: [], complete: false } as const

interface OpenedPage {
  readonly page: Fetched
  readonly parts: PageParts
  readonly cookies: readonly string[]
}

async function openPage(
  host: string,
  get: (url: string) => Promise<FetchOutcome | null>,
  run: <T>(task: CooperativeTask<T>) => Promise<T>,
): Promise<OpenedPage | { readonly problem: Message }> {
  let url = `https://${host}/`
  let page = await get(url)
  if (page?.outcome === 'failed' && page.refused) {
    url = `http://${host}/`
    page = await get(url)
  }
  const cookies = new Set<string>()
  for (let refreshes = 0; ; refreshes++) {
    if (page?.outcome !== 'fetched') {
      const reason = page?.reason ?? message('no_time_left')
      return { problem: message('page_unread', { url: shorten(url), reason }) }
    }
    for (const cookie of page.cookies) cookies.add(cookie)
    const { status, contentType } = page
    const opened = shorten(page.url)
    if (status >= 400 || emptyStatuses.has(status))
      return { problem: message('page_error', { url: opened, status }) }
    if (!pageTypes.has(contentType))
      return { problem: message('page_not_html', { url: opened, type: contentType.slice(0, 60) }) }
    const parts = await run(parsePage(page.text, page.url))
    if (parts.refresh === null || parts.refresh === page.url || refreshes === maxRefreshes)
      return { page, parts, cookies: [...cookies] }
    url = parts.refresh
    page = await get(url)
  }
}

/** On these, browsers stay on the page they show. */
const emptyStatuses = new Set([204, 205, 304])
const pageTypes = new Set(['', 'text/html', 'application/xhtml+xml'])

/** Returns null if it was read, or does not exist, which is a property of the page. */
function whyUnread(answer: FetchOutcome | null) {
  if (answer === null) return message('no_time_left')
  if (answer.outcome === 'failed') return answer.reason
  const { status } = answer
  const isRefused = status >= 500 || status === 403 || status === 429
  return isRefused ? message('server_answered', { status }) : null
}

const isScript = (answer: FetchOutcome | null): answer is Fetched =>
  answer?.outcome === 'fetched' &&
  answer.status < 300 &&
  !/^(text\/html|image\/|font\/)/.test(answer.contentType)

const shorten = (url: string) => (url.length > 200 ? `${url.slice(0, 200)}…` : url)

const truncate = (problems: readonly Message[]): readonly Message[] =>
  problems.length <= maxProblems
    ? problems
    : [...problems.slice(0, maxProblems), message('more_problems', { more: problems.length - maxProblems })]
