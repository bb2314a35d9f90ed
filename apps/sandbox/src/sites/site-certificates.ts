import { randomBytes } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { isHostName } from '../nodes/web-folder.ts'
import { createCertificate, type HostCertificate } from '../seed/certificates.ts'
import type { CertificateAuthority } from './certificate-authority.ts'

/** A context takes 25 KiB of memory and a certificate 1 KiB; creating them takes 0.4 ms and 3 ms. */
const maxContexts = 250
const maxCertificates = 50_000

/** The `SNICallback` of a TLS server that issues each host's certificate on demand, and again when it is renewed. */
export function createSniCallback(authority: CertificateAuthority) {
  const issued = new Map<string, Promise<{ readonly cert: string; readonly key: string }>>()
  const contexts = new Map<string, SecureContext>()
  // Shared, so that sessions can be resumed after a context was evicted.
  const ticketKeys = randomBytes(48)

  async function createContext(host: string): Promise<SecureContext> {
    if (!isHostName(host)) throw new Error('That is not a host name')
    const wanted = createCertificate(host, new Date(), authority.createdAt)
    if (wanted === null) throw new Error(`${host} has no certificate`)
    const key = cacheKey(wanted)
    const cached = contexts.get(key)
    if (cached !== undefined) return cacheRecent(contexts, key, cached, maxContexts)
    const certificate = cacheRecent(issued, key, issued.get(key) ?? authority.issue(wanted), maxCertificates)
    const context = createSecureContext({ ...(await certificate), ticketKeys })
    return cacheRecent(contexts, key, context, maxContexts)
  }

  return (servername: string, done: (error: Error | null, context?: SecureContext) => void): void => {
    const host = servername.toLowerCase()
    createContext(host).then((context) => done(null, context), done)
  }
}

const cacheKey = ({ name, authority, until }: HostCertificate) => `${name} ${authority} ${until.getTime()}`

/** Makes an entry the most recent one and evicts the least recently used ones. */
function cacheRecent<T>(cache: Map<string, T>, key: string, value: T, maxSize: number): T {
  cache.delete(key)
  cache.set(key, value)
  for (const oldest of cache.keys()) {
    if (cache.size <= maxSize) break
    cache.delete(oldest)
  }
  return value
}
