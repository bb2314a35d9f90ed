import { type ChangedEvent, changedEvent } from '@kustos/contract/events'

/** What is needed of the browser's EventSource. */
export interface Source {
  readonly readyState: number
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void
  close(): void
}

interface Listeners {
  readonly connect: () => Source
  readonly onChanged: (event: ChangedEvent) => void
  /** Also after every reconnect: what changed meanwhile was not told. */
  readonly onOpen: () => void
  /** An open stream broke off, or none was given: the server may be away, or know the session no more. */
  readonly onBroken: () => void
}

const closed = 2
const shortestWait = 1000
const longestWait = 30_000

/**
 * Keeps a stream of events open. The browser reconnects by itself after a break, but not after an answer that was no
 * stream (401, 503): then it is tried again, after ever longer waits.
 * @returns how to end it
 */
export function keepOpen({ connect, onChanged, onOpen, onBroken }: Listeners): () => void {
  let source: Source
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = shortestWait

  function open() {
    const mine = connect()
    let isOpen = false
    source = mine
    mine.addEventListener('open', () => {
      wait = shortestWait
      isOpen = true
      onOpen()
    })
    mine.addEventListener('changed', ({ data }) => {
      const event = changedEvent.safeParse(parsed(data))
      // A newer server may tell of lists that this page does not know.
      if (event.success) onChanged(event.data)
    })
    mine.addEventListener('error', () => {
      if (isOpen || mine.readyState === closed) onBroken()
      isOpen = false
      if (mine.readyState !== closed || timer !== undefined) return
      // Not all tabs at once when the server is back.
      timer = setTimeout(reopen, wait * (0.75 + Math.random() / 2))
      wait = Math.min(longestWait, wait * 2)
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

function parsed(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
