import type { Role, User } from '@kustos/contract/users'
import { sessions } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from './api-client.ts'
import {
  createRoleByApi,
  createUserByApi,
  findAdminRole,
  lastEntry,
  snapshotUsersAndRoles,
} from './users-and-roles.ts'

// The manager is not an admin: the permissions are `view admin panel` and `view webs`.
const database = await testDatabase()
const origin = await listen(database)
const anna = await createUser(database, 'anna@kustos.test', 'admin')

const admin = await signIn(origin, 'anna@kustos.test')
const known = {
  admin: await findAdminRole(admin),
  own: await createRoleByApi(admin, ['view admin panel', 'view webs']),
  less: await createRoleByApi(admin, ['view webs']),
  more: await createRoleByApi(admin, ['view webs', 'view logs']),
  unused: await createRoleByApi(admin, ['delete webs']),
}
const people = {
  self: await createUserByApi(admin, password, [known.own]),
  admin: await admin.json<User>(`/api/users/${anna}`),
  equal: await createUserByApi(admin, password, [known.own, known.less]),
  more: await createUserByApi(admin, password, [known.more]),
  deletedMore: await createUserByApi(admin, password, [known.more]),
  deletedAdmin: await createUserByApi(admin, password, [known.admin]),
}
for (const { id } of [people.deletedMore, people.deletedAdmin]) await admin.send('DELETE', `/api/users/${id}`)
const manager = await signIn(origin, people.self.email)
await signIn(origin, people.more.email)

const notHeldMessage = 'You can’t grant or change permissions that you don’t have.'
const put = (user: User, changes: object) =>
  manager.send('PUT', `/api/users/${user.id}`, {
    ...user,
    updated_at: undefined,
    password: '',
    ...changes,
  })
const putRole = (role: Role, changes: object) =>
  manager.send('PUT', `/api/roles/${role.id}`, { ...role, updated_at: undefined, ...changes })
const createUserWithRoles = (roles: readonly Role[]) =>
  manager.send('POST', '/api/users', {
    email: 'way-up@kustos.test',
    name: 'Way up',
    password,
    roles: roles.map((role) => role.id),
  })
const ids = (...roles: Role[]) => ({ roles: roles.map((role) => role.id) })

describe('a user manager who is not an admin cannot', () => {
  it.each<[string, () => Promise<Response>, string?]>([
    ['take the role admin', () => put(people.self, ids(known.own, known.admin)), 'roles'],
    ['take a role that holds more', () => put(people.self, ids(known.own, known.more)), 'roles'],
    ['give the role admin', () => put(people.equal, ids(known.admin)), 'roles'],
    ['give a role that holds more', () => put(people.equal, ids(known.own, known.more)), 'roles'],
    ['add an admin', () => createUserWithRoles([known.admin]), 'roles'],
    ['add a user with a role that holds more', () => createUserWithRoles([known.less, known.more]), 'roles'],
    ["change an admin's name", () => put(people.admin, { name: 'Other' })],
    ["change an admin's e-mail", () => put(people.admin, { email: 'mine@kustos.test' })],
    ["change an admin's password", () => put(people.admin, { password: 'a long pass phrase' })],
    ["change an admin's roles", () => put(people.admin, ids(known.less))],
    ['change the e-mail of a user who holds more', () => put(people.more, { email: 'mine@kustos.test' })],
    [
      'change the password of a user who holds more',
      () => put(people.more, { password: 'a long pass phrase' }),
    ],
    ['remove the roles of a user who holds more', () => put(people.more, ids(known.less))],
    ['delete an admin', () => manager.send('DELETE', `/api/users/${people.admin.id}`)],
    ['delete a user who holds more', () => manager.send('DELETE', `/api/users/${people.more.id}`)],
    ['restore an admin', () => manager.send('PUT', `/api/users/${people.deletedAdmin.id}/restore`)],
    [
      'restore a user who holds more',
      () => manager.send('PUT', `/api/users/${people.deletedMore.id}/restore`),
    ],
    [
      'widen their own role',
      () => putRole(known.own, { permissions: [...known.own.permissions, 'view logs'] }),
      'permissions',
    ],
    [
      'widen a smaller role beyond their own',
      () => putRole(known.less, { permissions: ['view webs', 'edit webs'] }),
      'permissions',
    ],
    ['narrow a role that holds more', () => putRole(known.more, { permissions: ['view webs'] })],
    ['rename a role that holds more', () => putRole(known.more, { name: 'Other' })],
    ['delete a role that holds more', () => manager.send('DELETE', `/api/roles/${known.unused.id}`)],
    [
      'add a role that holds more',
      () => manager.send('POST', '/api/roles', { name: 'Up', permissions: ['view webs', 'view queue'] }),
      'permissions',
    ],
  ])('%s', async (_, attempt, field) => {
    const before = await snapshotUsersAndRoles(database)
    const sessionCount = await database.db.$count(sessions)
    const response = await attempt()
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        message: 'This action is unauthorized.',
        code: 'permission_not_held',
        error: notHeldMessage,
        ...(field !== undefined && {
          errors: { [field]: [notHeldMessage] },
          error_codes: { [field]: [{ code: 'permission_not_held' }] },
        }),
      },
    ])
    expect(await snapshotUsersAndRoles(database)).toBe(before)
    expect(await database.db.$count(sessions)).toBe(sessionCount)
  })

  it('change the role admin, which no one can', async () => {
    expect((await putRole(known.admin, { permissions: [] })).status).toBe(409)
    expect((await manager.send('DELETE', `/api/roles/${known.admin.id}`)).status).toBe(409)
  })
})

