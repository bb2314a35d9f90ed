import type { User } from '@kustos/contract/users'
import { logEntries, userRoles, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { makeRole, makeUser, roleAdmin } from './people.ts'
import { createUser, listen, password, signedIn, Visitor } from './visitor.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const root = await createUser(database, 'root@kustos.test', 'admin')
const first = await signedIn(origin, 'root@kustos.test')
const adminRole = await roleAdmin(first)
const viewers = await makeRole(first, ['view webs'])

const livingAdmins = () =>
  db
    .select({ id: users.id })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.user_id))
    .where(and(eq(userRoles.role_id, adminRole.id), isNull(users.deleted_at)))
const statusesOf = (answers: readonly Response[]) => answers.map((answer) => answer.status)

it('of twenty equal users at once one is created, and the others are told of the e-mail', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      first.send('POST', '/api/users', {
        email: n % 2 ? 'TWENTY@kustos.test' : 'twenty@kustos.test',
        name: 'Twenty',
        password,
        roles: [viewers.id],
      }),
    ),
  )
  expect(statusesOf(answers).sort()).toEqual([201, ...Array(19).fill(422)])
  for (const answer of answers.filter(({ status }) => status === 422))
    expect(await answer.json()).toMatchObject({ errors: { email: ['This e-mail is taken already'] } })
  const made = await db.select().from(users).where(eq(users.name, 'Twenty'))
  expect(made).toHaveLength(1)
  const entries = await db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_type, 'user'), eq(logEntries.subject_id, made[0]?.id ?? 0)))
  expect(entries).toHaveLength(1)
})

it('of twenty equal roles at once one is created', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      first.send('POST', '/api/roles', { name: n % 2 ? 'Twenty' : 'TWENTY', permissions: [] }),
    ),
  )
  expect(statusesOf(answers).sort()).toEqual([201, ...Array(19).fill(422)])
})

it.each(['demote', 'delete'] as const)(
  'of two admins who %s each other at once one remains, twenty times',
  async (what) => {
    // The two are all the admins that there are.
    const [left, right] = [
      await makeUser(first, password, [adminRole]),
      await makeUser(first, password, [adminRole]),
    ]
    const pair = [left, right] as const
    const restore = () =>
      db
        .update(users)
        .set({ deleted_at: null })
        .where(inArray(users.id, [root]))
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, root))
    const against = (by: Visitor, user: User) =>
      what === 'delete'
        ? by.send('DELETE', `/api/users/${user.id}`)
        : by.send('PUT', `/api/users/${user.id}`, {
            email: user.email,
            name: user.name,
            roles: [viewers.id],
          })
    let visitors = [await signedIn(origin, left.email), await signedIn(origin, right.email)] as const
    for (let round = 0; round < 20; round++) {
      const statuses = statusesOf(
        await Promise.all([against(visitors[0], right), against(visitors[1], left)]),
      )
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      for (const status of statuses) expect([204, 401, 403, 409]).toContain(status)
      expect(await livingAdmins()).toHaveLength(1)
      for (const { id } of pair) {
        await db.update(users).set({ deleted_at: null }).where(eq(users.id, id))
        await db.delete(userRoles).where(eq(userRoles.user_id, id))
        await db.insert(userRoles).values({ user_id: id, role_id: adminRole.id })
      }
      const stays = await Promise.all(visitors.map((visitor) => visitor.fetch('/api/users/current')))
      visitors = [
        stays[0]?.status === 200 ? visitors[0] : await signedIn(origin, left.email),
        stays[1]?.status === 200 ? visitors[1] : await signedIn(origin, right.email),
      ]
    }
    for (const { id } of pair) await db.delete(userRoles).where(eq(userRoles.user_id, id))
    await restore()
  },
  60_000,
)

it('a role that is given while it is deleted is either held or gone, never both', async () => {
  const user = await makeUser(first, password, [viewers])
  const body = { email: user.email, name: user.name }
  for (let round = 0; round < 10; round++) {
    const role = await makeRole(first, [])
    await first.send('PUT', `/api/users/${user.id}`, { ...body, roles: [viewers.id] })
    const [given, deleted] = statusesOf(
      await Promise.all([
        first.send('PUT', `/api/users/${user.id}`, { ...body, roles: [role.id] }),
        first.send('DELETE', `/api/roles/${role.id}`),
      ]),
    )
    expect([
      [204, 409],
      [422, 204],
    ]).toContainEqual([given, deleted])
  }
})

it('no session opens with a password that is changed meanwhile, and stays', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await makeUser(first, password, [viewers])
    const visitors = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const visitor = new Visitor(origin)
        await visitor.fetch('/sanctum/csrf-cookie')
        return visitor
      }),
    )
    const changing = first.send('PUT', `/api/users/${user.id}`, { ...user, password: 'a new pass phrase' })
    const entering = visitors.map((visitor) =>
      visitor.send('POST', '/api/login', { email: user.email, password }),
    )
    expect((await changing).status).toBe(204)
    for (const status of statusesOf(await Promise.all(entering))) expect([204, 401]).toContain(status)
    for (const visitor of visitors) expect((await visitor.fetch('/api/users/current')).status).toBe(401)
  }
}, 60_000)
