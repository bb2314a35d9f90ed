import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from './refusal.ts'

/** A process of ours, running. */
export interface Running {
  readonly pid: number
  /** Resolves with how it ended. */
  readonly ended: Promise<string>
  /** Asks it to end and sees to it. */
  stop(): Promise<void>
}

export interface Service {
  readonly name: string
  start(): Promise<Running>
}

export interface Kept {
  /** Ends it, for another one to be started. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A process that lived this long was all right; its end is no reason to wait. In milliseconds. */
const healthy = 10_000
const shortest = 100
const longest = 15_000

/**
 * Keeps a service running: whenever it ends it is started again at once, more and more slowly only where it keeps
 * ending at once.
 *
 * @param first already started
 */
export function keepRunning(service: Service, first: Running, say: (line: string) => void): Kept {
  const stopping = new AbortController()
  let current: Running | null = first
  let wanted = false

  const loop = async () => {
    let delay = shortest
    let running: Running | null = first
    while (!stopping.signal.aborted) {
      const started = Date.now()
      const end = running === null ? null : await running.ended
      current = null
      if (stopping.signal.aborted) return
      if (Date.now() - started > healthy) delay = shortest
      if (!wanted && end !== null) say(`${service.name} has ended (${end}), starting it again`)
      wanted = false
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined)
      delay = Math.min(delay * 2, longest)
      if (stopping.signal.aborted) return
      try {
        running = await service.start()
        current = running
      } catch (error) {
        running = null
        say(`${service.name} does not start: ${reasonOf(error)}`)
      }
      // Whoever stopped us meanwhile knew nothing of it yet.
      if (stopping.signal.aborted) await running?.stop()
    }
  }
  const looping = loop()

  return {
    async restart() {
      wanted = current !== null
      await current?.stop()
    },
    async stop() {
      stopping.abort()
      await current?.stop()
      await looping
    },
  }
}
