import { FetchError } from '../connect/fetch-error.ts'
import { createGuardedConnector, type GuardedConnectorSettings } from '../connect/guarded-connector.ts'
import { readErrorCode } from '../http/error-code.ts'
import { createHttpClient, type HttpClient } from '../http/http-client.ts'
import { DeliveryError } from './delivery.ts'

/** Lets a client connect to public and allowed addresses only, since its own comes from users. */
export type DeliveryGuard = Omit<GuardedConnectorSettings, 'fingerprint'>

/**
 * Creates a client that posts messages to a service. Its errors hold no cause, since the address may hold credentials. Redirects
 * are not followed.
 */
export function createDeliveryClient(
  service: string,
  timeoutMs: number,
  guard?: DeliveryGuard,
): Pick<HttpClient, 'request' | 'close'> {
  const connector = guard && createGuardedConnector(guard)
  const http = createHttpClient({
    service,
    createError: (_, sentence) => new DeliveryError(sentence, { isUnanswered: true }),
    connections: 2,
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    maxResponseBytes: 64 * 1024,
    // What was accepted must not be sent again.
    toleratesBrokenBody: true,
    describeFailure: describe,
    ...(connector && { connect: connector.connect }),
  })
  return {
    request: http.request,
    async close() {
      await http.close()
      connector?.close()
    },
  }
}

function describe(cause: unknown): string {
  if (cause instanceof FetchError && cause.failure.code === 'address_private')
    return 'its address is private, and not in PROBE_ALLOW_NETWORKS'
  return readErrorCode(cause) || 'the exchange failed'
}
