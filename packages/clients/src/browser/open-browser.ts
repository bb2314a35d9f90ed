import pLimit from 'p-limit'
import { openReach } from '../page/reach.ts'
import { ProbeFailure } from '../probe/failure.ts'
import { within } from '../probe/within.ts'
import { reasonOf } from './bounds.ts'
import type { Browser, BrowserSettings, Unvisited, Visited, Visiting } from './browser.ts'
import { type Running, startProcess } from './running.ts'
import { visit } from './visit.ts'

/** In milliseconds: for a visit, what of it is worth beginning one, until a process that nobody needs is ended. */
const usual = { deadline: 40_000, least: 2_000, idle: 60_000 }

/**
 * Opens pages in one process of Chromium at a time, which is started when it is first needed, replaced after some
 * visits, when it has died and when something in it hangs, and ended when it was idle for a while.
 * @throws where an allowed network or a name server's address is not one
 */
export function openBrowser(settings: BrowserSettings): Browser {
  const { executable, atOnce = 2, visitsOfProcess = 50, authorities = [] } = settings
  const reach = openReach(settings)
  const limit = pLimit(atOnce)
  const closing = new AbortController()
  const open = new Set<Running>()
  let current: Promise<Running> | null = null
  let idle: NodeJS.Timeout | undefined

  async function started(): Promise<Running> {
    const running = await startProcess(executable)
    open.add(running)
    if (closing.signal.aborted) await ended(running)
    return running
  }

  async function ended(running: Running): Promise<void> {
    open.delete(running)
    await running.end()
  }

  /** No new visit gets it; who is in it may finish. */
  function retire(running: Running): void {
    if (current !== null) {
      const then = current
      void then.then((one) => {
        if (one === running && current === then) current = null
      })
    }
    if (running.active === 0) void ended(running)
  }

  async function taken(): Promise<Running> {
    clearTimeout(idle)
    current ??= started()
    const asked = current
    let running: Running
    try {
      running = await asked
    } catch (error) {
      if (current === asked) current = null
      throw new ProbeFailure(`the browser does not start: ${tellingOf(error)}`, { cause: error })
    }
    if (!running.process.isConnected() || running.begun >= visitsOfProcess) {
      if (current === asked) current = null
      if (running.active === 0) void ended(running)
      return taken()
    }
    running.begun += 1
    running.active += 1
    return running
  }

  function given(running: Running, isBroken: boolean): void {
    running.active -= 1
    if (isBroken) {
      retire(running)
      // Whoever else is in it would wait in vain.
      void ended(running)
    } else if (running.begun >= visitsOfProcess) retire(running)
    else if (running.active === 0) {
      idle = setTimeout(() => {
        if (running.active === 0) retire(running)
      }, usual.idle)
      idle.unref()
    }
  }

  async function once(
    url: string,
    until: number,
    signal: AbortSignal,
    isAgain: boolean,
  ): Promise<Visited | Unvisited> {
    signal.throwIfAborted()
    const running = await taken()
    const deadline = Math.floor((until - performance.now()) / 100) * 100
    if (deadline < usual.least) {
      given(running, false)
      throw new ProbeFailure('it was not its turn in time')
    }
    const end = await visit(running.process, url, {
      reach,
      checksCertificates: authorities.length > 0,
      deadline,
      signal,
    })
    given(running, end.isStuck || end.hasDied)
    // Another page may have ended the process; where it was this one, it will do so again.
    return end.hasDied && !isAgain && !signal.aborted ? once(url, until, signal, true) : end.seen
  }

  return {
    async visit(url, { deadline = usual.deadline, signal }: Visiting = {}) {
      const until = performance.now() + deadline
      const stop = new AbortController()
      const stopped = () => stop.abort(new ProbeFailure('stopped'))
      const signals = [closing.signal, ...(signal === undefined ? [] : [signal])]
      for (const one of signals) one.addEventListener('abort', stopped)
      if (signals.some(({ aborted }) => aborted)) stopped()
      try {
        return await within(
          limit(() => once(url, until, stop.signal, false)),
          stop.signal,
        )
      } catch (error) {
        return { outcome: 'unseen', reason: reasonOf(error) }
      } finally {
        for (const one of signals) one.removeEventListener('abort', stopped)
      }
    },
    async close() {
      closing.abort()
      clearTimeout(idle)
      await Promise.all([...open].map(ended))
      reach.close()
    },
  }
}

/** Of what Playwright says when a browser does not start, the line that tells why. */
function tellingOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error))
    .split('\n')
    .map((line) => line.trim())
  const told = lines.find((line) =>
    /ENOENT|EACCES|error while loading|No usable sandbox|FATAL|cannot open/i.test(line),
  )
  return (told ?? lines[0] ?? '').replace(/^\w+\.\w+: /, '').slice(0, 200)
}