describe('a user manager who is not an admin can', () => {
  it('do everything an admin can within the permissions they hold', async () => {
    const user = await createUserByApi(manager, password, [known.less])
    expect((await put(user, { ...ids(known.own), password: 'a long pass phrase' })).status).toBe(204)
    expect((await manager.send('DELETE', `/api/users/${user.id}`)).status).toBe(204)
    expect((await manager.send('PUT', `/api/users/${user.id}/restore`)).status).toBe(204)
    const role = await createRoleByApi(manager, ['view webs'])
    expect((await putRole(role, { permissions: ['view webs', 'view admin panel'] })).status).toBe(204)
    expect((await manager.send('DELETE', `/api/roles/${role.id}`)).status).toBe(204)
    expect(await lastEntry(database)).toMatchObject({ causer_id: people.self.id, description: 'deleted' })
  })

  it('change their own account and give up roles', async () => {
    const second = await createUserByApi(admin, password, [known.own, known.less])
    const client = await signIn(origin, second.email)
    const send = (changes: object) =>
      client.send('PUT', `/api/users/${second.id}`, { ...second, updated_at: undefined, ...changes })
    expect((await send({ ...ids(), password: '' })).status).toBe(422)
    expect((await send({ ...ids(known.less), password: '' })).status).toBe(204)
    expect((await client.fetch('/api/users')).status).toBe(403)
    // Without access to the panel, roles in the body are ignored.
    expect((await send({ ...ids(known.own), password: '' })).status).toBe(204)
    expect((await admin.json<User>(`/api/users/${second.id}`)).roles).toMatchObject([{ id: known.less.id }])
  })
})

describe('editing a user', () => {
  it.each<[string, 'nobody' | 'plain' | 'manager' | 'admin', keyof typeof people | 'plain', number]>([
    ['is rejected without a session', 'nobody', 'equal', 401],
    ['is allowed without the panel for oneself', 'plain', 'plain', 204],
    ['is rejected without the panel for a user with the same roles', 'plain', 'equal', 403],
    ['is rejected without the panel for an admin', 'plain', 'admin', 403],
    ['is allowed with the panel for oneself', 'manager', 'self', 204],
    ['is allowed with the panel for a user with fewer permissions', 'manager', 'equal', 204],
    ['is rejected with the panel for a user who holds more', 'manager', 'more', 403],
    ['is rejected with the panel for an admin', 'manager', 'admin', 403],
    ['is allowed as admin for oneself', 'admin', 'admin', 204],
    ['is allowed as admin for any user', 'admin', 'more', 204],
    ['is rejected as admin for a deleted user', 'admin', 'deletedMore', 404],
  ])('%s', async (_, who, whom, status) => {
    const plain = await createUserByApi(admin, password, [known.less])
    const nobody = new ApiClient(origin)
    await nobody.fetch('/sanctum/csrf-cookie')
    const client = who === 'plain' ? await signIn(origin, plain.email) : { nobody, manager, admin }[who]
    const user = whom === 'plain' ? plain : people[whom]
    const { roles: _roles, ...body } = { ...user, updated_at: undefined, password: '' }
    expect((await client.send('PUT', `/api/users/${user.id}`, body)).status).toBe(status)
  })
})
