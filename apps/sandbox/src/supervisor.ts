import { setTimeout as sleep } from 'node:timers/promises'
import { describeError } from './start-error.ts'

export interface RunningProcess {
  readonly pid: number
  /** Resolves with the reason why it has exited. */
  readonly exited: Promise<string>
  stop(): Promise<void>
}

export interface SupervisedService {
  readonly name: string
  start(): Promise<RunningProcess>
}

export type Supervisor = ReturnType<typeof supervise>

/** After this time a process counts as healthy, and the delay starts again at its minimum. */
const healthyAfterMs = 10_000
const minDelayMs = 100
const maxDelayMs = 15_000

/**
 * Restarts a service whenever it exits, with exponential backoff.
 * @param first the process that is already running
 */
export function supervise(service: SupervisedService, first: RunningProcess, print: (line: string) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  let current: RunningProcess | null = first
  let isRestarting = false

  async function run() {
    let delayMs = minDelayMs
    while (!signal.aborted) {
      const startedAt = Date.now()
      if (current !== null) {
        const reason = await current.exited
        current = null
        if (signal.aborted) return
        if (!isRestarting) print(`${service.name} has exited (${reason}) and is restarted`)
      }
      isRestarting = false
      if (Date.now() - startedAt > healthyAfterMs) delayMs = minDelayMs
      await sleep(delayMs, undefined, { signal }).catch(() => undefined)
      delayMs = Math.min(delayMs * 2, maxDelayMs)
      if (signal.aborted) return
      try {
        current = await service.start()
      } catch (error) {
        print(`${service.name} does not start: ${describeError(error)}`)
      }
      // stop() may have been called while the process was starting.
      if (signal.aborted) await current?.stop()
    }
  }
  const running = run()

  return {
    /** Stops the process, so that another one is started. */
    async restart() {
      isRestarting = current !== null
      await current?.stop()
    },
    async stop() {
      stopping.abort()
      await current?.stop()
      await running
    },
  }
}
