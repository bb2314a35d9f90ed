import { networkInterfaces } from 'node:os'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { openProber, type Prober, type ProberSettings } from '../src/probe/prober.ts'
import { startDnsServer } from './dns-server.ts'
import { makeAuthority } from './probe-certificates.ts'
import { startSite } from './probe-sites.ts'

/**
 * A site on every address of this machine, and probers that use a new name server in each test. Call it at the top of a
 * test file.
 */
export async function openNamedSite() {
  const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
  const credentials = await authority.issue({ names: ['web.test', 'other.test'] })
  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ family }) => family === 'IPv6'),
  )
  const site = await startSite({ credentials, host: hasIpv6 ? '::' : '0.0.0.0' })
  const probers: Prober[] = []
  let server: Awaited<ReturnType<typeof startDnsServer>>
  beforeEach(async () => {
    server = await startDnsServer({})
  })
  afterEach(async () => {
    await Promise.all(probers.splice(0).map((prober) => prober.close()))
    await server.stop()
  })
  afterAll(() => site.stop())
  return {
    site,
    dns: {
      get state() {
        return server.state
      },
    },
    open(settings: ProberSettings = {}): Prober {
      const prober = openProber({
        authorities: [authority.cert],
        dnsServers: [server.server],
        ports: { secure: site.port, plain: site.port },
        deadlineMs: 3_000,
        ...settings,
      })
      probers.push(prober)
      return prober
    },
    /** @returns the local addresses of all connections during the work */
    async recordAddresses(work: () => Promise<unknown>): Promise<readonly string[]> {
      const before = site.connections.length
      await work()
      return site.connections.slice(before).map(({ to }) => to.replace(/^::ffff:/, ''))
    },
  }
}
