import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { openDatabase } from '@kustos/database/client'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, expect, it } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const target = new URL(database.url)

/** Stands between the API and Postgres, so that Postgres can be away. */
const sockets = new Set<Socket>()
const forward = (client: Socket) => {
  const server = connect(Number(target.port), target.hostname)
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(socket)
    socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    socket.pipe(other)
  }
}
let proxy: Server = createServer(forward).listen(0, '127.0.0.1')
await once(proxy, 'listening')
const { port } = proxy.address() as AddressInfo

const through = new URL(database.url)
through.hostname = '127.0.0.1'
through.port = String(port)
const behind = openDatabase(through.href)
const origin = await listen({ ...database, ...behind })
await createUser(database, 'staff@kustos.test', ['view webs'])

/** A container that restarts has no name meanwhile. */
const nameless = new URL(database.url)
nameless.hostname = 'no-such-host.invalid'
const nowhere = openDatabase(nameless.href)
const lost = await listen({ ...database, ...nowhere })

afterAll(async () => {
  await behind.close()
  await nowhere.close()
  leave()
})

function leave(): void {
  proxy.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
}

it('answers 503 while the database is down, and recovers', async () => {
  const staff = await signIn(origin, 'staff@kustos.test')
  expect((await staff.fetch('/api/webs')).status).toBe(200)
  leave()
  for (const path of ['/api/webs', '/api/users/current', '/api/ready']) {
    const answer = await staff.fetch(path)
    expect([path, answer.status]).toEqual([path, 503])
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(/database/) })
  }
  expect((await staff.fetch('/api/webs')).headers.get('retry-after')).toBe('1')
  expect((await staff.fetch('/api/health')).status).toBe(200)
  proxy = createServer(forward).listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  expect((await staff.fetch('/api/webs')).status).toBe(200)
})

it('answers no 500 when connections break during queries', async () => {
  const staff = await signIn(origin, 'staff@kustos.test')
  for (let round = 0; round < 10; round++) {
    const answers = Array.from({ length: 8 }, () =>
      staff.fetch('/api/webs', { headers: { 'if-none-match': '"x"' } }),
    )
    for (const socket of sockets) socket.destroy()
    for (const answer of await Promise.all(answers)) expect([200, 503]).toContain(answer.status)
  }
})

it("answers 503 while the database's name does not resolve", async () => {
  const { cookies } = await signIn(origin, 'staff@kustos.test')
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  for (const path of ['/api/webs', '/api/users/current']) {
    const answer = await fetch(lost + path, { headers: { cookie } })
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1'])
    expect(await answer.json()).toEqual({
      message: 'The database is temporarily unavailable. Try again.',
      code: 'database_unavailable',
    })
  }
})
