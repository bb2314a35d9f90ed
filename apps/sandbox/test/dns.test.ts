import { Resolver } from 'node:dns/promises'
import { connect } from 'node:net'
import { decode, encode } from 'dns-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { elsewhere, everythingHere, type SandboxDns, startDns, withoutNames } from '../src/dns/index.ts'

let dns: SandboxDns
const resolver = new Resolver({ timeout: 1_000, tries: 1 })

beforeAll(async () => {
  dns = await startDns([
    withoutNames(new Set(['www.gone.test'])),
    elsewhere(new Set(['www.moved.test'])),
    everythingHere,
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

test.each(['www.gone.test', 'WWW.GONE.test'])('does not resolve %s', async (name) => {
  await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(resolver.resolve6(name)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('resolves a moved web to the same foreign address each time', async () => {
  const [address, ...more] = await resolver.resolve4('www.moved.test')
  expect(address).toMatch(/^203\.0\.113\.\d+$/)
  expect(more).toEqual([])
  expect(await resolver.resolve4('www.moved.test')).toEqual([address])
})

test('answers unknown record types without an error', async () => {
  await expect(resolver.resolveMx('www.alpenhof-latemar.test')).rejects.toMatchObject({ code: 'ENODATA' })
})

test('answers over TCP, several queries per connection, and survives invalid ones', async () => {
  const port = Number(dns.server.split(':')[1])
  const question = (id: number) => {
    const message = encode({ id, type: 'query', questions: [{ type: 'A', name: 'www.here.test' }] })
    const length = Buffer.alloc(2)
    length.writeUInt16BE(message.length)
    return Buffer.concat([length, message])
  }
  const socket = connect(port, '127.0.0.1')
  let received = Buffer.alloc(0)
  const answers = await new Promise<number[]>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('data', (more) => {
      received = Buffer.concat([received, more])
      const ids: number[] = []
      for (let at = 0; at + 2 <= received.length; at += 2 + received.readUInt16BE(at)) {
        const end = at + 2 + received.readUInt16BE(at)
        if (end <= received.length) ids.push(decode(received.subarray(at + 2, end)).id ?? -1)
      }
      if (ids.length === 2) resolve(ids)
    })
    // Cut in the middle, as TCP may.
    const both = Buffer.concat([question(7), question(8)])
    socket.write(both.subarray(0, 9))
    setTimeout(() => socket.write(both.subarray(9)), 20)
  })
  expect(answers).toEqual([7, 8])
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write(Buffer.from([0, 3, 1, 2, 3]))
  await ended
  expect(await resolver.resolve4('www.here.test')).toEqual(['127.0.0.1'])
})
