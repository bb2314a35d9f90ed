import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withBackupConnection } from '../src/backup/connection.ts'
import { isDatabaseDown, openDatabase } from '../src/client.ts'
import { migrate } from '../src/migrations.ts'
import { openNotifications } from '../src/notifications.ts'
import { testDatabase } from '../testing/index.ts'

const { url, owner } = await testDatabase()

test('fails only the transaction whose connection is lost between two statements', async () => {
  const errors: Error[] = []
  const database = openDatabase(url, { max: 1, onConnectionLost: (error) => errors.push(error) })
  try {
    const transaction = database.db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      const ended = new Promise<void>((resolve) => {
        database.pool.once('remove', () => resolve())
        setTimeout(resolve, 300)
      })
      await owner.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      await ended
      await tx.execute(sql`select 1`)
    })
    await expect(transaction).rejects.toThrow()
    expect(errors.length).toBeGreaterThan(0)
    const { rows } = await database.db.execute(sql`select 1 as one`)
    expect(rows).toEqual([{ one: 1 }])
  } finally {
    await database.close()
  }
})

test('takes a server that refuses to write for an unavailable one', async () => {
  const database = openDatabase(url, { max: 1 })
  onTestFinished(() => database.close())
  const write = database.db.transaction(async (tx) => {
    await tx.execute(sql`set transaction read only`)
    await tx.execute(sql`delete from leases`)
  })
  await expect(write).rejects.toSatisfy(isDatabaseDown)
})

test('asks a silent server whether it is still there', async () => {
  const asked = vi.spyOn(Socket.prototype, 'setKeepAlive')
  onTestFinished(() => asked.mockRestore())
  const database = openDatabase(url, { max: 1 })
  await database.db.execute(sql`select 1`)
  expect(asked.mock.calls).toContainEqual([true, 10_000])
  await database.close()
  asked.mockClear()
  const listening = Promise.withResolvers<void>()
  const notifications = openNotifications(url, {
    channel: 'test',
    onPayload: () => undefined,
    onListening: listening.resolve,
    onError: listening.reject,
  })
  await listening.promise
  expect(asked.mock.calls).toContainEqual([true, 10_000])
  await notifications.close()
  for (const work of [() => withBackupConnection(url, 'test', async () => undefined), () => migrate(url)]) {
    asked.mockClear()
    await work()
    expect(asked.mock.calls).toContainEqual([true, 10_000])
  }
})

/** Stands between the database and its server, and can keep all that is sent without an end of the connections. */
async function startRelay() {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => isFrozen || to.write(data))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const relayed = new URL(url)
  relayed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: relayed.href, freeze: () => (isFrozen = true), thaw: () => (isFrozen = false) }
}

test('gives up a server that does not respond to a statement or inside a transaction', async () => {
  const relay = await startRelay()
  const errors: Error[] = []
  const { db, close } = openDatabase(relay.url, {
    max: 1,
    maxSilenceMs: 500,
    onConnectionLost: (error) => errors.push(error),
  })
  const isLost = (error: unknown) => isDatabaseDown(error)
  try {
    await db.execute(sql`select 1`)
    relay.freeze()
    await expect(db.execute(sql`select 1`)).rejects.toSatisfy(isLost)
    relay.thaw()
    const transaction = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      relay.freeze()
      await tx.execute(sql`select 1`)
    })
    await expect(transaction).rejects.toThrow()
    relay.thaw()
    const { rows } = await db.execute(sql`select 1 as one`)
    expect(rows).toEqual([{ one: 1 }])
    expect(errors.map(({ message }) => message)).toContain('the database does not respond')
  } finally {
    await close()
  }
})

test('returns a connection to the pool if its transaction cannot begin', async () => {
  const database = openDatabase(url, { max: 1 })
  try {
    const isolationLevel = 'unknown' as 'serializable'
    await expect(database.db.transaction(async () => undefined, { isolationLevel })).rejects.toThrow()
    const { rows } = await database.db.execute(sql`select 1 as one`)
    expect(rows).toEqual([{ one: 1 }])
  } finally {
    await database.close()
  }
})
