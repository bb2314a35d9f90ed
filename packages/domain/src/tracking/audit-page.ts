import type { Browser, PhaseScreenshot } from '@kustos/clients/browser'
import { choosePages, isSameSite } from '@kustos/clients/browser/choose-pages'
import type { Dns } from '@kustos/clients/dns'
import type { Fetched, FetchOutcome, Visit } from '@kustos/clients/page'
import { type Message, type MessageArguments, message } from '@kustos/contract/messages'
import {
  type AuditOutcome,
  maxRequestedHosts,
  type TrackingEngine,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import pLimit from 'p-limit'
import {
  createConsentTest,
  defaultPolicy,
  type FoundHost,
  identifyParties,
  type TrackingPolicy,
} from '../third-parties/index.ts'
import { listLoads, summarizeVisit } from './browser-visit.ts'
import { collectFindings } from './collect-findings.ts'
import { fetchConsentServices } from './consent-services.ts'
import { type CooperativeTask, runCooperatively } from './cooperative.ts'
import { containersOf, openContainers } from './detectors/gtm.ts'
import { consentManagersOf } from './detectors/usercentrics.ts'
import { isLoaded, listThirdPartyHosts } from './list-third-party-hosts.ts'
import type { PageFindings } from './merge-tracking.ts'
import { maxAttributesPerTag, maxParts, type PageParts, parsePage } from './page-parts.ts'
import { isBotCheck, pageTypes, shorten, whyUnread } from './page-responses.ts'
import {
  blockContainers,
  type CodeSource,
  emptySnapshot,
  isRelevant,
  type LoadedResource,
  loadedBy,
  readSnapshot,
} from './page-snapshot.ts'
import { readPluginSettings } from './plugin-settings.ts'
import { readContainer } from './read-container.ts'
import { readFurtherPages } from './read-further-pages.ts'
import { scriptReader } from './scripts/script-reader.ts'
import { maxScripts, selectScripts } from './select-scripts.ts'
import { isVendor } from './vendors.ts'
import { problemsOfStops } from './visit-stops.ts'

/** The findings of an audit, and what it could not check. */
export interface PageAudit extends PageFindings {
  readonly outcome: AuditOutcome
  /** The address of the other website to which the page has led. */
  readonly leads_to?: string
  /** browser: one opened the page as well. */
  readonly engine: TrackingEngine
  /** Null if no browser visited the page. */
  readonly visit: TrackingVisit | null
  /** Of the page in the browser, as JPEG. */
  readonly screenshots: readonly PhaseScreenshot[]
  /** Whose hosts the page loads from, by what was read. */
  readonly thirdParties: readonly FoundHost[]
  /** Hosts of the web's own domain behind which a tracking service may be that earlier audits have seen. */
  readonly unresolvedHosts?: readonly string[]
  readonly problems: readonly Message[]
  /** The version of the browser that visited the page. */
  readonly browser?: string | undefined
}

/**
 * Timeouts, and deadlines from the audit's start: for all reading, for the browser, and for what follows it, so that
 * the result can be stored within an inspection's 180 s. The browser's own budget begins when it is an audit's turn; the
 * rest of its time is for the wait.
 */
const timeoutsMs = { page: 10_000, script: 5_000, aliases: 3_000 }
const deadlinesMs = { reading: 20_000, browser: 170_000, end: 176_000 }
const maxConcurrency = 6
const maxContainers = 20
/** Pages that redirect by a meta element. */
const maxRefreshes = 2
const maxProblems = 20
/** Characters of relevant code, since it is kept in memory. */
const maxCodeLength = 8 * 1024 * 1024

export interface AuditClients {
  readonly visit: Visit
  /** Null if none is configured. */
  readonly browser: Pick<Browser, 'visit'> | null
  /** Finds trackers behind names of the web; without it, such names count as the web's own. */
  readonly dns?: Pick<Dns, 'records'>
  /** That of an installation that has not changed it by default. */
  readonly policy?: TrackingPolicy
}

/**
 * Reads a web's first page, its scripts and its Google Tag Manager containers without running them, and a few further pages.
 * If there is a browser, it opens the pages at the same time, and its requests are evaluated as well. Never rejects for what
 * it finds.
 * @param host in ASCII
 * @throws the signal's reason
 */
export async function auditPage(
  { visit, browser, dns, policy = defaultPolicy }: AuditClients,
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

  const { page, parts, cookies, unfollowed } = first
  const problems: Message[] = []
  let complete = true
  const report = (...args: MessageArguments) => {
    problems.push(message(...args))
    complete = false
  }
  const reportAll = (others: readonly Message[]) => {
    problems.push(...others)
    complete &&= others.length === 0
  }
  /** A problem that hides no tracking. */
  const remark = (...args: MessageArguments) => void problems.push(message(...args))
  if (unfollowed !== null)
    report('page_unread', {
      url: shorten(unfollowed),
      reason: message('too_many_redirects', { max: maxRefreshes }),
    })
  if (page.cut) report('page_too_large')
  if (parts.tooMany) report('page_too_many_parts', { max: maxParts })
  if (parts.tooWide) report('page_too_many_attributes', { max: maxAttributesPerTag })
  if (parts.tooDeep) report('page_too_deep')

  const furtherPages = choosePages(page.url, parts.anchors)
  const opening = browser?.visit(page.url, {
    deadlineMs: start + deadlinesMs.browser - performance.now(),
    pages: furtherPages,
    ...(signal && { signal }),
  })
  const seen = await run(readSnapshot(parts, { url: page.url, page: page.url }))
  const snapshot = { ...emptySnapshot(new URL(page.url)), loads: seen.loads, cookies }
  const { loads, codes, tags, settings, browserCookies, brokenScripts, consentServices } = snapshot
  let codeLeft = maxCodeLength
  const limit = pLimit(maxConcurrency)
  const needsConsent = await createConsentTest(policy)
  // What vendors' own trackers are found by is looked for in any case, and links to share a page lead to them.
  const isTracker = (name: string) => !isVendor(name) && needsConsent(name)
  const readUrls = new Set<string>()

  /** Adds what code does and loads. */
  async function readCode(source: CodeSource, note = report): Promise<void> {
    const script = { text: source.original, isCut: source.isCut }
    const facts = await scriptReader.read(script, remainingMs, signal)
    if (facts === null)
      return note('script_unread', { url: shorten(source.url), reason: message('script_too_complex') })
    const code = { ...source, facts }
    codes.push(code)
    loads.push(...loadedBy(code, page.url))
  }

  /** Also those that others add. */
  async function readContainers(): Promise<void> {
    for (;;) {
      const urls = new Set((await run(containersOf(snapshot))).map(({ url }) => url.href))
      const unread = [...urls].filter((url) => !readUrls.has(url))
      const fresh = unread.slice(0, maxContainers - readUrls.size)
      if (fresh.length === 0) return
      await Promise.all(fresh.map((url) => limit(() => readOne(url))))
    }
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
    for (const source of content.sources) await readCode(source)
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
    const code: CodeSource = {
      source: 'script',
      url: href,
      consentBlocked,
      original: script.text,
      isCut: script.cut,
      isLocalized: false,
    }
    if (await run(isRelevant(code, matters ? isTracker : undefined))) await readCode(code, note)
    else codeLeft += length
  }

  for (const source of seen.sources) await readCode(source)
  settings.push(...(await run(readPluginSettings(parts, codes))))

  const { selected, skipped } = selectScripts(loads, snapshot.page)
  if (skipped > 0) report('page_too_many_scripts', { max: maxScripts, skipped })
  const scripts = selected.map(({ load, matters }) => limit(() => readScript(load, matters)))
  const reading = readFurtherPages({ url: page.url, parts }, furtherPages, {
    get: (url) => limit(() => get(url, timeoutsMs.page)),
    run,
  })
  const [further] = await Promise.all([reading, readContainers(), ...scripts])
  loads.push(...further.loads)
  for (const source of further.sources) await readCode(source)
  snapshot.cookies = [...snapshot.cookies, ...further.cookies]
  reportAll(further.problems)
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
    reportAll(problemsOfStops(opened.stops ?? []))
    loads.push(...listLoads(opened))
    browserCookies.push(...opened.stored.filter(({ kind }) => kind === 'cookie'))
    // Those that only a script has added.
    await readContainers()
  }

  const containers = await run(containersOf(snapshot))
  if (containers.some(({ url }) => !readUrls.has(url.href)))
    report('page_too_many_containers', { max: maxContainers })
  const open = openContainers(containers)
  blockContainers(snapshot, (container) => !open.has(container))

  const [manager] = await run(consentManagersOf(snapshot))
  if (manager !== undefined) {
    const services = await fetchConsentServices(visit, manager, remainingMs, signal)
    if ('names' in services) consentServices.set(manager.id, services.names)
    else remark('usercentrics_unread', services)
  }
  const { identify, unresolved } = await identifyParties({
    own: [host, snapshot.page.hostname],
    hosts: loads.filter(isLoaded).map(({ url }) => url.hostname),
    dns,
    timeoutMs: Math.min(timeoutsMs.aliases, remainingMs()),
    signal,
  })
  if (unresolved.length > 0) report('aliases_unread', { hosts: shorten(unresolved.join(', ')) })
  const visited = opened?.outcome === 'visited' ? opened : null
  const summary = visited && (await run(summarizeVisit(visited, { identify, policy })))
  // Phases of which it leaves out hosts are not among those that were collected.
  if (summary?.collected?.length !== visited?.collected.length)
    report('browser_too_many_hosts', { max: maxRequestedHosts })
  // A page may also have gone to about:blank.
  const address = visited?.url.startsWith('http') ? visited.url : page.url
  return {
    outcome: problems.length === 0 ? 'seen' : 'partial',
    ...(!isSameSite(address, `https://${host}/`) && { leads_to: address }),
    engine: visited === null ? 'static' : 'browser',
    browser: visited?.browser,
    visit: summary,
    screenshots: visited?.screenshots ?? [],
    thirdParties: listThirdPartyHosts(loads, identify),
    unresolvedHosts: unresolved,
    problems: truncate(problems),
    findings: await run(collectFindings(snapshot)),
    complete,
  }
}

