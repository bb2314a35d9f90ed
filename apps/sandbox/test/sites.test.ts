import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { asciiFqdn } from '@kustos/contract/webs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Behaviour, behaviourOf, flapping, hostsThat, responseDelayMs } from '../src/seed/behaviours.ts'
import { certificateOf } from '../src/seed/certificates.ts'
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
    ...hostsThat('slow', 'flapping', 'plain', 'expiring', 'misnamed', 'expired'),
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

interface Seen {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
  readonly milliseconds: number
  readonly issuer: string
  readonly until: Date
}

/** What a visitor sees who trusts the sandbox's authority, and reads 100,000 characters at most. */
function visit(host: string, scheme: 'http' | 'https' = 'https', patience = 10_000): Promise<Seen> {
  const started = performance.now()
  const { http, tls } = sites.ports
  const options: RequestOptions = { host: '127.0.0.1', headers: { host }, path: '/', agent: false }
  return new Promise((resolve, reject) => {
    const request =
      scheme === 'http'
        ? requestPlain({ ...options, port: http })
        : requestSecure({ ...options, port: tls, servername: host, ca })
    request.once('error', reject)
    request.setTimeout(patience, () => request.destroy(new Error('no answer')))
    request.once('response', (response) => {
      const milliseconds = performance.now() - started
      const certificate = scheme === 'https' ? (response.socket as TLSSocket).getPeerCertificate() : undefined
      let body = ''
      const seen = () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          body,
          milliseconds,
          issuer: String(certificate?.issuer.O),
          until: new Date(certificate?.valid_to ?? 0),
        })
      response.setEncoding('utf8').on('data', (more: string) => {
        body += more
        if (body.length < 100_000) return
        seen()
        request.destroy()
      })
      response.on('end', seen)
    })
    request.end()
  })
}

const only = (kind: Behaviour['kind']): string => {
  const [host] = hostsThat(kind)
  if (host === undefined) throw new Error(`No host is ${kind}`)
  return host
}

describe('a healthy site', () => {
  test('answers with a page about the web, equally fast each time, over HTTP too', async () => {
    const [first, second] = [await visit(known), await visit(known, 'http')]
    for (const seen of [first, second]) {
      expect(seen.status).toBe(200)
      expect(seen.body).toContain('<title>Alpenhof Latemar</title>')
      expect(seen.body).toContain('A &amp; B')
      expect(seen.milliseconds).toBeGreaterThanOrEqual(responseDelayMs(known) - 1)
    }
    expect(responseDelayMs(known)).toBeGreaterThanOrEqual(20)
    expect(responseDelayMs(known)).toBeLessThanOrEqual(200)
  })

  test('serves what is deployed on its node instead of the page', async () => {
    expect((await visit(deployed)).body).toBe('<title>Deployed</title>')
  })

  test('has a certificate for a month, issued as in the inventory', async () => {
    const { issuer, until } = await visit(known)
    const expected = certificateOf(known, new Date())
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

  test('answers to the longest name in any case; unknown names do not exist', async () => {
    const label = 'a'.repeat(60)
    const long = `${label}.${label}.${label}.${label}.test`
    expect((await visit(long)).status).toBe(404)
    expect((await visit(known.toUpperCase())).status).toBe(200)
    expect((await visit('www.nobody.test')).status).toBe(404)
  })
})

test('a slow site answers after two to four seconds', async () => {
  const { status, milliseconds } = await visit(only('slow'))
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

test.each(hostsThat('failing'))('%s fails as specified', async (host) => {
  const behaviour = behaviourOf(host)
  expect(behaviour.kind === 'failing' && behaviour.status).toBe((await visit(host)).status)
})

test('a flapping site alternates between down and up every few minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const host = only('flapping')
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

test('a silent site accepts the request and never answers', async () => {
  await expect(visit(only('silent'), 'https', 500)).rejects.toThrow('no answer')
})

test('a site with an expired or foreign certificate is not trusted', async () => {
  await expect(visit(only('expired'))).rejects.toMatchObject({ code: 'CERT_HAS_EXPIRED' })
  await expect(visit(only('misnamed'))).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

test('a site with a nearly expired certificate answers', async () => {
  const { status, until } = await visit(only('expiring'))
  expect(status).toBe(200)
  expect((until.getTime() - Date.now()) / (24 * 3600 * 1000)).toBeCloseTo(3.1, 1)
})

test('an endless page continues while a client reads it', async () => {
  const { status, body } = await visit(only('endless'))
  expect(status).toBe(200)
  expect(body.length).toBeGreaterThanOrEqual(100_000)
})

test('refusing sites precede wildcard entries', () => {
  const entries = sites.connectTo.split(',')
  expect(entries.slice(-2)).toEqual([`:443::${sites.ports.tls}`, `:80::${sites.ports.http}`])
  for (const host of hostsThat('refusing')) {
    expect(entries).toContain(`${host}:443:127.0.0.1:1`)
    expect(entries).toContain(`${host}:80:127.0.0.1:1`)
  }
  for (const host of hostsThat('plain')) {
    expect(entries).toContain(`${host}:443:127.0.0.1:1`)
    expect(entries).not.toContain(`${host}:80:127.0.0.1:1`)
  }
})
