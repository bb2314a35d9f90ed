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

const buildBody = (changes: object = {}) => ({ email: 'anna@kustos.test', name: 'Anna', ...changes })

it('updates the data of the signed-in user and logs old and new values', async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  const body = buildBody({
    name: 'Änne',
    monitoring_mail_subscription: true,
    deployment_mail_subscription: true,
    password: '',
    roles: [1],
  })
  expect((await client.send('PUT', `/api/users/${anna}`, body)).status).toBe(204)
  expect(await client.json('/api/users/current')).toMatchObject({
    name: 'Änne',
    monitoring_mail_subscription: true,
    deployment_mail_subscription: true,
    roles: [{ name: 'role of anna@kustos.test' }],
  })
  const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
  expect(entry).toMatchObject({
    log_name: 'users',
    description: 'updated',
    causer_id: anna,
    properties: {
      old: {
        name: 'anna@kustos.test',
        monitoring_mail_subscription: false,
        deployment_mail_subscription: false,
      },
      attributes: { name: 'Änne', monitoring_mail_subscription: true, deployment_mail_subscription: true },
    },
  })
})

it('replaces the password, ends other sessions and keeps the password out of the log', async () => {
  const [current, other] = [
    await signIn(origin, 'anna@kustos.test'),
    await signIn(origin, 'anna@kustos.test'),
  ]
  const newPassword = 'a longer pass phrase'
  const replace = buildBody({ password: newPassword, current_password: password })
  expect((await current.send('PUT', `/api/users/${anna}`, replace)).status).toBe(204)
  expect((await current.fetch('/api/users/current')).status).toBe(200)
  expect((await other.fetch('/api/users/current')).status).toBe(401)
  expect((await new ApiClient(origin).signIn('anna@kustos.test')).status).toBe(401)
  const again = new ApiClient(origin)
  expect((await again.signIn('anna@kustos.test', newPassword)).status).toBe(204)
  expect(JSON.stringify(await db.select().from(logEntries))).not.toContain(newPassword)
  const back = { password, current_password: newPassword }
  expect((await again.send('PUT', `/api/users/${anna}`, buildBody(back))).status).toBe(204)
})

it.each([
  [{ email: '' }, 'email'],
  [{ email: 'anna' }, 'email'],
  [{ email: 'BERT@kustos.test', current_password: password }, 'email'],
  [{ name: ' ' }, 'name'],
  [{ password: 'too short' }, 'password'],
  [{ password: 'x'.repeat(129) }, 'password'],
  [{ monitoring_mail_subscription: 'yes' }, 'monitoring_mail_subscription'],
  [{ deployment_mail_subscription: 'yes' }, 'deployment_mail_subscription'],
])('rejects %j with 422 on %s', async (changes, field) => {
  const client = await signIn(origin, 'anna@kustos.test')
  const before = await db.select().from(users).where(eq(users.id, anna))
  const response = await client.send('PUT', `/api/users/${anna}`, buildBody(changes))
  expect(response.status).toBe(422)
  expect(Object.keys(((await response.json()) as { errors: object }).errors)).toEqual([field])
  expect(await db.select().from(users).where(eq(users.id, anna))).toEqual(before)
})

it("does not change another user's data", async () => {
  const client = await signIn(origin, 'anna@kustos.test')
  expect((await client.send('PUT', `/api/users/${bert}`, buildBody())).status).toBe(403)
})

it('rejects the next request of a deleted user', async () => {
  const client = await signIn(origin, 'bert@kustos.test')
  await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, bert))
  expect((await client.fetch('/api/users/current')).status).toBe(401)
})
