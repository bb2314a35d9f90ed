import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createUser, listen, signedIn, Visitor } from '../visitor.ts'
import { credentialsOf, requestText } from './raw.ts'

const database = await testDatabase()
/** With little patience for those who take long over an answer, so that the tests need none. */
const hasty = await listen(database, { limits: { answer: 1_000 } })
/** With little for connections on which nothing moves. */
const drowsy = await listen(database, { limits: { silence: 1_000 } })
await createUser(database, 'admin@kustos.test', 'admin')

let admin = new Visitor(hasty)
let size = 0
beforeAll(async () => {
  admin = await signedIn(hasty, 'admin@kustos.test')
  // More of a list than the buffers between the two take up.
  await database.db.execute(sql`
    insert into webs (fqdn, fqdn_ascii, customer, configured_ip, comment)
    select 'w' || n || '.test', 'w' || n || '.test', 'ALPEN', '192.0.2.1', repeat('x', 10000)
    from generate_series(1, 2000) n`)
  // Made once, so that what follows is about the reading.
  for (const origin of [hasty, drowsy])
    size = (await (await fetch(`${origin}/api/webs`, { headers: credentialsOf(admin) })).arrayBuffer())
      .byteLength
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

describe('who takes a large answer slowly', () => {
  it('is cut off, though a little of it moves all the time', async () => {
    expect(await readSlowly(hasty, 50, 2_500)).toBeLessThan(size)
  })

  it('is cut off where nothing of it moves', async () => {
    expect(await readSlowly(drowsy, 0, 3_500)).toBeLessThan(size)
  })

  it('and is not where all is taken in time', async () => {
    expect(await readSlowly(hasty, 1, 100)).toBeGreaterThanOrEqual(size)
  })

  it('holds nobody up, and no answer of their own in memory, twenty of them notwithstanding', async () => {
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
