import { type ChangedEvent, eventLists } from '@kustos/contract/events'
import { isRecord } from './storage.ts'

/** The part of EventSource that is used. */
export interface Source {
  readonly readyState: number
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void
  close(): void
}

interface Listeners {
  readonly connect: () => Source
  readonly onChanged: (event: ChangedEvent) => void
  /** Called after every connect, because changes were missed while there was no stream. */
  readonly onOpen: () => void
  /** Called when a stream breaks off or is refused: the server may be down or the session over. */
  readonly onBroken: () => void
}

const closed = 2
const minRetryMs = 1000
const maxRetryMs = 30_000

/**
 * Keeps a stream of events open. The browser reconnects by itself after a break, but not after an answer without a stream
 * (401, 503). Such answers are retried with exponential backoff.
 * @returns a function that closes the stream
 */
export function openEventStream({ connect, onChanged, onOpen, onBroken }: Listeners): () => void {
  let source: Source
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = minRetryMs

  function open() {
    const mine = connect()
    let isOpen = false
    source = mine
    mine.addEventListener('open', () => {
      wait = minRetryMs
      isOpen = true
      onOpen()
    })
    mine.addEventListener('changed', ({ data }) => {
      const event = parsed(data)
      if (isChangedEvent(event)) onChanged(event)
    })
    mine.addEventListener('error', () => {
      if (isOpen || mine.readyState === closed) onBroken()
      isOpen = false
      if (mine.readyState !== closed || timer !== undefined) return
      // Jitter, so that not all browsers reconnect at once when the server is back.
      timer = setTimeout(reopen, wait * (0.75 + Math.random() / 2))
      wait = Math.min(maxRetryMs, wait * 2)
    })
  }
  function reopen() {
    timer = undefined
    open()
  }

  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

/** Whether this build knows the list that a message is about. A newer server or tab may send others. */
export const isChangedEvent = (event: unknown): event is ChangedEvent =>
  isRecord(event) &&
  typeof event.list === 'string' &&
  Object.hasOwn(eventLists, event.list) &&
  (event.id === undefined || Number.isInteger(event.id))

function parsed(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
