import { type Permission, permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'
import { testDatabase } from '@kustos/database/testing'
import { describe, expect, it } from 'vitest'
import { everythingOf, lastEntry, makeRole, makeUser, roleAdmin } from './people.ts'
import { createUser, listen, password, signedIn } from './visitor.ts'

const database = await testDatabase()
const origin = await listen(database)
const anna = await createUser(database, 'anna@kustos.test', 'admin')
const admin = await signedIn(origin, 'anna@kustos.test')
const adminRole = await roleAdmin(admin)

const find = async (id: number) => (await admin.json<Role[]>('/api/roles')).find((role) => role.id === id)
const put = (role: Role, changes: object = {}) =>
  admin.send('PUT', `/api/roles/${role.id}`, { ...role, ...changes })

it('admin is listed with every permission, and who holds it', () => {
  expect(adminRole).toMatchObject({ name: 'admin', permissions: [...permissions], users: 1 })
})

it('a new role is answered, listed and logged', async () => {
  const answer = await admin.send('POST', '/api/roles', {
    name: ' Night watch ',
    permissions: ['view queue', 'view webs', 'view queue'],
  })
  expect(answer.status).toBe(201)
  const role = (await answer.json()) as Role
  expect(role).toMatchObject({ name: 'Night watch', permissions: ['view webs', 'view queue'], users: 0 })
  expect(await find(role.id)).toEqual(role)
  expect(await lastEntry(database)).toMatchObject({
    log_name: 'roles',
    description: 'created',
    subject_type: 'role',
    subject_id: role.id,
    causer_id: anna,
    properties: { attributes: { name: 'Night watch', permissions: ['view webs', 'view queue'] } },
  })
})

it('a change bites at the next request of whoever holds the role, and is logged', async () => {
  const role = await makeRole(admin, ['view webs'])
  const user = await makeUser(admin, password, [role])
  const visitor = await signedIn(origin, user.email)
  expect((await visitor.fetch('/api/queue')).status).toBe(403)
  expect((await put(role, { name: 'Renamed', permissions: ['view queue'] })).status).toBe(204)
  expect((await visitor.fetch('/api/queue')).status).toBe(200)
  expect((await visitor.fetch('/api/webs')).status).toBe(403)
  expect(await find(role.id)).toMatchObject({ name: 'Renamed', permissions: ['view queue'], users: 1 })
  expect(await lastEntry(database)).toMatchObject({
    log_name: 'roles',
    description: 'updated',
    subject_id: role.id,
    properties: {
      old: { name: role.name, permissions: ['view webs'] },
      attributes: { name: 'Renamed', permissions: ['view queue'] },
    },
  })
})

it.each([
  ['a zero-width space', 'admin\u200b'],
  ['a soft hyphen', 'ad\u00admin'],
  ['a mark of direction', '\u202eadmin'],
  ['a line separator', 'ad\u2028min'],
  ['a filler', 'admin\u3164'],
])('a name with %s is refused, for roles and for users', async (_, name) => {
  const before = await everythingOf(database)
  const errors = { name: ['Contains a character that cannot be seen'] }
  const role = await admin.send('POST', '/api/roles', { name, permissions: [] })
  expect([role.status, await role.json()]).toMatchObject([422, { errors }])
  const facts = { email: 'unseen@kustos.test', name, password, roles: [adminRole.id] }
  const user = await admin.send('POST', '/api/users', facts)
  expect([user.status, await user.json()]).toMatchObject([422, { errors }])
  expect(await everythingOf(database)).toBe(before)
})

it('a name in fullwidth letters is the same one', async () => {
  const answer = await admin.send('POST', '/api/roles', { name: 'ａｄｍｉｎ', permissions: [] })
  expect(await answer.json()).toMatchObject({ errors: { name: ['There is a role with this name already'] } })
})

it('a change of nothing leaves no trace', async () => {
  const role = await makeRole(admin, ['view webs'])
  const before = await everythingOf(database)
  expect((await put(role)).status).toBe(204)
  expect(await everythingOf(database)).toBe(before)
})

it('a change on top of what somebody else has changed is refused, and says who it was', async () => {
  const role = await makeRole(admin, [])
  expect((await put(role, { permissions: ['view webs'] })).status).toBe(204)
  const answer = await put(role, { permissions: ['view logs'] })
  expect(answer.status).toBe(409)
  expect(await answer.json()).toMatchObject({
    error: expect.stringMatching(/^anna@kustos\.test has changed this role at /),
  })
  expect((await find(role.id))?.permissions).toEqual(['view webs'])
})

it('a role that nobody holds can be deleted, which is logged', async () => {
  const role = await makeRole(admin, ['view webs'])
  expect((await admin.send('DELETE', `/api/roles/${role.id}`)).status).toBe(204)
  expect(await find(role.id)).toBeUndefined()
  expect(await lastEntry(database)).toMatchObject({
    log_name: 'roles',
    description: 'deleted',
    subject_id: role.id,
    properties: { old: { name: role.name, permissions: ['view webs'] } },
  })
})

describe('what stays', () => {
  const refused = async (answer: Response, before: string, error: string) => {
    expect([answer.status, await answer.json()]).toEqual([409, { message: error, error }])
    expect(await everythingOf(database)).toBe(before)
  }

  it('admin, as it is', async () => {
    const before = await everythingOf(database)
    const fixed = 'The role admin is fixed.'
    await refused(await put(adminRole, { permissions: [] }), before, fixed)
    await refused(await put(adminRole, { name: 'root' }), before, fixed)
    await refused(await admin.send('DELETE', `/api/roles/${adminRole.id}`), before, fixed)
  })

  it('a role in use, by a deleted user too', async () => {
    const role = await makeRole(admin, [])
    const user = await makeUser(admin, password, [role])
    const inUse = 'This role is in use: take it from its users first.'
    await refused(await admin.send('DELETE', `/api/roles/${role.id}`), await everythingOf(database), inUse)
    await admin.send('DELETE', `/api/users/${user.id}`)
    expect((await find(role.id))?.users).toBe(1)
    await refused(await admin.send('DELETE', `/api/roles/${role.id}`), await everythingOf(database), inUse)
  })
})

describe('bad input', () => {
  const right: { name: string; permissions: Permission[] } = { name: 'Right', permissions: ['view webs'] }
  it.each<[object, string]>([
    [{ name: 'ADMIN' }, 'name'],
    [{ name: 'Admin ' }, 'name'],
    [{ name: 'taken NÄME' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ permissions: ['fly'] }, 'permissions.0'],
    [{ permissions: 'view webs' }, 'permissions'],
    [{ permissions: undefined }, 'permissions'],
  ])('%j is refused, on %s, for a new role and for one that is changed', async (changes, field) => {
    const taken = (await admin.json<Role[]>('/api/roles')).some((role) => role.name === 'Taken Näme')
    if (!taken) await admin.send('POST', '/api/roles', { name: 'Taken Näme', permissions: [] })
    const role = await makeRole(admin, [])
    const before = await everythingOf(database)
    for (const answer of [
      await admin.send('POST', '/api/roles', { ...right, ...changes }),
      await put(role, { ...right, ...changes }),
    ]) {
      expect(answer.status).toBe(422)
      const { errors } = (await answer.json()) as { errors: object }
      expect(Object.keys(errors)).toEqual([field])
    }
    expect(await everythingOf(database)).toBe(before)
  })

  it('a role may keep its name, in another case too', async () => {
    const role = await makeRole(admin, [])
    expect((await put(role, { name: role.name.toUpperCase() })).status).toBe(204)
  })

  it.each(['2000000000', 'none'])('the role %s is not found', async (id) => {
    expect((await admin.send('PUT', `/api/roles/${id}`, right)).status).toBe(404)
    expect((await admin.send('DELETE', `/api/roles/${id}`)).status).toBe(404)
  })
})
