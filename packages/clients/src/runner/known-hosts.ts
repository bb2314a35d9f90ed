import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A line of a known_hosts file, see "SSH_KNOWN_HOSTS FILE FORMAT" in sshd(8). */
interface KnownHost {
  readonly marker: string | null
  /** Patterns separated by commas, or a hashed name. */
  readonly hosts: string
  readonly type: string
  readonly key: Buffer
}

export type PinnedKeys = ReturnType<typeof pinnedKeys>

/** Reads the keys that a known_hosts file pins for a host; certificate authorities are ignored. */
export function pinnedKeys(knownHosts: string, host: string, port: number) {
  const name = nameOf(host, port)
  const lines = knownHosts
    .split('\n')
    .map(readLine)
    .filter((line) => line !== null)
    .filter(({ hosts }) => matches(hosts, name))
  const pinned = lines.filter(({ marker }) => marker === null)
  const revoked = lines.filter(({ marker }) => marker === '@revoked')
  return {
    /** Such as `ssh-ed25519`. */
    types: [...new Set(pinned.map(({ type }) => type))],
    /** @param key in ssh's wire format */
    check(key: Buffer): 'pinned' | 'changed' | 'unknown' | 'revoked' {
      if (revoked.some((line) => line.key.equals(key))) return 'revoked'
      if (pinned.some((line) => line.key.equals(key))) return 'pinned'
      return pinned.length > 0 ? 'changed' : 'unknown'
    },
  }
}

const nameOf = (host: string, port: number) =>
  port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`

/** @param key its type and base64 */
export const knownHostsLine = (host: string, port: number, key: string): string =>
  `${nameOf(host, port)} ${key}`

/** Formats a key's fingerprint as `ssh-keygen -l` does. @param key in ssh's wire format */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

function readLine(line: string): KnownHost | null {
  const [first = '', ...rest] = line.trim().split(/\s+/)
  if (first === '' || first.startsWith('#')) return null
  const isMarked = first.startsWith('@')
  const [hosts, type, key] = isMarked ? rest : [first, ...rest]
  if (hosts === undefined || type === undefined || key === undefined) return null
  return { marker: isMarked ? first : null, hosts, type, key: Buffer.from(key, 'base64') }
}

function matches(hosts: string, name: string): boolean {
  if (hosts.startsWith('|')) return matchesHash(hosts, name)
  let isMatch = false
  for (const pattern of hosts.toLowerCase().split(',')) {
    const isNegated = pattern.startsWith('!')
    if (!matchesPattern(isNegated ? pattern.slice(1) : pattern, name)) continue
    if (isNegated) return false
    isMatch = true
  }
  return isMatch
}

/** `|1|salt|hash`: an HMAC-SHA1 of the name with the salt as its key, both in base64. */
function matchesHash(hosts: string, name: string): boolean {
  const [, version, salt, hash] = hosts.split('|')
  if (version !== '1' || salt === undefined || hash === undefined) return false
  const expected = Buffer.from(hash, 'base64')
  const actual = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest()
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

const matchesPattern = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(name)
