import { logEntries, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const anna = await createUser(database, 'anna@kustos.test', [])
const bert = await createUser(database, 'bert@kustos.test', 'admin')

const own = (changes: object = {}) => ({ email: 'anna@kustos.test', name: 'Anna', ...changes })

it('updates the own data and logs old and new values', async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  const body = own({ name: 'Änne', monitoring_mail_subscription: true, password: '', roles: [1] })
  expect((await client.send('PUT', `/api/users/${anna}`, body)).status).toBe(204)
  expect(await client.json('/api/users/current')).toMatchObject({
    name: 'Änne',
    monitoring_mail_subscription: true,
    roles: [{ name: 'role of anna@kustos.test' }],
  })
  const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
  expect(entry).toMatchObject({
    log_name: 'users',
    description: 'updated',
    causer_id: anna,
    properties: {
      old: { name: 'anna@kustos.test', monitoring_mail_subscription: false },
      attributes: { name: 'Änne', monitoring_mail_subscription: true },
    },
  })
})

it('replaces the password, ends other sessions and keeps the password out of the log', async () => {
  const [here, elsewhere] = [
    await signIn(origin, 'anna@kustos.test'),
    await signIn(origin, 'anna@kustos.test'),
  ]
  const next = 'a longer pass phrase'
  expect((await here.send('PUT', `/api/users/${anna}`, own({ password: next }))).status).toBe(204)
  expect((await here.fetch('/api/users/current')).status).toBe(200)
  expect((await elsewhere.fetch('/api/users/current')).status).toBe(401)
  expect((await new ApiClient(origin).signIn('anna@kustos.test')).status).toBe(401)
  const again = new ApiClient(origin)
  expect((await again.signIn('anna@kustos.test', next)).status).toBe(204)
  expect(JSON.stringify(await db.select().from(logEntries))).not.toContain(next)
  expect((await again.send('PUT', `/api/users/${anna}`, own({ password }))).status).toBe(204)
})

it.each([
  [{ email: '' }, 'email'],
  [{ email: 'anna' }, 'email'],
  [{ email: 'BERT@kustos.test' }, 'email'],
  [{ name: ' ' }, 'name'],
  [{ password: 'too short' }, 'password'],
  [{ password: 'x'.repeat(129) }, 'password'],
  [{ monitoring_mail_subscription: 'yes' }, 'monitoring_mail_subscription'],
])('rejects %j with 422 on %s', async (changes, field) => {
  const client = await signIn(origin, 'anna@kustos.test')
  const before = await db.select().from(users).where(eq(users.id, anna))
  const answer = await client.send('PUT', `/api/users/${anna}`, own(changes))
  expect(answer.status).toBe(422)
  expect(Object.keys(((await answer.json()) as { errors: object }).errors)).toEqual([field])
  expect(await db.select().from(users).where(eq(users.id, anna))).toEqual(before)
  // The limits of signing in count failures only.
})

it("does not change another user's data", async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  expect((await client.send('PUT', `/api/users/${bert}`, own())).status).toBe(403)
})

it('locks out a deleted user with the next request', async () => {
  const client = await signIn(origin, 'bert@kustos.test')
  await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, bert))
  expect((await client.fetch('/api/users/current')).status).toBe(401)
})
