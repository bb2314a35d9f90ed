import { type ChangedEvent, changedEvent } from '@kustos/contract/events'
import { openNotifications } from '@kustos/database/notifications'

export interface Events {
  /** @returns how to unsubscribe */
  subscribe(listener: (event: ChangedEvent | 'missed some') => void): () => void
  close(): Promise<void>
}

/** Distributes the notifications of the database's triggers (drizzle/0003_deployment_events.sql). */
export function openEvents(url: string, onError: (error: Error) => void): Events {
  const listeners = new Set<(event: ChangedEvent | 'missed some') => void>()
  const tell = (event: ChangedEvent | 'missed some') => {
    for (const listener of listeners) listener(event)
  }
  const notifications = openNotifications(url, {
    channel: 'kustos',
    onPayload(payload) {
      const event = changedEvent.safeParse(JSON.parse(payload))
      // Another release may notify of lists that this one does not know.
      if (event.success) tell(event.data)
    },
    onListening: () => tell('missed some'),
    onError,
  })
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => notifications.close(),
  }
}
