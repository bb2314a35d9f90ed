import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Configuration } from './configuration/index.ts'

/** The names under which clients reach this server, as configured. */
export const configuredHosts = ({
  PUBLIC_URL: url,
  ALLOWED_HOSTS: names,
}: Pick<Configuration, 'PUBLIC_URL' | 'ALLOWED_HOSTS'>): string[] => [
  ...(url === undefined ? [] : [new URL(url).hostname]),
  ...names,
]

/**
 * Returns a function that checks a Host header. A page of an attacker cannot make browsers send the configured names,
 * `localhost`, this machine's name or an address as the host of another server (DNS rebinding), so these are accepted,
 * with any port.
 */
export function createHostFilter(names: readonly string[]): (host: string) => boolean {
  const known = new Set(['localhost', hostname(), ...names].map((name) => name.toLowerCase()))
  return (host) => {
    const [, address, name] = /^(?:\[([\d.:a-f]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host) ?? []
    if (address !== undefined) return isIP(address) === 6
    if (name === undefined) return false
    const plain = name.toLowerCase().replace(/\.$/, '')
    return known.has(plain) || plain.endsWith('.localhost') || isIP(plain) === 4
  }
}
