import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToUnicode } from 'node:url'
import { folderSize } from '../files.ts'
import { isHostName, webFolder } from './web-folder.ts'

export const subscriptionFile = 'subscription.json'

export interface ProvisionedWeb {
  /** The ASCII name. */
  readonly host: string
  readonly fqdn: string
  readonly sysuser: string
  /** In bytes. */
  readonly disk_usage: number
}

/** @param node the node's folder */
export async function listProvisioned(node: string): Promise<readonly ProvisionedWeb[]> {
  const hosts = await readdir(join(node, 'webs')).catch(() => [])
  return Promise.all(
    hosts
      .filter((host) => isProvisioned(node, host))
      .map(async (host) => {
        const { path } = webFolder(node, host)
        const subscription: { sysuser: string } = JSON.parse(
          await readFile(join(path, subscriptionFile), 'utf8'),
        )
        return {
          host,
          fqdn: domainToUnicode(host) || host,
          sysuser: subscription.sysuser,
          disk_usage: await folderSize(path),
        }
      }),
  )
}

export const isProvisioned = (node: string, host: string): boolean =>
  isHostName(host) && existsSync(join(webFolder(node, host).path, subscriptionFile))
