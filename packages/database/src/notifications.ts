import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { asApplication } from './application-role.ts'

export interface Notifications {
  close(): Promise<void>
}

export interface NotificationOptions {
  readonly channel: string
  readonly onPayload: (payload: string) => void
  /** Told whenever listening begins anew: what was sent while the connection was lost is not repeated. */
  readonly onListening: () => void
  readonly onError: (error: Error) => void
}

const longestPause = 5_000

/** Listens on a channel of Postgres' NOTIFY over a connection of its own, which is made anew whenever it breaks. */
export function openNotifications(url: string, options: NotificationOptions): Notifications {
  const closing = new AbortController()
  let client: pg.Client | undefined

  async function listenOnce(): Promise<void> {
    const current = new pg.Client({
      connectionString: url,
      application_name: 'kustos-notifications',
      options: asApplication,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
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
    for (let pause = 100; !closing.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      const from = Date.now()
      await listenOnce().catch(options.onError)
      if (Date.now() - from > longestPause) pause = 100
      // Rejects when it is closed, which the loop's condition then sees.
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  const listening = keepListening()
  return {
    async close() {
      closing.abort()
      await client?.end().catch(options.onError)
      await listening
    },
  }
}
