import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Only ASCII host names, because they become part of a path. */
export const isHostName = (text: string): boolean =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text) && !text.includes('..')

/** The paths of a web on its node; `httpdocs` is the git checkout. */
export function webFolder(node: string, fqdn: string) {
  if (!isHostName(fqdn)) throw new Error(`${JSON.stringify(fqdn)} is not a host name`)
  const path = join(resolve(node), 'webs', fqdn)
  return { path, httpdocs: join(path, 'httpdocs'), database: join(path, 'database.sqlite') }
}

/** The folder of a checkout that the web server serves: `public`, as in TYPO3, if there is one. */
export function webRoot(httpdocs: string): string {
  const root = join(httpdocs, 'public')
  return existsSync(root) ? root : httpdocs
}
