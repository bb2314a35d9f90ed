import { randomBytes } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { isHost } from '../nodes/web-folder.ts'
import { certificateOf, type HostCertificate } from '../seed/certificates.ts'
import type { CertificateAuthority } from './authority.ts'

/** For the `SNICallback` of a TLS server. */
export type ContextOf = (host: string, done: (error: Error | null, context?: SecureContext) => void) => void

/** A context takes 25 KiB, its certificate one; what it costs to make them is 0.4 ms and 3 ms. */
const [mostContexts, mostCertificates] = [250, 50_000]

/** Makes each host's certificate when it is first asked for, and again when the host has renewed it. */
export function certificates(authority: CertificateAuthority): ContextOf {
  const issued = new Map<string, Promise<{ readonly cert: string; readonly key: string }>>()
  const contexts = new Map<string, SecureContext>()
  // The same for all, so that a session is resumed though its context has been forgotten and made again.
  const ticketKeys = randomBytes(48)

  function issue(wanted: HostCertificate) {
    const key = keyOf(wanted)
    const known = issued.get(key) ?? authority.issue(wanted)
    keep(issued, key, known, mostCertificates)
    return known
  }

  async function contextOf(host: string): Promise<SecureContext> {
    const wanted = certificateOf(host, new Date(), authority.since)
    if (wanted === null) throw new Error(`${host} has no certificate`)
    const key = keyOf(wanted)
    const context = contexts.get(key) ?? createSecureContext({ ...(await issue(wanted)), ticketKeys })
    keep(contexts, key, context, mostContexts)
    return context
  }

  return (servername, done) => {
    const host = servername.toLowerCase()
    if (!isHost(host)) return done(new Error('That is no host name'))
    contextOf(host).then(
      (context) => done(null, context),
      (error: Error) => done(error),
    )
  }
}

const keyOf = ({ name, authority, until }: HostCertificate) => `${name} ${authority} ${until.getTime()}`

/** Puts it last, and forgets the first where there are too many: what was used least lately. */
function keep<T>(known: Map<string, T>, key: string, value: T, most: number): void {
  known.delete(key)
  known.set(key, value)
  for (const first of known.keys()) {
    if (known.size <= most) return
    known.delete(first)
  }
}
