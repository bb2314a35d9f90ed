import pLimit from 'p-limit'
import { abortable } from '../connect/abortable.ts'
import { FetchError } from '../connect/fetch-error.ts'
import { createGuardedConnector } from '../connect/guarded-connector.ts'
import type { Browser, BrowserSettings, Visited, VisitFailed, VisitOptions } from './browser.ts'
import { connectProcess, type Running, startProcess } from './browser-process.ts'
import { type BrowserProtection, listProtections } from './browser-protection.ts'
import type { FurtherPages } from './choose-pages.ts'
import { printPage } from './print-page.ts'
import { toVisitFailure } from './visit-limits.ts'
import { visit } from './visit-page.ts'

const defaultDeadlineMs = 90_000
const defaultBudget = { seconds: 45, megabytes: 100 }
/** With less time left a visit is not begun. */
const minVisitMs = 8_000
const idleTimeoutMs = 60_000
/** From its turn on. */
const printTimeoutMs = 30_000

/**
 * Opens pages in one process of Chromium, which is started on demand, ended when idle, and replaced after some visits and
 * when it has died or hangs. Its visits are repeated then, each in a process of its own.
 * @param launch starts a process
 * @throws if an allowed network or a name server's address is invalid
 */
export function openBrowser(settings: BrowserSettings, launch = launchProcess): Browser {
  const { atOnce = 2, visitsOfProcess = 50, authorities = [] } = settings
  const connector = createGuardedConnector(settings)
  const budget = { ...defaultBudget, ...settings.budget }
  const limit = pLimit(atOnce)
  /** Somebody waits for a document, so that none waits for visits. */
  const printLimit = pLimit(1)
  const closing = new AbortController()
  const open = new Set<Running>()
  let current: Promise<Running> | null = null
  let idle: NodeJS.Timeout | undefined

  const protections = listProtections(settings)
  let reported: BrowserProtection | undefined

  async function start(): Promise<Running> {
    const running = await startProtected()
    open.add(running)
    if (closing.signal.aborted) await end(running)
    return running
  }

  async function startProtected(): Promise<Running> {
    const failures: unknown[] = []
    for (const protection of protections) {
      try {
        const running = await launch(settings, protection)
        if (reported !== protection) settings.onStart?.(protection)
        reported = protection
        return running
      } catch (error) {
        failures.push(error)
      }
    }
    throw failures[0]
  }

  async function end(running: Running): Promise<void> {
    open.delete(running)
    await running.end()
  }

  /** Gives the process to no new visit and ends it once its visits have ended. */
  function retire(running: Running): void {
    const started = current
    void started?.then((one) => {
      if (one === running && current === started) current = null
    })
    if (running.active === 0) void end(running)
  }

  async function acquire(): Promise<Running> {
    clearTimeout(idle)
    current ??= start()
    const asked = current
    let running: Running
    try {
      running = await asked
    } catch (error) {
      if (current === asked) current = null
      throw notStarted(error)
    }
    if (!running.process.isConnected() || running.begun >= visitsOfProcess) {
      if (current === asked) current = null
      if (running.active === 0) void end(running)
      return acquire()
    }
    running.begun += 1
    running.active += 1
    return running
  }

  /** Starts a process that is used for nothing else and ends when it is released. */
  async function acquireOwn(): Promise<Running> {
    const running = await start().catch((error: unknown) => {
      throw notStarted(error)
    })
    running.begun = visitsOfProcess
    running.active = 1
    return running
  }

  /** @throws {FetchError} with the code if it is not there in time */
  async function acquireBy(
    time: number,
    late: 'browser_ended' | 'browser_busy',
    acquired: Promise<Running>,
  ): Promise<Running> {
    const tooLate = new AbortController()
    const leftMs = Math.max(0, time - performance.now())
    const timer = setTimeout(() => tooLate.abort(new FetchError({ code: late })), leftMs)
    try {
      return await abortable(acquired, tooLate.signal)
    } catch (error) {
      // It may come later.
      acquired.then((running) => release(running, false)).catch(() => undefined)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  function release(running: Running, isBroken: boolean): void {
    running.active -= 1
    if (isBroken) {
      retire(running)
      // Its other visits would wait in vain.
      void end(running)
    } else if (running.begun >= visitsOfProcess) retire(running)
    else if (running.active === 0) {
      idle = setTimeout(() => {
        if (running.active === 0) retire(running)
      }, idleTimeoutMs)
      idle.unref()
    }
  }

  async function visitOnce(
    url: string,
    pages: FurtherPages,
    until: number,
    signal: AbortSignal,
    isRetry: boolean,
  ): Promise<Visited | VisitFailed> {
    signal.throwIfAborted()
    const endsAt = isRetry ? until : Math.min(until, performance.now() + budget.seconds * 1_000)
    const startsBy = endsAt - minVisitMs
    const running = await (isRetry
      ? acquireBy(startsBy, 'browser_ended', acquireOwn())
      : acquireBy(startsBy, 'browser_busy', acquire()))
    const result = await visit(running.process, url, {
      link: running.link,
      connector,
      checksCertificates: authorities.length > 0,
      pages,
      maxMegabytes: budget.megabytes,
      endsAt,
      signal,
    })
    // It may also be ending, because another page hangs.
    const hasDied = result.hasDied || !open.has(running)
    release(running, result.isStuck || hasDied)
    const outcome = withVersion(result.outcome, running.process.version())
    if (!hasDied || isRetry || signal.aborted) return outcome
    // Another page may have crashed the process; if this page did, it will do so again.
    const repeated = await visitOnce(url, pages, endsAt, signal, true).catch(failedVisit)
    return repeated.outcome === 'failed' && outcome.outcome === 'visited' ? outcome : repeated
  }

  async function printOnce(html: string, stop: AbortSignal, isRetry: boolean): Promise<Buffer> {
    stop.throwIfAborted()
    const acquired = isRetry ? acquireOwn() : acquire()
    const running = await acquireBy(performance.now() + printTimeoutMs, 'browser_ended', acquired)
    let isStuck = false
    try {
      return await printPage(running.process, html, stop, () => {
        isStuck = true
      })
    } catch (error) {
      // The page of a visit may have ended the process.
      const hasDied = !running.process.isConnected() || !open.has(running)
      if (!hasDied || isRetry) throw error
    } finally {
      // A document that takes too long is not worth the visits of the process.
      release(running, isStuck)
    }
    return printOnce(html, stop, true)
  }

  return {
    async visit(url, { deadlineMs = defaultDeadlineMs, pages = {}, signal }: VisitOptions = {}) {
      const until = performance.now() + deadlineMs
      const stop = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])])
      const late = new AbortController()
      const giveUp = () => late.abort(new FetchError({ code: 'browser_busy' }))
      const waiting = setTimeout(giveUp, Math.max(0, deadlineMs - minVisitMs))
      try {
        const visiting = limit(() => {
          clearTimeout(waiting)
          late.signal.throwIfAborted()
          return visitOnce(url, pages, until, stop, false)
        })
        return await abortable(visiting, AbortSignal.any([stop, late.signal]))
      } catch (error) {
        return { outcome: 'failed', reason: stop.aborted ? { code: 'stopped' } : toVisitFailure(error) }
      } finally {
        clearTimeout(waiting)
      }
    },
    async print(html, signal) {
      const stop = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])])
      const late = new FetchError({ code: 'visit_timed_out' })
      const print = async () => {
        const own = new AbortController()
        const timer = setTimeout(() => own.abort(late), printTimeoutMs)
        try {
          return await printOnce(html, AbortSignal.any([stop, own.signal]), false)
        } finally {
          clearTimeout(timer)
        }
      }
      try {
        return { outcome: 'printed', pdf: await abortable(printLimit(print), stop) }
      } catch (error) {
        return { outcome: 'failed', reason: stop.aborted ? { code: 'stopped' } : toVisitFailure(error) }
      }
    },
    async close() {
      closing.abort()
      clearTimeout(idle)
      await Promise.all([...open].map(end))
      connector.close()
    },
  }
}

const launchProcess = (
  { executable, server }: BrowserSettings,
  protection: BrowserProtection,
): Promise<Running> =>
  server === undefined ? startProcess(executable, protection) : connectProcess(server, executable, protection)

const withVersion = (outcome: Visited | VisitFailed, browser: string): Visited | VisitFailed =>
  outcome.outcome === 'visited' ? { ...outcome, browser } : outcome

const failedVisit = (error: unknown): VisitFailed => ({ outcome: 'failed', reason: toVisitFailure(error) })

const notStarted = (error: unknown) =>
  new FetchError(
    { code: 'browser_not_started', params: { reason: launchFailureOf(error) } },
    { cause: error },
  )

/** Returns the line of Playwright's error that says why the browser does not start. */
function launchFailureOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error))
    .split('\n')
    .map((line) => line.trim())
  const reason = lines.find((line) =>
    /ENOENT|EACCES|ECONNREFUSED|ENOTFOUND|Permission denied|invalid user|setpriv|sandbox|new namespace|error while loading|FATAL|cannot open/i.test(
      line,
    ),
  )
  return (reason ?? lines[0] ?? '').replace(/^\w+\.\w+: /, '').slice(0, 200)
}
