import type { LogLine } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'

export interface LogState {
  readonly lines: readonly LogLine[]
  readonly isLoaded: boolean
  /** Why the last request failed; lines read before are kept. */
  readonly error: unknown
}

export interface Log {
  readonly state: () => LogState
  readonly subscribe: (listener: () => void) => () => void
  /** Reads the next lines, now or after the current request. */
  readonly readOn: () => void
  readonly close: () => void
}

/** Minimum milliseconds between requests, because lines arrive many times a second. */
const requestIntervalMs = 300
/** Milliseconds until a failed request is repeated. */
const retryDelayMs = 3000

/**
 * Reads a growing deployment log. Each request asks for the lines after the last known number, so none is
 * missing or repeated.
 * @param read returns the lines after a number, in order
 * @param most maximum number of lines per answer; more may follow a full one
 */
export function openLog(
  read: (after: number, signal: AbortSignal) => Promise<readonly LogLine[]>,
  most: number,
): Log {
  const listeners = new Set<() => void>()
  const end = new AbortController()
  let state: LogState = { lines: [], isLoaded: false, error: undefined }
  let isReading = false
  let isAsked = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function become(next: LogState) {
    state = next
    for (const listener of listeners) listener()
  }

  async function readAll() {
    for (let isMore = true; isMore && !end.signal.aborted; ) {
      const last = state.lines.at(-1)?.number ?? 0
      const answer = await read(last, end.signal)
      const fresh = answer.filter(({ number }) => number > last)
      isMore = answer.length >= most && fresh.length > 0
      if (fresh.length > 0 || !state.isLoaded || state.error !== undefined)
        become({
          lines: fresh.length === 0 ? state.lines : [...state.lines, ...fresh],
          isLoaded: true,
          error: undefined,
        })
    }
  }

  function readOn() {
    if (end.signal.aborted) return
    if (isReading) {
      isAsked = true
      return
    }
    clearTimeout(timer)
    isReading = true
    isAsked = false
    void readAll()
      .catch((error: unknown) => {
        if (end.signal.aborted) return
        become({ ...state, error })
        timer = setTimeout(readOn, retryDelayMs)
      })
      .finally(() =>
        setTimeout(() => {
          isReading = false
          if (isAsked) readOn()
        }, requestIntervalMs),
      )
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    readOn,
    close() {
      end.abort()
      clearTimeout(timer)
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
