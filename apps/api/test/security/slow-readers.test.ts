import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiClient, createUser, listen, signIn } from '../api-client.ts'
import { credentialsOf, requestText } from './raw-http.ts'

const database = await testDatabase()
/** With little patience for those who take long over an answer, so that the tests need none. */
const hasty = await listen(database, { limits: { answer: 1_000 } })
/** With little for connections on which nothing moves. */
const drowsy = await listen(database, { limits: { silence: 1_000 } })
await createUser(database, 'admin@kustos.test', 'admin')

let admin = new ApiClient(hasty)
let size = 0
beforeAll(async () => {
  admin = await signIn(hasty, 'admin@kustos.test')
  // More of a list than the buffers between the two take up.
  await database.db.execute(sql`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip, comment)
    select 'w' || n || '.test', 'w' || n || '.test', 'ALPEN', '192.0.2.1', repeat('x', 10000)
    from generate_series(1, 2000) n`)
  // Fills the cache of lists, so that only the reading counts. On a busy machine the first try can exceed the limit.
  for (const origin of [hasty, drowsy])
    size = await vi.waitFor(
      async () => {
        const answer = await fetch(`${origin}/api/webs`, { headers: credentialsOf(admin) })
        return (await answer.arrayBuffer()).byteLength
      },
      { timeout: 30_000, interval: 500 },
    )
})

/**
 * Asks for all webs and takes a piece of the answer whenever the pause is over, in milliseconds, or none; after so many of
 * them (in milliseconds too) all that is left.
 * @returns the bytes that came before the connection was closed
 */
function readSlowly(origin: string, pause: number, slowFor: number): Promise<number> {
  const socket = createConnection(Number(new URL(origin).port), '127.0.0.1')
  const { cookie } = credentialsOf(admin)
  let read = 0
  let isSlow = true
  socket.on('data', (piece) => {
    read += piece.length
    if (!isSlow) return
    socket.pause()
    if (pause > 0) setTimeout(() => socket.resume(), pause)
  })
  // Cut off: that is what is waited for.
  socket.on('error', () => undefined)
  setTimeout(() => {
    isSlow = false
    socket.resume()
  }, slowFor)
  socket.write(requestText('GET', '/api/webs', { cookie, connection: 'close' }))
  return new Promise((resolve) => socket.once('close', () => resolve(read)))
}

describe('a client that reads a large response slowly', () => {
  it('is disconnected even if a little of it moves all the time', async () => {
    expect(await readSlowly(hasty, 50, 2_500)).toBeLessThan(size)
  })

  it('is disconnected if nothing moves', async () => {
    expect(await readSlowly(drowsy, 0, 3_500)).toBeLessThan(size)
  })

  it('is not disconnected if it finishes in time', async () => {
    expect(await readSlowly(hasty, 1, 100)).toBeGreaterThanOrEqual(size)
  })

  it('delays nobody and holds no response in memory, even beside twenty of them', async () => {
    const before = process.memoryUsage().arrayBuffers
    const slow = Array.from({ length: 20 }, () => readSlowly(hasty, 100, 2_500))
    let most = 0
    for (let time = 0; time < 10; time++) {
      expect((await admin.fetch('/api/users/current')).status).toBe(200)
      expect((await fetch(`${hasty}/api/health`)).status).toBe(200)
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      await sleep(80)
    }
    // Of twenty copies five would fit into this.
    expect(most).toBeLessThan(5 * size)
    for (const read of await Promise.all(slow)) expect(read).toBeLessThan(size)
    expect((await admin.fetch('/api/webs')).status).toBe(200)
  })
})
