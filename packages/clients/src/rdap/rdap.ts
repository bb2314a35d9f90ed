import { createGuardedConnector, type GuardedConnectorSettings } from '../connect/guarded-connector.ts'
import { describeFailure } from '../http/describe-failure.ts'
import { createHttpClient, type FailureOptions, type ServiceFailure } from '../http/http-client.ts'
import type { Message } from '../message.ts'
import type { RdapBootstrap } from './bootstrap.ts'
import { type Registration, readRegistration } from './response.ts'

export { createBootstrap, type RdapBootstrap, readBootstrap } from './bootstrap.ts'
export type { Registration } from './response.ts'

export type RdapFailure =
  | ServiceFailure
  | Message<'rdap_rate_limited' | 'rdap_answer_unreadable' | 'rdap_too_many_redirects', 'server'>
  | Message<'rdap_refused', 'server' | 'status'>

export type RdapResult =
  | { readonly outcome: 'found'; readonly registration: Registration }
  | { readonly outcome: 'not registered' }
  | {
      readonly outcome: 'failed'
      readonly reason: RdapFailure
      /** Null if the server does not say when it may be asked again. */
      readonly retryAfterMs: number | null
    }

/** Looks up registrations of domains at their registries (RFC 9082, 9083). */
export interface Rdap {
  /** The origin of the server for a domain, whose limits hold for all domains there; null if none is known. */
  serverOf(domain: string): string | null
  /**
   * Sends one lookup, and follows a few redirects.
   * @param domain a registrable domain in ASCII
   * @throws the signal's reason if it is aborted, Error if there is no server
   */
  lookUp(domain: string, signal?: AbortSignal): Promise<RdapResult>
  close(): Promise<void>
}

export interface RdapSettings extends Omit<GuardedConnectorSettings, 'fingerprint'> {
  readonly bootstrap: RdapBootstrap
  readonly timeoutMs?: number
}

const maxResponseBytes = 256 * 1024
const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

class RdapError extends Error {
  readonly failure: RdapFailure

  constructor(failure: RdapFailure, options?: ErrorOptions) {
    super(failure.code, options)
    this.failure = failure
  }
}

/** @throws if an allowed network or a name server's address is invalid */
export function openRdap({ bootstrap, timeoutMs = 10_000, ...settings }: RdapSettings): Rdap {
  const connector = createGuardedConnector(settings)
  const http = createHttpClient({
    service: 'RDAP',
    createError: (_, sentence, { cause, codedMessage }: FailureOptions) =>
      new RdapError(
        codedMessage ?? { code: 'service_unreachable', params: { service: 'RDAP', reason: sentence } },
        { cause },
      ),
    describeFailure,
    headers: { accept: 'application/rdap+json, application/json;q=0.9' },
    connections: 1,
    timeoutMs,
    maxResponseBytes,
    connect: connector.connect,
  })

  async function follow(first: URL, domain: string, signal: AbortSignal | undefined): Promise<RdapResult> {
    let url = first
    for (let hops = 0; ; hops++) {
      const { status, headers, body, retryAfterMs } = await http.request({ url, signal })
      const server = url.host
      const next = redirects.has(status) ? httpUrl(headers.location, url) : null
      if (next !== null) {
        if (hops < maxRedirects) {
          url = next
          continue
        }
        return failed({ code: 'rdap_too_many_redirects', params: { server } })
      }
      if (status === 404) return { outcome: 'not registered' }
      if (status === 429) return failed({ code: 'rdap_rate_limited', params: { server } }, retryAfterMs)
      if (status !== 200) return failed({ code: 'rdap_refused', params: { server, status } }, retryAfterMs)
      const registration = readRegistration(body, domain)
      return registration === null
        ? failed({ code: 'rdap_answer_unreadable', params: { server } })
        : { outcome: 'found', registration }
    }
  }

  return {
    serverOf: (domain) => bootstrap(domain)?.origin ?? null,
    async lookUp(domain, signal) {
      const base = bootstrap(domain)
      if (base === null) throw new Error(`There is no RDAP server for ${domain}`)
      try {
        return await follow(new URL(`domain/${encodeURIComponent(domain)}`, base), domain, signal)
      } catch (error) {
        if (!(error instanceof RdapError)) throw error
        return failed(error.failure)
      }
    },
    async close() {
      await http.close()
      connector.close()
    },
  }
}

const failed = (reason: RdapFailure, retryAfterMs: number | null = null): RdapResult => ({
  outcome: 'failed',
  reason,
  retryAfterMs,
})

/** Where a redirect leads; null if that is no HTTP address, or none is given. */
function httpUrl(location: string | string[] | undefined, base: URL): URL | null {
  const url = location === undefined ? null : URL.parse(String(location), base.href)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null
}
