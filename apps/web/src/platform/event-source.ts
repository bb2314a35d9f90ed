import { type ChangedEvent, eventLists } from '@kustos/contract/events'
import { isRecord, parseJson } from './storage.ts'

/** The part of EventSource that is used here. */
export interface Source {
  readonly readyState: number
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void
  close(): void
}

export interface StreamListeners {
  readonly onChanged: (event: ChangedEvent) => void
  /** Also called after a reconnect: changes may have been missed. */
  readonly onOpen: () => void
  /** Called when a stream breaks off or is rejected: the server may be down or the session over. */
  readonly onBroken: () => void
}

const closed = 2
const minRetryMs = 1000
const maxRetryMs = 30_000

/**
 * Keeps a stream of events open. The browser reconnects by itself after a break, but not after a response without a
 * stream (401, 503). Those are retried with exponential backoff.
 * @returns a function that closes the stream
 */
export function openEventStream({
  connect,
  onChanged,
  onOpen,
  onBroken,
}: StreamListeners & { readonly connect: () => Source }): () => void {
  let source: Source
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = minRetryMs

  function open() {
    const current = connect()
    let isOpen = false
    source = current
    current.addEventListener('open', () => {
      wait = minRetryMs
      isOpen = true
      onOpen()
    })
    current.addEventListener('changed', ({ data }) => {
      const event = parseJson(data)
      if (isChangedEvent(event)) onChanged(event)
    })
    current.addEventListener('error', () => {
      if (isOpen || current.readyState === closed) onBroken()
      isOpen = false
      if (current.readyState !== closed || timer !== undefined) return
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

/** Whether this build knows the event's list. A newer server or tab may send others. */
export const isChangedEvent = (event: unknown): event is ChangedEvent =>
  isRecord(event) &&
  typeof event.list === 'string' &&
  Object.hasOwn(eventLists, event.list) &&
  (event.id === undefined || Number.isInteger(event.id))
