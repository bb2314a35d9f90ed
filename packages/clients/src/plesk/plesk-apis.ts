import type { z } from 'zod'
import { toFetchError } from '../connect/fetch-error.ts'
import { createGuardedConnector, type GuardedConnector } from '../connect/guarded-connector.ts'
import { errorCodeOf } from '../http/error-code.ts'
import { createJsonApi, type JsonApi, parseJsonAs, shortenReason } from '../http/json-api.ts'
import { PleskError, type PleskNode, type PleskSettings } from './plesk.ts'
import { failure } from './schemas.ts'

interface PleskRequest {
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** Creates the JSON APIs of nodes, each with its own connections, key and certificate. */
export function createPleskApis(settings: PleskSettings) {
  const { keys, certificates = {}, timeoutMs = 10_000 } = settings
  const opened = new Map<string, { readonly api: JsonApi; readonly connector: GuardedConnector }>()

  function apiOf({ name, plesk_fqdn }: PleskNode): JsonApi {
    const key = `${name} ${plesk_fqdn}`
    const known = opened.get(key)
    if (known) return known.api
    const apiKey = Object.hasOwn(keys, name) ? keys[name] : undefined
    if (apiKey === undefined)
      throw new PleskError(0, `Plesk on ${name} cannot be asked: PLESK_API_KEYS has no key for it.`)
    const connector = createGuardedConnector({
      ...settings,
      // Nodes may be in private networks.
      allowNetworks: ['0.0.0.0/0', '::/0'],
      fingerprint: Object.hasOwn(certificates, name) ? certificates[name] : undefined,
      connectTimeoutMs: Math.min(timeoutMs, 5_000),
    })
    const api = createJsonApi({
      service: `Plesk on ${name}`,
      Failure: PleskError,
      headers: { 'x-api-key': apiKey },
      connections: 2,
      timeoutMs,
      // A node's list of ten thousand domains has about 4 MB.
      maxResponseBytes: 32 * 1024 * 1024,
      connect: connector.connect,
      describeFailure,
      refuse: ({ status, body }) =>
        new PleskError(status, `Plesk on ${name} ${explainRefusal(status, body)}.`),
    })
    opened.set(key, { api, connector })
    return api
  }

  return {
    /**
     * Returns what the schema makes of the response, or undefined for 404.
     * @param path below `/api/v2/`
     * @throws {PleskError}, the signal's reason if it is aborted, another Error if the client is closed
     */
    async request<T>(node: PleskNode, schema: z.ZodType<T>, path: string, request: PleskRequest) {
      return await apiOf(node).request(schema, { ...request, url: new URL(path, baseUrlOf(node.plesk_fqdn)) })
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map(({ api }) => api.close()))
      for (const { connector } of opened.values()) connector.close()
    },
  }
}

const baseUrlOf = (fqdn: string) => new URL(`https://${fqdn}:8443/api/v2/`)

const selfSigned = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])

const descriptions: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
}

function describeFailure(cause: unknown): string {
  const code = errorCodeOf(cause)
  const advice = selfSigned.has(code) ? ', and PLESK_CERTIFICATES has no fingerprint of it' : ''
  return (descriptions[code] ?? toFetchError(cause, 'header').message) + advice
}

function explainRefusal(status: number, body: string): string {
  if (status === 401)
    return 'does not accept the API key: it was revoked, or is bound to another address. Put a new one into PLESK_API_KEYS'
  if (status === 403) return 'does not let the API key in PLESK_API_KEYS read its domains'
  if (status >= 500) return `is out of order (${status})`
  const reason = shortenReason(parseJsonAs(failure, body)?.message ?? '')
  return reason === '' ? `refuses to answer (${status})` : `refuses to answer: ${reason}`
}
