import { isIPv6 } from 'node:net'
import type { z } from 'zod'
import { createGuardedConnector, type GuardedConnector } from '../connect/guarded-connector.ts'
import { describeFailure } from '../http/describe-failure.ts'
import { readErrorCode } from '../http/error-code.ts'
import type { HttpResponse } from '../http/http-client.ts'
import { createJsonApi, type JsonApi, parseJsonAs, shortenReason } from '../http/json-api.ts'
import { PleskError, type PleskNode, type PleskSettings, pleskError } from './plesk.ts'
import { failure } from './schemas.ts'

interface PleskRequest {
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** Creates the JSON APIs of nodes, each with its own connections, key and certificate. */
export function createPleskApis(settings: PleskSettings) {
  const { keys, certificates = {}, timeoutMs = 10_000 } = settings
  const opened = new Map<string, { readonly api: JsonApi; readonly connector: GuardedConnector }>()

  function apiOf({ name, plesk_fqdn, plesk_port, plesk_key, plesk_certificate }: PleskNode): JsonApi {
    const key = JSON.stringify([name, plesk_fqdn, plesk_port, plesk_key, plesk_certificate])
    const known = opened.get(key)
    if (known) return known.api
    const apiKey = plesk_key ?? (Object.hasOwn(keys, name) ? keys[name] : undefined)
    if (apiKey === undefined) throw pleskError(0, { code: 'plesk_key_missing', params: { node: name } })
    const connector = createGuardedConnector({
      ...settings,
      // Nodes may be in private networks.
      allowNetworks: ['0.0.0.0/0', '::/0'],
      fingerprint: plesk_certificate ?? (Object.hasOwn(certificates, name) ? certificates[name] : undefined),
      connectTimeoutMs: Math.min(timeoutMs, 5_000),
    })
    const api = createJsonApi({
      service: `Plesk on ${name}`,
      serviceName: { code: 'plesk_on', params: { node: name } },
      Failure: PleskError,
      headers: { 'x-api-key': apiKey },
      connections: 2,
      timeoutMs,
      // A node's list of ten thousand domains has about 4 MB.
      maxResponseBytes: 32 * 1024 * 1024,
      connect: connector.connect,
      describeFailure: (cause) =>
        isSelfSigned(cause) ? { code: 'plesk_certificate_unpinned' } : describeFailure(cause),
      refuse: (response) => pleskError(response.status, describeRefusal(name, response)),
    })
    opened.set(key, { api, connector })
    return api
  }

  return {
    /**
     * Returns the parsed response, or undefined for 404.
     * @param path below `/api/v2/`
     * @throws {PleskError}, the signal's reason if it is aborted, another Error if the client is closed
     */
    async request<T>(node: PleskNode, schema: z.ZodType<T>, path: string, request: PleskRequest) {
      return await apiOf(node).request(schema, { ...request, url: new URL(path, baseUrlOf(node)) })
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map(({ api }) => api.close()))
      for (const { connector } of opened.values()) connector.close()
    },
  }
}

const baseUrlOf = ({ plesk_fqdn: host, plesk_port: port }: PleskNode) =>
  new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port ?? 8443}/api/v2/`)

const isSelfSigned = (cause: unknown) => /SELF_SIGNED_CERT/.test(readErrorCode(cause))

function describeRefusal(node: string, { status, body }: HttpResponse): Parameters<typeof pleskError>[1] {
  if (status === 401) return { code: 'plesk_key_refused', params: { node } }
  if (status === 403) return { code: 'plesk_key_restricted', params: { node } }
  if (status >= 500) return { code: 'plesk_out_of_order', params: { node, status } }
  const reason = shortenReason(parseJsonAs(failure, body)?.message ?? '')
  return reason === ''
    ? { code: 'plesk_refused_status', params: { node, status } }
    : { code: 'plesk_refused', params: { node, reason } }
}
