import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessions, userRoles } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { createUser, listen, signIn } from '../api-client.ts'
import { credentialsOf } from './raw-http.ts'

const database = await testDatabase()
const { db, owner } = database
const origin = await listen(database)
const hastyOrigin = await listen(database, { limits: { responseMs: 500 } })
const email = 'reader@kustos.test'
let reader = 0

beforeAll(async () => {
  reader = await createUser(database, email, ['view logs'])
  // Exceeds the socket buffers, also compressed.
  await owner.pool.query(
    `insert into log_entries (created_at, log_name, description, properties)
    select now() - interval '1 second' * n, 'webs', 'updated', jsonb_build_object('attributes', jsonb_build_object('comment',
      (select string_agg(md5(n::text || ' ' || part), '') from generate_series(1, 60) part)))
    from generate_series(1, 15000) n`,
  )
})

/** Exports the log, and reads only its beginning until the work between is done. @returns whether the whole file has come */
async function exportAcross(
  encoding: string,
  between: () => Promise<unknown>,
  server = origin,
): Promise<boolean> {
  const { cookie } = credentialsOf(await signIn(server, email))
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': encoding }
    const sent = get(`${server}/api/logs/export`, { headers }, (response) => {
      expect(response.statusCode).toBe(200)
      response.once('data', () => {
        response.pause()
        between().then(() => response.resume(), reject)
      })
      // Expected of a connection that is closed.
      response.on('error', () => undefined)
      response.on('close', () => resolve(response.complete))
    })
    sent.on('error', reject)
  })
}

it.each(['identity', 'gzip'])('exports the whole log, as %s', async (encoding) => {
  expect(await exportAcross(encoding, () => Promise.resolve())).toBe(true)
})

it('exports a log that takes longer than other responses may take', async () => {
  expect(await exportAcross('gzip', () => sleep(1_000), hastyOrigin)).toBe(true)
})

it.each(['identity', 'gzip'])('breaks off an export, as %s, once its session has ended', async (encoding) => {
  const end = () => db.delete(sessions).where(eq(sessions.user_id, reader))
  expect(await exportAcross(encoding, end)).toBe(false)
})

it('breaks off an export once its user has lost the permission', async () => {
  const held = await db.select().from(userRoles).where(eq(userRoles.user_id, reader))
  const revoke = () => db.delete(userRoles).where(eq(userRoles.user_id, reader))
  expect(await exportAcross('identity', revoke)).toBe(false)
  await db.insert(userRoles).values(held)
})
