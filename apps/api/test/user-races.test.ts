import type { User } from '@kustos/contract/users'
import { logEntries, userRoles, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from './api-client.ts'
import { createRoleByApi, createUserByApi, findAdminRole } from './users-and-roles.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const root = await createUser(database, 'root@kustos.test', 'admin')
const first = await signIn(origin, 'root@kustos.test')
const adminRole = await findAdminRole(first)
const viewers = await createRoleByApi(first, ['view webs'])

const activeAdmins = () =>
  db
    .select({ id: users.id })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.user_id))
    .where(and(eq(userRoles.role_id, adminRole.id), isNull(users.deleted_at)))
const readStatuses = (responses: readonly Response[]) => responses.map((response) => response.status)

it('creates only one of twenty identical concurrent users', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      first.send('POST', '/api/users', {
        email: n % 2 ? 'TWENTY@kustos.test' : 'twenty@kustos.test',
        name: 'Twenty',
        password,
        roles: [viewers.id],
      }),
    ),
  )
  expect(readStatuses(responses).sort()).toEqual([201, ...Array(19).fill(422)])
  for (const response of responses.filter(({ status }) => status === 422))
    expect(await response.json()).toMatchObject({ errors: { email: ['This e-mail is already taken'] } })
  const made = await db.select().from(users).where(eq(users.name, 'Twenty'))
  expect(made).toHaveLength(1)
  const entries = await db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_type, 'user'), eq(logEntries.subject_id, made[0]?.id ?? 0)))
  expect(entries).toHaveLength(1)
})

it('creates one of twenty identical roles at the same time', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      first.send('POST', '/api/roles', { name: n % 2 ? 'Twenty' : 'TWENTY', permissions: [] }),
    ),
  )
  expect(readStatuses(responses).sort()).toEqual([201, ...Array(19).fill(422)])
})

it.each(['demote', 'delete'] as const)(
  'keeps one of two admins who %s each other at the same time',
  async (what) => {
    // These two are the only admins.
    const [left, right] = [
      await createUserByApi(first, password, [adminRole]),
      await createUserByApi(first, password, [adminRole]),
    ]
    const pair = [left, right] as const
    const restore = () =>
      db
        .update(users)
        .set({ deleted_at: null })
        .where(inArray(users.id, [root]))
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, root))
    const attack = (by: ApiClient, user: User) =>
      what === 'delete'
        ? by.send('DELETE', `/api/users/${user.id}`)
        : by.send('PUT', `/api/users/${user.id}`, {
            email: user.email,
            name: user.name,
            roles: [viewers.id],
          })
    let clients = [await signIn(origin, left.email), await signIn(origin, right.email)] as const
    // A deletion ends the sessions of the deleted user and with them their tokens. The other request is answered 419 if it
    // arrives after that, as any change in an ended session is (security/sessions.test.ts).
    const refusals = what === 'delete' ? [401, 403, 409, 419] : [403, 409]
    for (let round = 0; round < 20; round++) {
      const statuses = readStatuses(await Promise.all([attack(clients[0], right), attack(clients[1], left)]))
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      for (const status of statuses) expect([204, ...refusals]).toContain(status)
      expect(await activeAdmins()).toHaveLength(1)
      for (const { id } of pair) {
        await db.update(users).set({ deleted_at: null }).where(eq(users.id, id))
        await db.delete(userRoles).where(eq(userRoles.user_id, id))
        await db.insert(userRoles).values({ user_id: id, role_id: adminRole.id })
      }
      const stays = await Promise.all(clients.map((client) => client.fetch('/api/users/current')))
      clients = [
        stays[0]?.status === 200 ? clients[0] : await signIn(origin, left.email),
        stays[1]?.status === 200 ? clients[1] : await signIn(origin, right.email),
      ]
    }
    for (const { id } of pair) await db.delete(userRoles).where(eq(userRoles.user_id, id))
    await restore()
  },
  60_000,
)

it('never leaves a deleted role assigned', async () => {
  const user = await createUserByApi(first, password, [viewers])
  const body = { email: user.email, name: user.name }
  for (let round = 0; round < 10; round++) {
    const role = await createRoleByApi(first, [])
    await first.send('PUT', `/api/users/${user.id}`, { ...body, roles: [viewers.id] })
    const [assigned, deleted] = readStatuses(
      await Promise.all([
        first.send('PUT', `/api/users/${user.id}`, { ...body, roles: [role.id] }),
        first.send('DELETE', `/api/roles/${role.id}`),
      ]),
    )
    expect([
      [204, 409],
      [422, 204],
    ]).toContainEqual([assigned, deleted])
  }
})

it('ends sessions opened with the old password during a password change', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await createUserByApi(first, password, [viewers])
    const clients = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new ApiClient(origin)
        await client.fetch('/sanctum/csrf-cookie')
        return client
      }),
    )
    const passwordChange = first.send('PUT', `/api/users/${user.id}`, {
      ...user,
      password: 'a new pass phrase',
    })
    const signIns = clients.map((client) =>
      client.send('POST', '/api/login', { email: user.email, password }),
    )
    expect((await passwordChange).status).toBe(204)
    for (const status of readStatuses(await Promise.all(signIns))) expect([204, 401]).toContain(status)
    for (const client of clients) expect((await client.fetch('/api/users/current')).status).toBe(401)
  }
}, 60_000)
