import { randomBytes } from 'node:crypto'
import { openDns } from '@kustos/clients/dns'
import { openPageFetcher } from '@kustos/clients/page'
import { openPlesk } from '@kustos/clients/plesk'
import { openProber } from '@kustos/clients/probe'
import { type BehavingSites, siteBehaviours } from '@kustos/clients/testing/behaviours'
import { webs } from '@kustos/database/tables'
import pLimit from 'p-limit'
import type { Context } from '../../src/platform/context.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import { refreshWeb } from '../../src/webs/index.ts'

/** What refreshes webs whose sites behave as in the table, as the nightly schedule does. Their webs have no node. */
export function openRefreshing({
  dnsServer,
  ports,
  authority,
}: Pick<BehavingSites, 'dnsServer' | 'ports' | 'authority'>) {
  const reach = {
    dnsServers: [dnsServer],
    authorities: [authority],
    allowNetworks: ['127.77.0.0/16', '::1/128'],
  }
  const plesk = openPlesk({ ...reach, keys: {}, certificates: {} })
  const dns = openDns({ servers: [dnsServer] })
  const prober = openProber({ ...reach, ports, resumes: false })
  const pages = openPageFetcher(reach)
  const tools = {
    plesk,
    dns,
    prober,
    pages,
    secretBox: createSecretBox([randomBytes(32)]),
    secrets: [],
    secondReadingMs: 100,
  }
  const { signal } = new AbortController()
  const names = siteBehaviours.filter(({ isRefreshed }) => isRefreshed).map(({ name }) => name)
  return {
    /** Refreshes the webs whose behaviour needs it. Their hosts begin with its name. */
    async refresh(context: Context): Promise<void> {
      const all = await context.db.select({ id: webs.id, fqdn: webs.fqdn }).from(webs)
      const limit = pLimit(8)
      await Promise.all(
        all
          .filter(({ fqdn }) => names.some((name) => new RegExp(`^${name}(-\\d+)?\\.`).test(fqdn)))
          .map(({ id }) => limit(() => refreshWeb(context, tools, id, { requestedBy: null, signal }))),
      )
    },
    async close(): Promise<void> {
      await plesk.close()
      dns.close()
      await prober.close()
      pages.close()
    },
  }
}
