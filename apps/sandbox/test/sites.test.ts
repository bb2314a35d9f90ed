import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { asciiFqdn } from '@kustos/contract/webs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type Behaviour,
  findBehaviour,
  findHostsByBehaviour,
  flapping,
  responseDelayMs,
} from '../src/seed/behaviours.ts'
import { createCertificate } from '../src/seed/certificates.ts'
import { type HostedWeb, type SandboxSites, startSites } from '../src/sites/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-sites-'))
const nodesFolder = join(folder, 'nodes')
const deployed = 'www.hotel-rosengarten.test'
const known = 'www.alpenhof-latemar.test'
const web = (fqdn: string): HostedWeb => ({
  fqdn,
  customer: 'A & B',
  framework: 'TYPO3 13.4.20',
  topics: ['booking'],
  tracking: null,
})
let sites: SandboxSites
let ca: string

beforeAll(async () => {
  const root = join(nodesFolder, 'bz-cloud-01/webs', deployed, 'httpdocs/public')
  await mkdir(root, { recursive: true })
  await writeFile(join(root, 'index.html'), '<title>Deployed</title>')
  const hosts = [
    known,
    deployed,
    ...findHostsByBehaviour('slow', 'flapping', 'plain', 'without-head', 'expiring', 'misnamed', 'expired'),
  ]
  sites = await startSites({
    folder: join(folder, 'authority'),
    nodesFolder,
    webs: new Map(hosts.map((host) => [host, web(host)])),
  })
  ca = await readFile(sites.authorityFile, 'utf8')
})
afterAll(async () => {
  await sites.stop()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  vi.useRealTimers()
})

interface VisitResult {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
  readonly milliseconds: number
  readonly issuer: string
  readonly until: Date
}

/** Visits a site with the sandbox's authority trusted, and reads at most 100,000 characters. */
function visit(
  host: string,
  scheme: 'http' | 'https' = 'https',
  timeoutMs = 10_000,
  method = 'GET',
): Promise<VisitResult> {
  const started = performance.now()
  const { http, tls } = sites.ports
  const options: RequestOptions = { method, host: '127.0.0.1', headers: { host }, path: '/', agent: false }
  return new Promise((resolve, reject) => {
    const request =
      scheme === 'http'
        ? requestPlain({ ...options, port: http })
        : requestSecure({ ...options, port: tls, servername: host, ca })
    request.once('error', reject)
    request.setTimeout(timeoutMs, () => request.destroy(new Error('no response')))
    request.once('response', (response) => {
      const milliseconds = performance.now() - started
      const certificate = scheme === 'https' ? (response.socket as TLSSocket).getPeerCertificate() : undefined
      let body = ''
      const finish = () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          body,
          milliseconds,
          issuer: String(certificate?.issuer.O),
          until: new Date(certificate?.valid_to ?? 0),
        })
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
        if (body.length < 100_000) return
        finish()
        request.destroy()
      })
      response.on('end', finish)
    })
    request.end()
  })
}

const findHost = (kind: Behaviour['kind']): string => {
  const [host] = findHostsByBehaviour(kind)
  if (host === undefined) throw new Error(`No host is ${kind}`)
  return host
}

describe('a healthy site', () => {
  test('responds with a page about the web in its constant response time, also over HTTP', async () => {
    const [first, second] = [await visit(known), await visit(known, 'http')]
    for (const result of [first, second]) {
      expect(result.status).toBe(200)
      expect(result.body).toContain('<title>Alpenhof Latemar</title>')
      expect(result.body).toContain('A &amp; B')
      expect(result.milliseconds).toBeGreaterThanOrEqual(responseDelayMs(known) - 1)
    }
    expect(responseDelayMs(known)).toBeGreaterThanOrEqual(20)
    expect(responseDelayMs(known)).toBeLessThanOrEqual(200)
  })

  test('serves the deployed files of its node instead of the page', async () => {
    expect((await visit(deployed)).body).toBe('<title>Deployed</title>')
  })

  test('has a certificate for a month, issued as in the inventory', async () => {
    const { issuer, until } = await visit(known)
    const expected = createCertificate(known, new Date())
    expect(issuer).toBe(expected?.authority)
    expect(until).toEqual(expected?.until)
    expect(until.getTime() - Date.now()).toBeGreaterThan(29 * 24 * 3600 * 1000)
  })

  test('is not trusted without the authority', async () => {
    const trusted = ca
    ca = ''
    await expect(visit(known).finally(() => (ca = trusted))).rejects.toMatchObject({
      code: expect.stringMatching(/CERT|SIGNATURE/),
    })
  })

  test('responds to its name in any case, and to unknown names with 404', async () => {
    const label = 'a'.repeat(60)
    const long = `${label}.${label}.${label}.${label}.test`
    expect((await visit(long)).status).toBe(404)
    expect((await visit(known.toUpperCase())).status).toBe(200)
    expect((await visit('www.nobody.test')).status).toBe(404)
  })
})

