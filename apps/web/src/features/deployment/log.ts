import type { LogLine } from '@kustos/contract/deployment'
import { formatTime } from '@kustos/contract/grid'

export interface LogState {
  /** In the order of their numbers, without a gap. */
  readonly lines: readonly LogLine[]
  /** Whether the server has been asked once with success. */
  readonly isLoaded: boolean
  /** Why the last try failed; what was read before stays. */
  readonly error: unknown
}

export interface Log {
  readonly state: () => LogState
  readonly subscribe: (listener: () => void) => () => void
  /** Reads on from the last line held, now or once the reading under way has ended. */
  readonly readOn: () => void
  readonly close: () => void
}

/** Lines arrive many a second; they are read on at most this often, in milliseconds. */
const pace = 300
/** After a failure it is tried again by itself, in milliseconds. */
const retryAfter = 3000

/**
 * A deployment's log that grows. Each reading asks for what follows the last number held, so that no line is missing
 * and none stands twice, whatever was told when.
 * @param read the lines after a number, in their order
 * @param most how many lines an answer has at most: after so many there may be more
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
        timer = setTimeout(readOn, retryAfter)
      })
      .finally(() =>
        setTimeout(() => {
          isReading = false
          if (isAsked) readOn()
        }, pace),
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

/** The time of day of a line, in Europe/Rome. */
export const timeOf = ({ at }: LogLine): string => formatTime(at).slice(-8)

/** A line's number as it is shown. */
export const numberOf = ({ number }: LogLine): string => String(number).padStart(4, '0')

const marks = { out: '', err: 'err: ', note: 'note: ' } as const

/** The log as plain text, a line each, for the clipboard and as a file. */
export const logText = (lines: readonly LogLine[]): string =>
  lines.map((line) => `${numberOf(line)} ${formatTime(line.at)} ${marks[line.source]}${line.text}\n`).join('')
