import { setTimeout as sleep } from 'node:timers/promises'
import { rolePermissions, userRoles, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
/** Longer than the tests may take, so an export that is not ended fails them. */
const tooLong = 600_000
const origin = await listen(database, { limits: { exportMs: tooLong, exportSelectionMs: tooLong } })
await createUser(database, 'admin@kustos.test', 'admin')
await createUser(database, 'reader@kustos.test', ['view webs'])
const revokedUser = await createUser(database, 'revoked@kustos.test', ['view webs'])
await db.insert(webs).values({
  fqdn: 'evil.test',
  fqdn_ascii: 'evil.test',
  customer: 'A'.repeat(200),
  configured_ip: '192.0.2.7',
  status: 0,
})
const endless = `/api/webs/export?f.customer=${encodeURIComponent('regex:(A|AA)+B')}&sets=customer`

/** Starts endless exports until one is refused, so that the others are running or waiting. */
async function fillQueue(client: ApiClient, gone: AbortSignal): Promise<readonly Promise<number | 'gone'>[]> {
  const statuses = Array.from({ length: 6 }, () =>
    client.fetch(endless, { signal: gone }).then(
      (response) => response.status,
      () => 'gone' as const,
    ),
  )
  expect(await Promise.race(statuses)).toBe(429)
  return statuses
}

it('ends a regular expression that runs forever, and serves the next user', async () => {
  const bounded = await listen(database, { limits: { exportMs: tooLong, exportSelectionMs: 1_000 } })
  const [reader, admin] = [
    await signIn(bounded, 'reader@kustos.test'),
    await signIn(bounded, 'admin@kustos.test'),
  ]
  const [hostile, plain] = await Promise.all([reader.fetch(endless), admin.fetch('/api/webs/export')])
  expect([hostile.status, plain.status]).toEqual([422, 200])
  expect(await hostile.json()).toMatchObject({ code: 'export_too_slow' })
  const batch = { action: 'refresh', filter: endless.slice(endless.indexOf('?') + 1) }
  const preview = await admin.send('POST', '/api/batches/preview', batch)
  expect([preview.status, await preview.json()]).toMatchObject([
    422,
    { errors: { filter: ['Takes too long; a simpler regular expression may help'] } },
  ])
})

it('refuses a regular expression that exhausts the stack', async () => {
  const reader = await signIn(origin, 'reader@kustos.test')
  const filter = `f.customer=${encodeURIComponent('regex:^((a?){9999}){9999}$')}`
  const exported = await reader.fetch(`/api/webs/export?${filter}&sets=customer`)
  expect([exported.status, await exported.json()]).toMatchObject([422, { code: 'export_too_slow' }])
  const admin = await signIn(origin, 'admin@kustos.test')
  const preview = await admin.send('POST', '/api/batches/preview', { action: 'refresh', filter })
  expect([preview.status, await preview.json()]).toMatchObject([
    422,
    { errors: { filter: ['Takes too long; a simpler regular expression may help'] } },
  ])
})

it('ends the running and the waiting exports of clients that have gone', async () => {
  const [reader, admin] = [
    await signIn(origin, 'reader@kustos.test'),
    await signIn(origin, 'admin@kustos.test'),
  ]
  const gone = new AbortController()
  await fillQueue(reader, gone.signal)
  // One user does not fill the queue of another.
  const plain = admin.fetch('/api/webs/export')
  gone.abort()
  expect((await plain).status).toBe(200)
})

it('checks the actor again when a waiting export starts', async () => {
  const [reader, revoked] = [
    await signIn(origin, 'reader@kustos.test'),
    await signIn(origin, 'revoked@kustos.test'),
  ]
  const gone = new AbortController()
  await fillQueue(reader, gone.signal)
  const waiting = await fillQueue(revoked, new AbortController().signal)
  await db.delete(userRoles).where(eq(userRoles.user_id, revokedUser))
  gone.abort()
  expect((await Promise.all(waiting)).toSorted()).toEqual([403, 403, 403, 403, 403, 429])
})

it('checks the actor again when the filter of a batch that waits is evaluated', async () => {
  await createUser(database, 'editor@kustos.test', ['view webs', 'edit webs'])
  const [reader, editor] = [
    await signIn(origin, 'reader@kustos.test'),
    await signIn(origin, 'editor@kustos.test'),
  ]
  const gone = new AbortController()
  await fillQueue(reader, gone.signal)
  const preview = editor.send('POST', '/api/batches/preview', { action: 'refresh', filter: 'q=evil' })
  // The server reads the user when the request arrives.
  await sleep(500)
  await db.delete(rolePermissions).where(eq(rolePermissions.permission, 'edit webs'))
  gone.abort()
  expect((await preview).status).toBe(403)
})
