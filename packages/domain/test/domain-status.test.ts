import { openDns } from '@kustos/clients/dns'
import { startDnsServer, type Zone } from '@kustos/clients/testing/dns'
import { domainStatus } from '@kustos/contract/webs'
import { afterAll, expect, test } from 'vitest'
import { readDomainStatus } from '../src/webs/refresh/domain-status.ts'

const server = await startDnsServer({})
const dns = openDns({ servers: [server.server], timeoutMs: 500 })
afterAll(async () => {
  dns.close()
  await server.stop()
})

const here: Zone = { 'a.test': { A: ['192.0.2.7'] } }
const elsewhere: Zone = { 'a.test': { A: ['203.0.113.9'] } }
const { online, offline, extern } = domainStatus

async function read(first: Zone, second: Zone, known: number | null) {
  server.state.zone = first
  const web = { host: 'a.test', configured_ip: '192.0.2.7', domain_status: known, node: null }
  const reading = readDomainStatus({ dns, secondReadingMs: 300 }, web, new AbortController().signal)
  setTimeout(() => {
    server.state.zone = second
  }, 150)
  const { seen, columns, problems } = await reading
  return seen ? columns.domain_status : problems.map(({ code }) => code)
}

test.each([
  { what: 'stays here', first: here, second: here, known: online, expected: online },
  { what: 'has moved', first: elsewhere, second: elsewhere, known: online, expected: extern },
  { what: 'is gone', first: {}, second: {}, known: online, expected: offline },
  {
    what: 'was answered wrongly once',
    first: {},
    second: here,
    known: online,
    expected: ['dns_answers_differ'],
  },
  {
    what: 'has just moved on',
    first: {},
    second: elsewhere,
    known: online,
    expected: ['dns_answers_differ'],
  },
  { what: 'was elsewhere before', first: elsewhere, second: here, known: extern, expected: extern },
])('a domain that $what', async ({ first, second, known, expected }) => {
  expect(await read(first, second, known)).toEqual(expected)
})

test('ends with the signal’s reason between two readings', async () => {
  server.state.zone = {}
  const web = { host: 'a.test', configured_ip: '192.0.2.7', domain_status: online, node: null }
  const signal = AbortSignal.timeout(100)
  await expect(readDomainStatus({ dns }, web, signal)).rejects.toMatchObject({ name: 'TimeoutError' })
})
