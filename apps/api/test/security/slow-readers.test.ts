import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiClient, createUser, listen, signIn } from '../api-client.ts'
import { credentialsOf, requestText } from './raw-http.ts'

const database = await testDatabase()
/** Short response timeout. */
const shortResponseOrigin = await listen(database, { limits: { responseMs: 1_000 } })
/** Short idle timeout. */
const shortIdleOrigin = await listen(database, { limits: { socketIdleTimeoutMs: 1_000 } })
const longResponseOrigin = await listen(database, { limits: { responseMs: 30_000 } })
await createUser(database, 'admin@kustos.test', 'admin')

let admin = new ApiClient(shortResponseOrigin)
let size = 0
beforeAll(async () => {
  admin = await signIn(shortResponseOrigin, 'admin@kustos.test')
  // Exceeds the socket buffers.
  await database.db.execute(sql`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip, comment)
    select 'w' || n || '.test', 'w' || n || '.test', 'ALPEN', '192.0.2.1', repeat('x', 10000)
    from generate_series(1, 2000) n`)
  // Fills the list cache, so that only the transfer takes time. On a busy machine, the first try can exceed the limit.
  for (const origin of [shortResponseOrigin, shortIdleOrigin, longResponseOrigin])
    size = await vi.waitFor(
      async () => {
        const response = await fetch(`${origin}/api/webs`, { headers: credentialsOf(admin) })
        return (await response.arrayBuffer()).byteLength
      },
      { timeout: 30_000, interval: 500 },
    )
})

/**
 * Requests all webs. Reads one chunk per `pauseMs` (0: only the first), and after `slowForMs` the rest.
 * @returns the bytes received before the connection was closed
 */
function readSlowly(origin: string, pauseMs: number, slowForMs: number): Promise<number> {
  const socket = createConnection(Number(new URL(origin).port), '127.0.0.1')
  const { cookie } = credentialsOf(admin)
  let read = 0
  let isSlow = true
  socket.on('data', (chunk) => {
    read += chunk.length
    if (!isSlow) return
    socket.pause()
    if (pauseMs > 0) setTimeout(() => socket.resume(), pauseMs)
  })
  // Expected: the server disconnects.
  socket.on('error', () => undefined)
  setTimeout(() => {
    isSlow = false
    socket.resume()
  }, slowForMs)
  socket.write(requestText('GET', '/api/webs', { cookie, connection: 'close' }))
  return new Promise((resolve) => socket.once('close', () => resolve(read)))
}

describe('a client that reads a large response slowly', () => {
  it('is disconnected even if it keeps reading a little', async () => {
    expect(await readSlowly(shortResponseOrigin, 50, 2_500)).toBeLessThan(size)
  })

  it('is disconnected if it stops reading', async () => {
    expect(await readSlowly(shortIdleOrigin, 0, 3_500)).toBeLessThan(size)
  })

  it('is not disconnected if it finishes in time', async () => {
    // As slow as the one that is disconnected.
    expect(await readSlowly(longResponseOrigin, 50, 2_500)).toBeGreaterThanOrEqual(size)
  })

  it('does not delay other clients or buffer a copy per reader (20 slow readers)', async () => {
    const before = process.memoryUsage().arrayBuffers
    const slow = Array.from({ length: 20 }, () => readSlowly(shortResponseOrigin, 100, 2_500))
    let maxBytes = 0
    for (let time = 0; time < 10; time++) {
      expect((await admin.fetch('/api/users/current')).status).toBe(200)
      expect((await fetch(`${shortResponseOrigin}/api/health`)).status).toBe(200)
      maxBytes = Math.max(maxBytes, process.memoryUsage().arrayBuffers - before)
      await sleep(80)
    }
    // Allows five copies, far fewer than twenty.
    expect(maxBytes).toBeLessThan(5 * size)
    for (const read of await Promise.all(slow)) expect(read).toBeLessThan(size)
    expect((await admin.fetch('/api/webs')).status).toBe(200)
  })
})
