import { eventsPath } from '@kustos/contract/events'
import { isChangedEvent, openEventStream, type StreamListeners } from './event-source.ts'

const opened = 'opened'

/**
 * Listens to the server's events over one stream for all tabs, because browsers open only six connections to a host over
 * HTTP/1.1. The tab that holds the lock opens the stream and broadcasts the events; the next one takes over when it stops
 * or is closed. Without Web Locks, which need a secure context, each tab has its own stream.
 * @param name of the lock and the channel
 * @returns a function that stops listening
 */
export function listenToEvents(name: string, listeners: StreamListeners): () => void {
  const connect = () => new EventSource(eventsPath)
  if (!('locks' in navigator) || navigator.locks === undefined)
    return openEventStream({ connect, ...listeners })

  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }) => {
    if (data === opened) return listeners.onOpen()
    if (isChangedEvent(data)) listeners.onChanged(data)
  })

  function openStream() {
    return openEventStream({
      connect,
      onChanged(event) {
        channel.postMessage(event)
        listeners.onChanged(event)
      },
      onOpen() {
        channel.postMessage(opened)
        listeners.onOpen()
      },
      onBroken: listeners.onBroken,
    })
  }

  const stopping = new AbortController()
  const { signal } = stopping
  const lead = () =>
    new Promise<void>((resolve) => {
      const closeStream = openStream()
      signal.addEventListener('abort', () => {
        closeStream()
        resolve()
      })
    })
  navigator.locks.request(name, { signal }, lead).catch((error) => {
    if (!signal.aborted) throw error
  })
  return () => {
    stopping.abort()
    channel.close()
  }
}
