import { randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { closing, listen, loopback } from '../listening.ts'
import { provisionedOn } from '../nodes/provisioned.ts'
import { selfSigned } from './certificate.ts'
import { domainsOf, type HostedSubscription, subscriptionsOf } from './domains.ts'
import { service } from './service.ts'

export type { HostedSubscription } from './domains.ts'

export interface PanelNode {
  readonly name: string
  readonly plesk_fqdn: string
  readonly subscriptions: readonly HostedSubscription[]
}

export interface SandboxPlesk {
  /** For PLESK_API_KEYS; others at every start. */
  readonly keys: string
  /** For PLESK_CERTIFICATES. */
  readonly certificates: string
  /** For CONNECT_TO. */
  readonly connectTo: string
  readonly port: number
  stop(): Promise<void>
}

/**
 * Starts the panels of all nodes on one port of loopback, each with a certificate of its own making: who is meant says
 * the name in the handshake, and the Host header. `PUT /_sandbox/health/<mode>` makes one of them ill.
 * @param nodesFolder holds a folder for each node; what is provisioned there has a subscription too
 */
export async function startPlesk(nodes: readonly PanelNode[], nodesFolder: string): Promise<SandboxPlesk> {
  const panels = await Promise.all(
    nodes.map(async ({ name, plesk_fqdn: host, subscriptions }) => {
      const domains = async () =>
        domainsOf(subscriptionsOf(subscriptions, await provisionedOn(join(nodesFolder, name))))
      const panel = { host, key: randomUUID(), domains }
      return { name, ...panel, ...(await selfSigned(host, new Date())), answer: service(panel) }
    }),
  )
  const byHost = new Map(panels.map((panel) => [panel.host.toLowerCase(), panel]))
  const server = createServer(
    {
      SNICallback(name, done) {
        const panel = byHost.get(name.toLowerCase())
        if (panel) done(null, panel.context)
        else done(new Error(`There is no node ${name}`))
      },
    },
    (request, response) => {
      const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
      const panel = byHost.get(host)
      if (panel) panel.answer(request, response)
      else response.writeHead(421).end()
    },
  )
  const stop = closing(server)
  const port = await listen(server)
  const list = (entry: (panel: (typeof panels)[number]) => string) => panels.map(entry).join(',')
  return {
    keys: list(({ name, key }) => `${name}=${key}`),
    certificates: list(({ name, fingerprint }) => `${name}=${fingerprint}`),
    connectTo: list(({ host }) => `${host}:8443:${loopback}:${port}`),
    port,
    stop,
  }
}
