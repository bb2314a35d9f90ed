import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the parts of a web lie on its node. */
export interface WebFolder {
  readonly path: string
  /** The checkout. */
  readonly httpdocs: string
  readonly database: string
}

/** Host names in their ASCII form alone: nothing else may become a part of a path. */
export const isHost = (text: string): boolean =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text) && !text.includes('..')

/** @throws Error where it is no host name */
export function webFolder(node: string, fqdn: string): WebFolder {
  if (!isHost(fqdn)) throw new Error(`${JSON.stringify(fqdn)} is no host name`)
  const path = join(resolve(node), 'webs', fqdn)
  return { path, httpdocs: join(path, 'httpdocs'), database: join(path, 'database.sqlite') }
}

/** What a web server shows of a checkout: `public`, as with TYPO3, where there is one. */
export function webRoot(httpdocs: string): string {
  const root = join(httpdocs, 'public')
  return existsSync(root) ? root : httpdocs
}
