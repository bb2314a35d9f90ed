import { type ChangedEvent, changedEvent } from '@kustos/contract/events'
import { openNotifications } from '@kustos/database/notifications'
import { parseJson } from './parse-json.ts'

export type Events = ReturnType<typeof openEvents>

type Listener = (event: ChangedEvent | 'missed some') => void

/** Distributes the notifications of the database's triggers (drizzle/0003_deployment_events.sql). */
export function openEvents(url: string, onError: (error: Error) => void) {
  const listeners = new Set<Listener>()
  const notify: Listener = (event) => {
    for (const listener of listeners) listener(event)
  }
  const { close } = openNotifications(url, {
    channel: 'kustos',
    onPayload(payload) {
      const event = changedEvent.safeParse(parseJson(payload))
      // Another release may notify of lists that this one does not know, and any program with this database's login of anything.
      if (event.success) notify(event.data)
    },
    onListening: () => notify('missed some'),
    onError,
  })
  return {
    /** @returns how to unsubscribe */
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close,
  }
}
