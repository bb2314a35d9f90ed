import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToUnicode } from 'node:url'
import { isHost, webFolder } from './web-folder.ts'

export const subscriptionFile = 'subscription.json'

/** A web that a node was given room for since the sandbox began. */
export interface Provisioned {
  /** In its ASCII form. */
  readonly host: string
  readonly fqdn: string
  readonly sysuser: string
  /** In bytes. */
  readonly disk_usage: number
}

/**
 * The webs that were provisioned on a node.
 * @param node its folder
 */
export async function provisionedOn(node: string): Promise<readonly Provisioned[]> {
  const hosts = await readdir(join(node, 'webs')).catch(() => [])
  const found = await Promise.all(
    hosts.filter(isHost).map(async (host): Promise<readonly Provisioned[]> => {
      const { path } = webFolder(node, host)
      const text = await readFile(join(path, subscriptionFile), 'utf8').catch(() => null)
      if (text === null) return []
      // As the tool wrote it.
      const { sysuser }: { sysuser: string } = JSON.parse(text)
      return [{ host, fqdn: domainToUnicode(host) || host, sysuser, disk_usage: await sizeOf(path) }]
    }),
  )
  return found.flat()
}

/** Whether a web was provisioned on a node. */
export const isProvisioned = (node: string, host: string): boolean =>
  isHost(host) && existsSync(join(webFolder(node, host).path, subscriptionFile))

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      // What a deployment has just replaced counts for nothing.
      .map(({ parentPath, name }) =>
        stat(join(parentPath, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