test('a slow site responds after two to four seconds', async () => {
  const { status, milliseconds } = await visit(findHost('slow'))
  expect(status).toBe(200)
  expect(milliseconds).toBeGreaterThan(1_990)
  expect(milliseconds).toBeLessThan(5_000)
})

test.each([
  ['höfe-südtirol.test', 301, 'https://www.xn--hfe-sdtirol-rfb6f.test/'],
  ['intranet.kustos.test', 302, '/anmelden'],
])('%s redirects with %i', async (fqdn, status, location) => {
  expect(await visit(asciiFqdn(fqdn) ?? '')).toMatchObject({ status, location })
})

test.each(findHostsByBehaviour('failing'))('%s fails as specified', async (host) => {
  const behaviour = findBehaviour(host)
  expect(behaviour.kind === 'failing' && behaviour.status).toBe((await visit(host)).status)
})

test.each([
  ['blank', ''],
  ['saying', 'Diese Domain ist geparkt.\n'],
] as const)('a site that is %s responds with 200', async (kind, body) => {
  expect(await visit(findHost(kind))).toMatchObject({ status: 200, body })
})

test('a site refuses HEAD', async () => {
  const host = findHost('without-head')
  expect((await visit(host, 'https', 10_000, 'HEAD')).status).toBe(405)
  expect((await visit(host)).status).toBe(200)
})

test('a flapping site alternates between down and up every few minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const host = findHost('flapping')
  for (const [offset, status] of [
    [0, 503],
    [flapping.downMs - 1_000, 503],
    [flapping.downMs, 200],
    [flapping.cycleMs - 1_000, 200],
    [flapping.cycleMs, 503],
  ] as const) {
    vi.setSystemTime(new Date(100 * flapping.cycleMs + offset))
    expect((await visit(host, 'http')).status, `after ${offset / 1000} s`).toBe(status)
  }
})

test('a silent site accepts the request and never responds', async () => {
  await expect(visit(findHost('silent'), 'https', 500)).rejects.toThrow('no response')
})

test('a site with an expired or foreign certificate is not trusted', async () => {
  await expect(visit(findHost('expired'))).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' })
  await expect(visit(findHost('misnamed'))).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

test('a site with a nearly expired certificate responds', async () => {
  const { status, until } = await visit(findHost('expiring'))
  expect(status).toBe(200)
  expect((until.getTime() - Date.now()) / (24 * 3600 * 1000)).toBeCloseTo(3.1, 1)
})

test('an endless page does not end while a client reads it', async () => {
  const { status, body } = await visit(findHost('endless'))
  expect(status).toBe(200)
  expect(body.length).toBeGreaterThanOrEqual(100_000)
})

test('CONNECT_TO names refusing sites before the wildcard entries', () => {
  const entries = sites.connectTo.split(',')
  expect(entries.slice(-2)).toEqual([`:443::${sites.ports.tls}`, `:80::${sites.ports.http}`])
  for (const host of findHostsByBehaviour('refusing')) {
    expect(entries).toContain(`${host}:443:127.0.0.1:1`)
    expect(entries).toContain(`${host}:80:127.0.0.1:1`)
  }
  for (const host of findHostsByBehaviour('plain', 'without-tls')) {
    expect(entries).toContain(`${host}:443:127.0.0.1:1`)
    expect(entries).not.toContain(`${host}:80:127.0.0.1:1`)
  }
})
