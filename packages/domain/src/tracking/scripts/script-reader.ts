import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { ScriptSource } from './read-script.ts'
import type { ScriptFacts } from './script-facts.ts'

export interface ReaderLimits {
  /** For one script, with the start of the thread. */
  readonly readMs: number
  /** After which an unused thread ends. */
  readonly idleMs: number
  readonly heapMb: number
  /** Of the parser and its recursion. */
  readonly stackMb: number
  /** Scripts whose facts are kept, since many webs have the same ones. */
  readonly cached: number
}

const defaultLimits: ReaderLimits = { readMs: 10_000, idleMs: 60_000, heapMb: 320, stackMb: 8, cached: 300 }

/**
 * Reads scripts in one thread, one after the other. What takes too much time, memory or depth ends the thread; the next
 * script starts another.
 */
export function createScriptReader(limits: ReaderLimits = defaultLimits) {
  const turn = pLimit(1)
  const known = new Map<string, ScriptFacts>()
  let thread: Worker | null = null
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      // Its memory is counted apart from the process's own heap.
      resourceLimits: {
        maxOldGenerationSizeMb: limits.heapMb,
        maxYoungGenerationSizeMb: 16,
        stackSizeMb: limits.stackMb,
      },
    })
    // The caller that waits for its answer handles its error. One that is being ended may still fail, which affects nobody.
    started.on('error', () => undefined)
    started.once('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = thread
    thread = null
    await ended?.terminate()
  }

  /** @returns null if it takes too much */
  async function readInThread(source: ScriptSource, timeoutMs: number, signal?: AbortSignal) {
    clearTimeout(idle)
    thread ??= start()
    const used = thread
    used.ref()
    const { promise, resolve, reject } = Promise.withResolvers<ScriptFacts | null>()
    const timer = setTimeout(() => resolve(null), timeoutMs)
    const exit = () => resolve(null)
    const fail = (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(null) : reject(error)
    const abort = () => reject(signal?.reason)
    let isAnswered = false
    const answer = (facts: ScriptFacts | null) => {
      isAnswered = true
      resolve(facts)
    }
    used.once('message', answer)
    used.once('error', fail)
    used.once('exit', exit)
    signal?.addEventListener('abort', abort, { once: true })
    used.postMessage(source)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      used.off('message', answer)
      used.off('error', fail)
      used.off('exit', exit)
      if (isAnswered) {
        used.unref()
        idle = setTimeout(() => void end(), limits.idleMs).unref()
      } else await end()
    }
  }

  return {
    /**
     * @param remainingMs the time that is left when its turn comes
     * @returns null if it takes too much time or memory, or is nested too deeply
     * @throws the signal's reason
     */
    read(source: ScriptSource, remainingMs: () => number, signal?: AbortSignal): Promise<ScriptFacts | null> {
      return turn(async () => {
        signal?.throwIfAborted()
        const key = createHash('sha256').update(source.text).digest('base64')
        const facts = known.get(key) ?? null
        known.delete(key)
        const timeoutMs = Math.min(limits.readMs, remainingMs())
        const read = facts ?? (timeoutMs <= 0 ? null : await readInThread(source, timeoutMs, signal))
        if (read !== null) known.set(key, read)
        const [oldest] = known.size > limits.cached ? known.keys() : []
        if (oldest !== undefined) known.delete(oldest)
        return read
      })
    },
    end: () => turn(end),
  }
}

/** One per process. */
export const scriptReader = createScriptReader()
