import { Resolver } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRdap, readBootstrap } from '@kustos/clients/rdap'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { mailZone, resolveTo, type ScriptedRecords, scripted, startDns } from '../src/dns/index.ts'
import { startRegistry } from '../src/rdap/index.ts'
import { ownSeedDomains } from '../src/seed/domains.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-rdap-'))
const records: ScriptedRecords = new Map()
const registry = await startRegistry({
  folder,
  records,
  domains: [
    { fqdn: 'löwen.test', expiresAt: '2027-01-31T00:00:00.000Z', registrar: 'Limitis' },
    { fqdn: 'silent.test', expiresAt: null, registrar: 'Limitis' },
  ],
})
const dns = await startDns([scripted(records), mailZone(ownSeedDomains), resolveTo('127.0.0.1')])
const resolver = new Resolver({ timeout: 1_000, tries: 1 })
resolver.setServers([dns.server])
afterAll(async () => {
  await registry.stop()
  await dns.stop()
  await rm(folder, { recursive: true })
})
beforeEach(() => records.clear())

async function lookUp(domain: string) {
  const bootstrap = await readBootstrap(registry.bootstrapFile)
  const rdap = openRdap({ bootstrap, connectTo: registry.connectTo, dnsServers: [dns.server] })
  onTestFinished(() => rdap.close())
  return rdap.lookUp(domain)
}
const put = async (path: string, body?: object) =>
  (await fetch(`${registry.url}/_sandbox/${path}`, { method: 'PUT', body: JSON.stringify(body ?? {}) }))
    .status

test('answers lookups as Kustos sends them', async () => {
  expect(await lookUp('xn--lwen-5qa.test')).toMatchObject({
    outcome: 'found',
    registration: { expiresAt: new Date('2027-01-31'), registrar: 'Limitis' },
  })
  expect(await lookUp('silent.test')).toMatchObject({ registration: { expiresAt: null } })
  expect(await lookUp('missing.test')).toEqual({ outcome: 'not registered' })
})

test('can be told when a registration ends, and to fail', async () => {
  expect(await put('domains/silent.test', { expires_at: '2026-12-01T00:00:00Z' })).toBe(200)
  expect(await lookUp('silent.test')).toMatchObject({ registration: { expiresAt: new Date('2026-12-01') } })
  expect(await put('domains/silent.test', { expires_at: 'soon' })).toBe(400)
  expect(await put('health/rate-limited')).toBe(200)
  expect(await lookUp('silent.test')).toMatchObject({ outcome: 'failed', retryAfterMs: 60_000 })
  await put('health/ok')
})

test('changes DNS records', async () => {
  expect(await put('dns/a.test/MX', { records: ['10 mail.b.test'] })).toBe(200)
  expect(await resolver.resolveMx('a.test')).toMatchObject([{ priority: 10, exchange: 'mail.b.test' }])
  expect(await put('dns/a.test/MX', { records: null })).toBe(200)
  await expect(resolver.resolveMx('a.test')).rejects.toMatchObject({ code: 'ENODATA' })
  expect(await put('dns/a.test/SOA', { records: [] })).toBe(400)
  expect(await put('dns/a.test/TXT', { records: 'v=spf1' })).toBe(400)
})

test('has mail set up for the seeded domains', async () => {
  const [first] = ownSeedDomains.filter(
    ({ dns: state, fqdn }) => state === 'here' && /^[a-z-]+\.test$/.test(fqdn),
  )
  const name = first?.fqdn ?? ''
  expect((await resolver.resolveTxt(name)).flat().join('')).toMatch(/^v=spf1 /)
  expect(await resolver.resolveNs(name)).toHaveLength(2)
  expect(await resolver.resolve4('mx1.limitis.test')).toEqual(['127.0.0.1'])
})
