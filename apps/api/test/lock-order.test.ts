import { openDatabase } from '@kustos/database/client'
import { emailChanges, nodes, roles, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { hashPassword } from '@kustos/domain/auth'
import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { createUser, listen, password, signIn } from './api-client.ts'
import { newWeb } from './deployments.ts'
import { storeRepositories } from './repositories.ts'

const database = await testDatabase()
const { db } = database
const { pool: holders, close } = openDatabase(database.url, { max: 2, asLogin: true })
afterAll(close)
const origin = await listen(database)
await createUser(database, 'admin@kustos.test', 'admin')
const admin = await signIn(origin, 'admin@kustos.test')
await storeRepositories(db, newWeb.sourceRepo)

/** Locks what the statement locks. @returns a function that releases it */
async function hold(statement: string): Promise<() => Promise<void>> {
  const client = await holders.connect()
  await client.query('begin')
  await client.query(statement)
  return async () => {
    await client.query('commit')
    client.release()
  }
}

/** Waits until a statement that contains the text waits for a lock. */
const untilWaiting = (text: string) =>
  expect.poll(database.waitingStatements, { timeout: 30_000 }).toContainEqual(expect.stringContaining(text))

const statusesOf = async (...responses: readonly Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status)

it('lets a user cancel a new e-mail while an admin deletes the user', async () => {
  const id = await createUser(database, 'anna@kustos.test', [])
  const anna = await signIn(origin, 'anna@kustos.test')
  const expires_at = new Date(Date.now() + 60_000)
  await db
    .insert(emailChanges)
    .values({ user_id: id, email: 'new@kustos.test', token_hash: 'hash', expires_at })
  const release = await hold('lock table log_entries in share mode')
  const cancelled = anna.send('DELETE', '/api/emailChange')
  await untilWaiting('insert into "log_entries"')
  const deleted = admin.send('DELETE', `/api/users/${id}`)
  await expect.poll(database.waitingStatements, { timeout: 30_000 }).toHaveLength(2)
  await release()
  expect(await statusesOf(cancelled, deleted)).toEqual([204, 204])
})

it('lets a user enter a wrong password during a change of the user whose password is no longer right', async () => {
  const email = 'berta@kustos.test'
  const id = await createUser(database, email, [])
  const berta = await signIn(origin, email)
  const releaseRoles = await hold(`select from roles where name = 'admin' for update`)
  const changed = berta.send('PUT', `/api/users/${id}`, {
    email: 'other@kustos.test',
    name: 'Berta',
    current_password: password,
  })
  await untilWaiting('from "roles"')
  await db
    .update(users)
    .set({ password_hash: await hashPassword('another password') })
    .where(eq(users.id, id))
  const releaseLog = await hold('lock table log_entries in share mode')
  const confirmed = berta.send('POST', '/api/confirmPassword', { password: 'wrong' })
  await untilWaiting('insert into "log_entries"')
  await releaseRoles()
  await untilWaiting('insert into "failed_sign_ins"')
  await releaseLog()
  expect(await statusesOf(changed, confirmed)).toEqual([422, 422])
})

it('lets a user delete a web while an admin sets another role and password of the user', async () => {
  const email = 'carla@kustos.test'
  const id = await createUser(database, email, ['delete webs'])
  const carla = await signIn(origin, email)
  const [web] = await db
    .insert(webs)
    .values({ fqdn: 'a.test', fqdn_ascii: 'a.test', customer: 'ALPEN', configured_ip: '192.0.2.1' })
    .returning()
  const [role] = await db.insert(roles).values({ name: 'another' }).returning()
  const release = await hold(`select from sessions where user_id = ${id} for update`)
  const deleted = carla.send('DELETE', `/api/webs/${web?.id}`)
  await untilWaiting('from "sessions"')
  const changed = admin.send('PUT', `/api/users/${id}`, {
    email,
    name: 'Carla',
    password: `another ${password}`,
    roles: [role?.id],
  })
  await untilWaiting('delete from "user_roles"')
  await release()
  expect(await statusesOf(deleted, changed)).toEqual([204, 204])
})

it.each([
  { what: 'a web is added to it', table: 'webs', accepted: 201 },
  { what: 'a web is requested on it', table: 'deployments', accepted: 204 },
] as const)('keeps a node that an admin deletes while $what', async ({ table, accepted }) => {
  const [node] = await db
    .insert(nodes)
    .values({ name: `a-${table}`, plesk_fqdn: 'n.test', address: '192.0.2.1', cloud_enabled: true })
    .returning()
  const release = await hold(`lock table ${table} in share mode`)
  const added =
    table === 'webs'
      ? admin.send('POST', '/api/webs', {
          fqdn: 'added.test',
          customer: 'ALPEN',
          configured_ip: '192.0.2.1',
          node: node?.name,
        })
      : admin.send('POST', '/api/deployment/newWeb', newWeb)
  await untilWaiting(`insert into "${table}"`)
  const deleted = admin.send('DELETE', `/api/nodes/${node?.id}`)
  await Promise.race([deleted, untilWaiting('from "nodes"')])
  await release()
  expect(await statusesOf(added, deleted)).toEqual([accepted, 409])
})
