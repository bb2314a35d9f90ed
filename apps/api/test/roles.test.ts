import { type Permission, permissions } from '@kustos/contract/permissions'
import type { Role } from '@kustos/contract/users'
import { testDatabase } from '@kustos/database/testing'
import { describe, expect, it } from 'vitest'
import { createUser, listen, password, signIn } from './api-client.ts'
import {
  createRoleByApi,
  createUserByApi,
  findAdminRole,
  lastEntry,
  snapshotUsersAndRoles,
} from './users-and-roles.ts'

const database = await testDatabase()
const origin = await listen(database)
const anna = await createUser(database, 'anna@kustos.test', 'admin')
const admin = await signIn(origin, 'anna@kustos.test')
const adminRole = await findAdminRole(admin)

const find = async (id: number) => (await admin.json<Role[]>('/api/roles')).find((role) => role.id === id)
const put = (role: Role, changes: object = {}) =>
  admin.send('PUT', `/api/roles/${role.id}`, { ...role, ...changes })

it('lists admin with every permission and its holders', () => {
  expect(adminRole).toMatchObject({ name: 'admin', permissions: [...permissions], users: 1 })
})

it('returns, lists and logs a new role', async () => {
  const response = await admin.send('POST', '/api/roles', {
    name: ' Night watch ',
    permissions: ['view queue', 'view webs', 'view queue'],
  })
  expect(response.status).toBe(201)
  const role = (await response.json()) as Role
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

it('applies a change to the next request of its holders, and logs it', async () => {
  const role = await createRoleByApi(admin, ['view webs'])
  const user = await createUserByApi(admin, password, [role])
  const client = await signIn(origin, user.email)
  expect((await client.fetch('/api/queue')).status).toBe(403)
  expect((await put(role, { name: 'Renamed', permissions: ['view queue'] })).status).toBe(204)
  expect((await client.fetch('/api/queue')).status).toBe(200)
  expect((await client.fetch('/api/webs')).status).toBe(403)
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
  ['a directional mark', '\u202eadmin'],
  ['a line separator', 'ad\u2028min'],
  ['an invisible filler', 'admin\u3164'],
])('rejects a name with %s, for roles and users', async (_, name) => {
  const before = await snapshotUsersAndRoles(database)
  const errors = { name: ['Contains an invisible character'] }
  const role = await admin.send('POST', '/api/roles', { name, permissions: [] })
  expect([role.status, await role.json()]).toMatchObject([422, { errors }])
  const facts = { email: 'unseen@kustos.test', name, password, roles: [adminRole.id] }
  const user = await admin.send('POST', '/api/users', facts)
  expect([user.status, await user.json()]).toMatchObject([422, { errors }])
  expect(await snapshotUsersAndRoles(database)).toBe(before)
})

it('treats a name in full-width letters as the same name', async () => {
  const response = await admin.send('POST', '/api/roles', { name: 'ａｄｍｉｎ', permissions: [] })
  expect(await response.json()).toMatchObject({
    errors: { name: ['There is already a role with this name'] },
  })
})

it('logs nothing if nothing changes', async () => {
  const role = await createRoleByApi(admin, ['view webs'])
  const before = await snapshotUsersAndRoles(database)
  expect((await put(role)).status).toBe(204)
  expect(await snapshotUsersAndRoles(database)).toBe(before)
})

it('rejects an edit of a stale version and names who saved first', async () => {
  const role = await createRoleByApi(admin, [])
  expect((await put(role, { permissions: ['view webs'] })).status).toBe(204)
  const response = await put(role, { permissions: ['view logs'] })
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({
    error: expect.stringMatching(/^anna@kustos\.test changed this role at /),
  })
  expect((await find(role.id))?.permissions).toEqual(['view webs'])
})

it('deletes and logs an unused role', async () => {
  const role = await createRoleByApi(admin, ['view webs'])
  expect((await admin.send('DELETE', `/api/roles/${role.id}`)).status).toBe(204)
  expect(await find(role.id)).toBeUndefined()
  expect(await lastEntry(database)).toMatchObject({
    log_name: 'roles',
    description: 'deleted',
    subject_id: role.id,
    properties: { old: { name: role.name, permissions: ['view webs'] } },
  })
})

describe('protected roles', () => {
  const expectRejected = async (response: Response, before: string, error: string) => {
    expect([response.status, await response.json()]).toMatchObject([409, { message: error, error }])
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  }

  it('rejects changing or deleting the role admin', async () => {
    const before = await snapshotUsersAndRoles(database)
    const fixed = 'The role admin can’t be changed.'
    await expectRejected(await put(adminRole, { permissions: [] }), before, fixed)
    await expectRejected(await put(adminRole, { name: 'root' }), before, fixed)
    await expectRejected(await admin.send('DELETE', `/api/roles/${adminRole.id}`), before, fixed)
  })

  it('rejects deleting a role in use, including by a deleted user', async () => {
    const role = await createRoleByApi(admin, [])
    const user = await createUserByApi(admin, password, [role])
    const inUse = 'This role is in use. Remove it from its users first.'
    await expectRejected(
      await admin.send('DELETE', `/api/roles/${role.id}`),
      await snapshotUsersAndRoles(database),
      inUse,
    )
    await admin.send('DELETE', `/api/users/${user.id}`)
    expect((await find(role.id))?.users).toBe(1)
    await expectRejected(
      await admin.send('DELETE', `/api/roles/${role.id}`),
      await snapshotUsersAndRoles(database),
      inUse,
    )
  })
})

describe('invalid input', () => {
  const validRole: { name: string; permissions: Permission[] } = { name: 'Right', permissions: ['view webs'] }
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
  ])('%j is rejected on %s for a new and for a changed role', async (changes, field) => {
    const exists = (await admin.json<Role[]>('/api/roles')).some((role) => role.name === 'Taken Näme')
    if (!exists) await admin.send('POST', '/api/roles', { name: 'Taken Näme', permissions: [] })
    const role = await createRoleByApi(admin, [])
    const before = await snapshotUsersAndRoles(database)
    for (const response of [
      await admin.send('POST', '/api/roles', { ...validRole, ...changes }),
      await put(role, { ...validRole, ...changes }),
    ]) {
      expect(response.status).toBe(422)
      const { errors } = (await response.json()) as { errors: object }
      expect(Object.keys(errors)).toEqual([field])
    }
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })

  it('accepts the name of the role itself in another case', async () => {
    const role = await createRoleByApi(admin, [])
    expect((await put(role, { name: role.name.toUpperCase() })).status).toBe(204)
  })

  it.each(['2000000000', 'none'])('does not find the role %s', async (id) => {
    expect((await admin.send('PUT', `/api/roles/${id}`, validRole)).status).toBe(404)
    expect((await admin.send('DELETE', `/api/roles/${id}`)).status).toBe(404)
  })
})
