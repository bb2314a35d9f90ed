import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser, type Visited, type VisitFailed } from '../../src/browser/index.ts'
import { type BrowserSites, hosts, startBrowserSites } from '../browser-sites.ts'
import { startDnsServer } from '../dns-server.ts'
import { hostilePages } from '../hostile-pages.ts'
import { startFlood, startPrivateService } from '../hostile-sites.ts'
import { makeAuthority } from '../probe-certificates.ts'
import { findTestBrowser } from '../test-browser.ts'
import { watchMachine } from './machine-stalls.ts'

const executable = await findTestBrowser()
const budget = { seconds: 12, megabytes: 20 }
const fileName = `kustos-${randomUUID()}.bin`
const secretService = executable === null ? null : await startPrivateService()
const flood = executable === null ? null : await startFlood()
const pages = hostilePages({
  tcp: secretService?.tcp ?? '',
  udp: secretService?.udp ?? '',
  flood: 'flood.test',
  fileName,
})

/** How visits also end while other programs occupy the machine. */
const busy = /^(visit_timed_out|visit_scripts_endless|browser_ended)$/

const missing: End = { codes: 'missing', problems: '', seconds: 0, stalledSeconds: 0 }

interface End {
  readonly codes: string
  /** With Chromium's words. */
  readonly problems: string
  readonly seconds: number
  /** Of these, how long the whole machine stood still. */
  readonly stalledSeconds: number
}

describe.skipIf(executable === null)(
  'a hostile page (skipped without a Chromium)',
  { timeout: 300_000 },
  () => {
    let sites: BrowserSites
    let shared: Browser
    const ends = new Map<string, Promise<End>>()
    const machine = watchMachine()

    const open = (atOnce: number) =>
      openBrowser({
        executable: executable ?? '',
        connectTo: `${sites.connectTo},flood.test:80:127.0.0.1:${flood?.port}`,
        atOnce,
        budget,
        // Pages that need Chromium's sandbox are in browser-protection.test.ts.
        sandbox: 'optional',
      })

    beforeAll(async () => {
      const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts.slice(0, -1) }))
      // As many as a worker visits.
      shared = open(2)
      // All at once, so that they wait beside each other.
      const [own, together] = [pLimit(1), pLimit(2)]
      for (const { name, pages: site, isIsolated } of pages) {
        const host = sites.host(site)
        const limit = isIsolated ? own : together
        ends.set(
          name,
          limit(() => (isIsolated ? visitAlone(host) : timed(shared, host))),
        )
      }
    })
    afterAll(async () => {
      await Promise.allSettled(ends.values())
      await shared.close()
      await sites.stop()
      await secretService?.stop()
      await flood?.stop()
      await machine.stop()
    })

    async function visitAlone(host: string): Promise<End> {
      const browser = open(1)
      try {
        // The start of the process is not the page's fault.
        await browser.visit(`http://${host}/none`, { deadlineMs: 60_000 })
        return await timed(browser, host)
      } finally {
        await browser.close()
      }
    }

    async function timed(browser: Browser, host: string): Promise<End> {
      const [startedAt, stalledBefore] = [performance.now(), machine.stalledMs()]
      const result = await browser.visit(`http://${host}/`, { deadlineMs: 60_000 })
      return {
        codes: codesOf(result),
        problems: JSON.stringify(problemsOf(result)),
        seconds: (performance.now() - startedAt) / 1_000,
        stalledSeconds: (machine.stalledMs() - stalledBefore) / 1_000,
      }
    }

    test.for(pages)('with $name ends within its budget', async ({ name, end }) => {
      const { codes, problems, seconds, stalledSeconds } = (await ends.get(name)) ?? missing
      if (!busy.test(codes)) expect(codes, problems).toMatch(end)
      // A busy machine notices the end late.
      expect(seconds - stalledSeconds).toBeLessThan(budget.seconds + 1)
    })

    test.skipIf(!secretService?.isWebPort)(
      'whose name changes to a private address does not reach it',
      async () => {
        const dns = await startDnsServer({ 'rebind.test': { A: ['127.0.0.3'], ttl: 0 } })
        const site = createServer((request, response) => {
          if (request.url === '/moved') dns.state.zone = { 'rebind.test': { A: ['127.0.0.2'], ttl: 0 } }
          response.setHeader('content-type', 'text/html')
          response.end("<script>fetch('/moved').then(() => fetch('/secret')).catch(() => 0)</script>")
        })
        site.listen(80, '127.0.0.3')
        await once(site, 'listening')
        const browser = openBrowser({
          executable: executable ?? '',
          dnsServers: [dns.server],
          allowNetworks: ['127.0.0.3/32'],
          budget,
          sandbox: 'optional',
        })
        const result = await browser.visit('http://rebind.test/', { deadlineMs: 60_000 })
        await browser.close()
        site.closeAllConnections()
        site.close()
        await dns.stop()
        if (result.outcome === 'failed') throw new Error(result.reason.code)
        expect(result.requests.map(({ url }) => url)).toContain('http://rebind.test/secret')
        // Further pages are at the private address already.
        expect(result.stops?.at(-1)?.problem).toEqual({ code: 'address_private' })
        expect(secretService?.reached()).toBe(0)
      },
    )

    test('reaches no private address and writes no file', async () => {
      await Promise.all(ends.values())
      expect(secretService?.reached()).toBe(0)
      const folders = [homedir(), `${homedir()}/Downloads`, tmpdir(), process.cwd()]
      for (const folder of folders)
        expect((await readdir(folder).catch(() => [])).filter((name) => name.includes(fileName))).toEqual([])
    })
  },
)

/** Without what the end of a visit left unread. */
const problemsOf = (result: Visited | VisitFailed) =>
  result.outcome === 'failed' ? [result.reason] : result.problems

const codesOf = (result: Visited | VisitFailed): string =>
  problemsOf(result)
    .map(({ code }) => code)
    .filter((code) => code !== 'visit_storage_unread')
    .join()
