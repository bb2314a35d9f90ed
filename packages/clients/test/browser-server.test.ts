import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startEgressProxy } from '../src/browser/egress-proxy.ts'
import { type BrowserProtection, installedBrowser, openBrowser } from '../src/browser/index.ts'
import { createGuardedConnector } from '../src/connect/guarded-connector.ts'
import { type BrowserSites, hosts, startBrowserSites } from './browser-sites.ts'
import { freePort } from './free-port.ts'
import { makeAuthority } from './probe-certificates.ts'

const executable = await installedBrowser(process.env)
const cli = fileURLToPath(new URL('../node_modules/playwright-core/cli.js', import.meta.url))

describe.skipIf(executable === null)(
  'a browser server (skipped without a Chromium)',
  { timeout: 150_000 },
  () => {
    let sites: BrowserSites
    let server: ChildProcess
    let address = ''

    beforeAll(async () => {
      const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts.slice(0, -1) }))
      const port = await freePort()
      const args = ['run-server', '--host', '127.0.0.1', '--port', String(port), '--unsafe']
      server = spawn(process.execPath, [cli, ...args], { stdio: 'ignore' })
      address = `ws://127.0.0.1:${port}/`
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}`).then(
          ({ ok }) => ok,
          () => false,
        )
      await vi.waitUntil(isReady, { timeout: 60_000, interval: 100 })
    })
    afterAll(async () => {
      // It ignores SIGTERM.
      server.kill('SIGINT')
      await once(server, 'exit')
      await sites.stop()
    })

    const open = (server: string, onStart?: (protection: BrowserProtection) => void) =>
      openBrowser({
        executable: executable ?? '',
        server,
        connectTo: sites.connectTo,
        // Other programs may occupy the machine.
        budget: { seconds: 100 },
        // The tests may run as root.
        sandbox: 'optional',
        ...(onStart && { onStart }),
      })

    test('opens pages, whose requests reach the network through this process only', async () => {
      const protections: BrowserProtection[] = []
      const tracker = sites.host({ '/t.js': '' })
      const host = sites.host({
        '/': `<script src="http://${tracker}/t.js"></script><script src="http://127.0.0.1:${sites.ports.plain}/secret"></script>`,
      })
      const browser = open(address, (protection) => protections.push(protection))
      const result = await browser.visit(`http://${host}/`, { deadlineMs: 60_000 })
      await browser.close()
      expect(result).toMatchObject({ outcome: 'visited', url: `http://${host}/` })
      expect(protections).toMatchObject([{ user: null }])
      expect(sites.requests).toContain(`${tracker}/t.js`)
      expect(sites.requests.filter((one) => one.includes('/secret'))).toEqual([])
    })

    test('starts another browser for a visit whose browser has died', async () => {
      const host = sites.host({ '/': "<script>setInterval(() => fetch('/tick'), 200)</script>" })
      const browser = open(address)
      const visiting = browser.visit(`http://${host}/`, { deadlineMs: 90_000 })
      await vi.waitFor(() => expect(sites.requests).toContain(`${host}/`), { timeout: 60_000 })
      const started = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
      for (const pid of started.trim().split(' ')) process.kill(Number(pid), 'SIGKILL')
      const result = await visiting
      await browser.close()
      expect(result).toMatchObject({ outcome: 'visited', problems: [] })
    })

    test('is reported if nobody answers', async () => {
      const browser = open(`ws://127.0.0.1:${await freePort()}/`)
      const result = await browser.visit('http://web-1.test/', { deadlineMs: 60_000 })
      await browser.close()
      expect(result).toMatchObject({
        outcome: 'failed',
        reason: { code: 'browser_not_started', params: { reason: expect.stringContaining('ECONNREFUSED') } },
      })
    })
  },
)

test('the way out of a browser is open to that browser only', async () => {
  const connector = createGuardedConnector({})
  const proxy = await startEgressProxy(connector, {
    link: { local: '127.0.0.1', remote: '127.0.0.7' },
    checksCertificates: false,
    maxBytes: 1000,
    maxConnections: 10,
    onLimit: () => undefined,
  })
  const port = Number(new URL(proxy.address).port)
  const exchange = (localAddress: string) =>
    new Promise<string>((resolve) => {
      let received = ''
      const socket = connect({ host: '127.0.0.1', port, localAddress })
      socket.on('data', (data) => {
        received += data.toString()
        socket.destroy()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(received))
      socket.write('CONNECT 10.0.0.1:443 HTTP/1.1\r\nhost: 10.0.0.1\r\n\r\n')
    })
  expect(await exchange('127.0.0.7')).toMatch(/^HTTP\/1\.1 502 /)
  expect(await exchange('127.0.0.1')).toBe('')
  await proxy.close()
  connector.close()
})
