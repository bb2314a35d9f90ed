import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { asApplication } from './application-role.ts'
import { keepAlive } from './keep-alive.ts'

interface NotificationOptions {
  readonly channel: string
  readonly onPayload: (payload: string) => void
  /** Called after every reconnection. Notifications sent in the meantime are lost. */
  readonly onListening: () => void
  readonly onError: (error: Error) => void
}

const maxPauseMs = 5_000

/** Listens on a channel of NOTIFY over its own connection, and reconnects with backoff. */
export function openNotifications(url: string, options: NotificationOptions) {
  const closing = new AbortController()
  let client: pg.Client | undefined

  async function listenOnce(): Promise<void> {
    const current = new pg.Client({
      connectionString: url,
      application_name: 'kustos-notifications',
      options: asApplication,
      connectionTimeoutMillis: 5_000,
      ...keepAlive,
    })
    const lost = new Promise<void>((resolve) => {
      current.on('end', resolve)
      current.on('error', (error) => {
        options.onError(error)
        resolve()
      })
    })
    client = current
    try {
      await current.connect()
      current.on('notification', ({ payload }) => options.onPayload(payload ?? ''))
      await current.query(`listen ${pg.escapeIdentifier(options.channel)}`)
      options.onListening()
      await lost
    } finally {
      await current.end().catch(options.onError)
    }
  }

  async function keepListening() {
    for (let pauseMs = 100; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const from = Date.now()
      await listenOnce().catch(options.onError)
      if (Date.now() - from > maxPauseMs) pauseMs = 100
      // Rejects on close, which ends the loop.
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  const listening = keepListening()
  return {
    async close(): Promise<void> {
      closing.abort()
      await client?.end().catch(options.onError)
      await listening
    },
  }
}
