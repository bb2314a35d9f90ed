import { readErrorCode } from '../http/error-code.ts'
import { createHttpClient, type HttpClient } from '../http/http-client.ts'
import { DeliveryError } from './delivery.ts'

/** Creates a client that posts messages to a service. Its errors hold no cause, since the address may hold credentials. */
export const createDeliveryClient = (service: string, timeoutMs: number): HttpClient =>
  createHttpClient({
    service,
    createError: (_, sentence) => new DeliveryError(sentence),
    connections: 2,
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    maxResponseBytes: 64 * 1024,
    describeFailure: (cause) => readErrorCode(cause) || 'the exchange failed',
  })
