import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  rejectNames,
  resolveTo,
  resolveToForeignAddress,
  type SandboxDns,
  startDns,
} from '../src/dns/index.ts'

let dns: SandboxDns
const resolver = new Resolver({ timeout: 1_000, tries: 1 })

beforeAll(async () => {
  dns = await startDns([
    rejectNames(new Set(['www.missing.test'])),
    resolveToForeignAddress(new Set(['www.moved.test'])),
    resolveTo('127.0.0.1'),
  ])
  resolver.setServers([dns.server])
})
afterAll(() => dns.stop())

test.each(['www.alpenhof-latemar.test', 'xn--lwen-5qa.test', 'WWW.Anything.EXAMPLE'])(
  'resolves %s to this machine without an IPv6 address',
  async (name) => {
    expect(await resolver.resolve4(name)).toEqual(['127.0.0.1'])
    await expect(resolver.resolve6(name)).rejects.toMatchObject({ code: 'ENODATA' })
  },
)

test.each(['www.missing.test', 'WWW.MISSING.test'])('does not resolve %s', async (name) => {
  await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(resolver.resolve6(name)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('resolves a moved web to the same foreign address each time', async () => {
  const [address, ...more] = await resolver.resolve4('www.moved.test')
  expect(address).toMatch(/^203\.0\.113\.\d+$/)
  expect(more).toEqual([])
  expect(await resolver.resolve4('www.moved.test')).toEqual([address])
})

test('returns no records of unsupported types', async () => {
  await expect(resolver.resolveMx('www.alpenhof-latemar.test')).rejects.toMatchObject({ code: 'ENODATA' })
})

test('survives invalid messages', async () => {
  const socket = createSocket('udp4')
  socket.send(Buffer.from([1, 2, 3]), Number(dns.server.split(':')[1]), '127.0.0.1', () => socket.close())
  expect(await resolver.resolve4('www.here.test')).toEqual(['127.0.0.1'])
})
