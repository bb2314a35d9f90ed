import { createGuardedConnector, type GuardedConnectorSettings } from '../connect/guarded-connector.ts'
import { createHttpClient } from '../http/http-client.ts'

export interface HeartbeatSettings extends Omit<GuardedConnectorSettings, 'fingerprint'> {
  /** Anyone who knows it can send heartbeats, so no error contains it. */
  readonly url: string
  readonly timeoutMs?: number
}

export interface Heartbeat {
  /** @throws Error with a sentence for the operator */
  beat(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Opens a dead-man's switch: a service that raises an alarm when its URL is no longer called. */
export function openHeartbeat({ url, timeoutMs = 5_000, ...settings }: HeartbeatSettings): Heartbeat {
  const connector = createGuardedConnector(settings)
  const http = createHttpClient({
    service: 'The service of HEARTBEAT_URL',
    createError: (_, sentence, options) => new Error(sentence, { cause: options.cause }),
    connections: 1,
    timeoutMs,
    maxResponseBytes: 64 * 1024,
    toleratesBrokenBody: true,
    connect: connector.connect,
  })
  return {
    async beat(signal) {
      const { status } = await http.request({ url: new URL(url), signal })
      if (status >= 300) throw new Error(`The service of HEARTBEAT_URL responded with status ${status}.`)
    },
    async close() {
      await http.close()
      connector.close()
    },
  }
}
