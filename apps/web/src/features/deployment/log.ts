import type { LogLine } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'
import { createCoalescer } from '../../platform/coalesce.ts'

export interface LogState {
  readonly lines: readonly LogLine[]
  readonly isLoaded: boolean
  /** Why the last request failed; lines read before are kept. */
  readonly error: unknown
}

/** Minimum milliseconds between requests, because lines arrive many times a second. */
const requestIntervalMs = 300
/** Milliseconds until a failed request is repeated. */
const retryDelayMs = 3000

/**
 * Reads a growing deployment log. Each request asks for the lines after the last known number, so none is
 * missing or repeated.
 * @param read returns the lines after a number, in order
 * @param pageSize maximum number of lines per answer; more may follow a full one
 */
export function openLog(
  read: (after: number, signal: AbortSignal) => Promise<readonly LogLine[]>,
  pageSize: number,
) {
  const listeners = new Set<() => void>()
  const lifetime = new AbortController()
  const limitRate = createCoalescer(requestIntervalMs)
  let state: LogState = { lines: [], isLoaded: false, error: undefined }
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  function setState(next: LogState) {
    state = next
    for (const listener of listeners) listener()
  }

  async function readNewLines() {
    for (let hasMore = true; hasMore && !lifetime.signal.aborted; ) {
      const last = state.lines.at(-1)?.number ?? 0
      const answer = await read(last, lifetime.signal)
      const newLines = answer.filter(({ number }) => number > last)
      hasMore = answer.length >= pageSize && newLines.length > 0
      if (newLines.length > 0 || !state.isLoaded || state.error !== undefined)
        setState({
          lines: newLines.length === 0 ? state.lines : [...state.lines, ...newLines],
          isLoaded: true,
          error: undefined,
        })
    }
  }

  async function readOrRetry() {
    clearTimeout(retryTimer)
    try {
      await readNewLines()
    } catch (error) {
      if (lifetime.signal.aborted) return
      setState({ ...state, error })
      retryTimer = setTimeout(update, retryDelayMs)
    }
  }

  /** Reads the new lines, now or after the current request. */
  const update = () => limitRate('', readOrRetry)

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    update,
    close() {
      lifetime.abort()
      clearTimeout(retryTimer)
    },
  }
}

/** The time of day in Europe/Rome. */
export const timeOf = ({ at }: LogLine): string => formatTime(at).slice(-8)

export const numberOf = ({ number }: LogLine): string => String(number).padStart(4, '0')

const marks = { out: '', err: 'err: ', note: 'note: ' } as const

/** The log as plain text for the clipboard and as a file. */
export const logText = (lines: readonly LogLine[]): string =>
  lines.map((line) => `${numberOf(line)} ${formatTime(line.at)} ${marks[line.source]}${line.text}\n`).join('')
