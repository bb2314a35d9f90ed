import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { openDatabase } from '@kustos/database/client'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, expect, it } from 'vitest'
import { createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const target = new URL(database.url)

/** The connections of a proxy between the API and Postgres, which simulates outages. */
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

const proxyUrl = new URL(database.url)
proxyUrl.hostname = '127.0.0.1'
proxyUrl.port = String(port)
const proxiedDatabase = openDatabase(proxyUrl.href)
const origin = await listen({ ...database, ...proxiedDatabase })
await createUser(database, 'staff@kustos.test', ['view webs'])

/** The name of a container does not resolve while it restarts. */
const unresolvableUrl = new URL(database.url)
unresolvableUrl.hostname = 'no-such-host.invalid'
const unresolvableDatabase = openDatabase(unresolvableUrl.href)
const unresolvableOrigin = await listen({ ...database, ...unresolvableDatabase })

afterAll(async () => {
  await proxiedDatabase.close()
  await unresolvableDatabase.close()
  stopProxy()
})

function stopProxy(): void {
  proxy.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
}

it('responds with 503 while the database is down, and recovers', async () => {
  const staff = await signIn(origin, 'staff@kustos.test')
  expect((await staff.fetch('/api/webs')).status).toBe(200)
  stopProxy()
  for (const path of ['/api/webs', '/api/users/current', '/api/ready']) {
    const response = await staff.fetch(path)
    expect([path, response.status]).toEqual([path, 503])
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/database/) })
  }
  expect((await staff.fetch('/api/webs')).headers.get('retry-after')).toBe('1')
  expect((await staff.fetch('/api/health')).status).toBe(200)
  proxy = createServer(forward).listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  expect((await staff.fetch('/api/webs')).status).toBe(200)
})

it('does not respond with 500 when connections break during queries', async () => {
  const staff = await signIn(origin, 'staff@kustos.test')
  for (let round = 0; round < 10; round++) {
    const responses = Array.from({ length: 8 }, () =>
      staff.fetch('/api/webs', { headers: { 'if-none-match': '"x"' } }),
    )
    for (const socket of sockets) socket.destroy()
    for (const response of await Promise.all(responses)) expect([200, 503]).toContain(response.status)
  }
})

it("responds with 503 while the database's name does not resolve", async () => {
  const { cookies } = await signIn(origin, 'staff@kustos.test')
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  for (const path of ['/api/webs', '/api/users/current']) {
    const response = await fetch(unresolvableOrigin + path, { headers: { cookie } })
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 503, '1'])
    expect(await response.json()).toEqual({
      message: 'The database is temporarily unavailable. Try again.',
      code: 'database_unavailable',
    })
  }
})
