import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { replaceFile } from '../files.ts'
import { listen, loopback, trackConnections } from '../listen.ts'
import { installFrameworks } from '../nodes/installed-frameworks.ts'
import { listProvisioned } from '../nodes/provisioned-webs.ts'
import { inventoryFile, listDomains, mergeProvisioned, type Subscription } from './domains.ts'
import { createPanelService } from './rest-api.ts'
import { createSelfSigned } from './self-signed.ts'

export type { Subscription } from './domains.ts'

export interface PleskNode {
  readonly name: string
  readonly plesk_fqdn: string
  readonly subscriptions: readonly Subscription[]
}

export type SandboxPlesk = Awaited<ReturnType<typeof startPlesk>>

/**
 * Starts the panels of all nodes on one port. The server name of the TLS handshake and the Host header select the panel.
 * @param nodesFolder has a folder for each node, with the webs that were provisioned there
 */
export async function startPlesk(nodes: readonly PleskNode[], nodesFolder: string, address = loopback) {
  const panels = await Promise.all(
    nodes.map(async ({ name, plesk_fqdn: host, subscriptions }) => {
      const apiKey = randomUUID()
      // For the command line of the node.
      await mkdir(join(nodesFolder, name), { recursive: true, mode: 0o700 })
      await replaceFile(join(nodesFolder, name, inventoryFile), JSON.stringify(subscriptions))
      await installFrameworks(join(nodesFolder, name), subscriptions)
      const serve = createPanelService({
        apiKey,
        listDomains: async () =>
          listDomains(mergeProvisioned(subscriptions, await listProvisioned(join(nodesFolder, name)))),
      })
      return { name, host, apiKey, serve, ...(await createSelfSigned(host)) }
    }),
  )
  const panelsByHost = new Map(panels.map((panel) => [panel.host.toLowerCase(), panel]))
  const server = createServer(
    {
      SNICallback(name, done) {
        const panel = panelsByHost.get(name.toLowerCase())
        if (panel) done(null, panel.context)
        else done(new Error(`There is no node ${name}`))
      },
    },
    (request, response) => {
      const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
      const panel = panelsByHost.get(host)
      if (panel) panel.serve(request, response)
      else response.writeHead(421).end()
    },
  )
  const stop = trackConnections(server)
  const port = await listen(server, address)
  const list = (format: (panel: (typeof panels)[number]) => string) => panels.map(format).join(',')
  return {
    keys: list(({ name, apiKey }) => `${name}=${apiKey}`),
    certificates: list(({ name, fingerprint }) => `${name}=${fingerprint}`),
    connectTo: list(({ host }) => `${host}:8443:${address}:${port}`),
    port,
    stop,
  }
}