const failed = {
  outcome: 'failed',
  engine: 'static',
  visit: null,
  screenshots: [],
  thirdParties: [],
  findings: [],
  complete: false,
} as const

interface OpenedPage {
  readonly page: Fetched
  readonly parts: PageParts
  readonly cookies: readonly string[]
  /** Where the page leads after as many redirects as are followed. */
  readonly unfollowed: string | null
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
    if (isBotCheck(page))
      return { problem: message('page_unread', { url: opened, reason: message('bot_check') }) }
    const parts = await run(parsePage(page.text, page.url))
    const next = parts.refresh === page.url ? null : parts.refresh
    if (next === null || refreshes === maxRefreshes)
      return { page, parts, cookies: [...cookies], unfollowed: next }
    url = next
    page = await get(url)
  }
}

/** On these, browsers stay on the page they show. */
const emptyStatuses = new Set([204, 205, 304])

const isScript = (answer: FetchOutcome | null): answer is Fetched =>
  answer?.outcome === 'fetched' &&
  answer.status < 300 &&
  !/^(text\/html|image\/|font\/)/.test(answer.contentType)

const truncate = (problems: readonly Message[]): readonly Message[] =>
  problems.length <= maxProblems
    ? problems
    : [...problems.slice(0, maxProblems), message('more_problems', { more: problems.length - maxProblems })]
