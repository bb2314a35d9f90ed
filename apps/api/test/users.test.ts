import type { User } from '@kustos/contract/users'
import { logEntries, userRoles } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ApiClient, createUser, listen, password, signIn } from './api-client.ts'
import { createRoleByApi, createUserByApi, lastEntry, snapshotUsersAndRoles } from './users-and-roles.ts'

const database = await testDatabase()
const origin = await listen(database)
const anna = await createUser(database, 'anna@kustos.test', 'admin')
const admin = await signIn(origin, 'anna@kustos.test')
const viewers = await createRoleByApi(admin, ['view webs'])
const queuers = await createRoleByApi(admin, ['view queue'])

const buildBody = (user: User, changes: object = {}) => ({ ...user, password: '', ...changes })
const read = (id: number) => admin.json<User>(`/api/users/${id}`)
const put = (user: User, changes: object = {}, by = admin) =>
  by.send('PUT', `/api/users/${user.id}`, buildBody(user, changes))
const createViewer = () => createUserByApi(admin, password, [viewers])

describe('a new user', () => {
  it('is returned, listed, logged without the password and can sign in', async () => {
    const body = {
      email: 'Berta@kustos.test',
      name: ' Berta ',
      password: 'a long pass phrase',
      roles: [viewers.id, { id: queuers.id, name: queuers.name }],
      monitoring_mail_subscription: true,
    }
    const response = await admin.send('POST', '/api/users', body)
    expect(response.status).toBe(201)
    const user = (await response.json()) as User
    expect(user).toEqual({
      id: expect.any(Number),
      email: 'Berta@kustos.test',
      name: 'Berta',
      monitoring_mail_subscription: true,
      deployment_mail_subscription: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: user.created_at,
      deleted_at: null,
      roles: [
        { id: viewers.id, name: viewers.name },
        { id: queuers.id, name: queuers.name },
      ],
    })
    expect(await read(user.id)).toEqual(user)
    const { data } = await admin.json<{ data: User[] }>('/api/users')
    expect(data.map((row) => row.id)).toEqual(data.map((row) => row.id).sort((a, b) => a - b))
    expect(data).toContainEqual(user)
    const entry = await lastEntry(database)
    expect(entry).toMatchObject({
      log_name: 'users',
      description: 'created',
      subject_type: 'user',
      subject_id: user.id,
      causer_id: anna,
      properties: { attributes: { email: 'Berta@kustos.test', roles: [viewers.name, queuers.name] } },
    })
    expect(JSON.stringify(entry)).not.toContain('pass phrase')
    expect((await new ApiClient(origin).signIn('berta@KUSTOS.test', 'a long pass phrase')).status).toBe(204)
  })

  const validUser = { email: 'new@kustos.test', name: 'New', password: 'a long pass phrase' }
  it.each<[object, string]>([
    [{ email: 'ANNA@kustos.test' }, 'email'],
    [{ email: 'no address' }, 'email'],
    [{ email: undefined }, 'email'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ roles: [] }, 'roles'],
    [{ roles: [2_000_000_000] }, 'roles'],
    [{ roles: 'admin' }, 'roles'],
    [{ roles: undefined }, 'roles'],
    [{ password: 'short' }, 'password'],
    [{ password: undefined }, 'password'],
    [{ password: 'x'.repeat(129) }, 'password'],
    [{ password: 'administrator' }, 'password'],
    [{ password: 'Password1234' }, 'password'],
    [{ password: 'new@kustos.test' }, 'password'],
    [{ monitoring_mail_subscription: 'yes' }, 'monitoring_mail_subscription'],
  ])('with %j is rejected on %s', async (changes, field) => {
    const before = await snapshotUsersAndRoles(database)
    const response = await admin.send('POST', '/api/users', { ...validUser, roles: [viewers.id], ...changes })
    expect(response.status).toBe(422)
    const { errors } = (await response.json()) as { errors: Record<string, string[]> }
    expect(Object.keys(errors)).toEqual([field])
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })

  it('gets all validation errors at once', async () => {
    const body = { ...validUser, email: 'anna@kustos.test', password: 'x'.repeat(20), roles: [2_000_000_000] }
    const response = await admin.send('POST', '/api/users', body)
    expect(await response.json()).toEqual({
      message: 'This e-mail is already taken (and 2 more errors)',
      code: 'invalid_input',
      error_codes: {
        email: [{ code: 'email_taken' }],
        password: [{ code: 'password_guessable' }],
        roles: [{ code: 'role_unknown' }],
      },
      errors: {
        email: ['This e-mail is already taken'],
        roles: ['There is no such role'],
        password: [expect.stringMatching(/easy to guess/)],
      },
    })
  })
})

describe('an edit', () => {
  it('writes the difference and logs old and new values', async () => {
    const user = await createViewer()
    const changes = { name: 'Other', roles: [queuers.id], monitoring_mail_subscription: true }
    expect((await put(user, changes)).status).toBe(204)
    const after = await read(user.id)
    expect(after).toMatchObject({
      email: user.email,
      name: 'Other',
      roles: [{ id: queuers.id, name: queuers.name }],
      monitoring_mail_subscription: true,
    })
    expect(after.updated_at > user.updated_at).toBe(true)
    expect(await lastEntry(database)).toMatchObject({
      log_name: 'users',
      description: 'updated',
      subject_id: user.id,
      causer_id: anna,
      properties: {
        old: { name: user.name, roles: [viewers.name], monitoring_mail_subscription: false },
        attributes: { name: 'Other', roles: [queuers.name], monitoring_mail_subscription: true },
      },
    })
  })

  it('logs nothing if nothing changes', async () => {
    const user = await createViewer()
    const before = await snapshotUsersAndRoles(database)
    expect((await put(user)).status).toBe(204)
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })

  it('keeps the roles if they are left out', async () => {
    const user = await createViewer()
    expect((await put(user, { roles: undefined, name: 'Kept' })).status).toBe(204)
    expect((await read(user.id)).roles).toEqual(user.roles)
  })

  it('applies roles to the next request', async () => {
    const user = await createViewer()
    const client = await signIn(origin, user.email)
    expect((await client.fetch('/api/webs')).status).toBe(200)
    expect((await put(user, { roles: [queuers.id] })).status).toBe(204)
    expect((await client.fetch('/api/webs')).status).toBe(403)
    expect((await client.fetch('/api/queue')).status).toBe(200)
  })

  it("of another user's password ends all sessions of that user only", async () => {
    const user = await createViewer()
    const client = await signIn(origin, user.email)
    expect((await put(user, { password: 'another pass phrase' })).status).toBe(204)
    expect((await client.fetch('/api/users/current')).status).toBe(401)
    expect((await admin.fetch('/api/users/current')).status).toBe(200)
    const entry = await lastEntry(database)
    expect(entry).toMatchObject({ description: 'updated, with a new password', subject_id: user.id })
    expect(JSON.stringify(entry)).not.toContain('another pass')
    expect((await new ApiClient(origin).signIn(user.email, 'another pass phrase')).status).toBe(204)
  })

  it('of a stale version is rejected and names who saved first', async () => {
    const user = await createViewer()
    expect((await put(user, { name: 'First' })).status).toBe(204)
    const before = await snapshotUsersAndRoles(database)
    const response = await put(user, { name: 'Second' })
    expect(response.status).toBe(409)
    const { error } = (await response.json()) as { error: string }
    expect(error).toMatch(/^anna@kustos\.test changed this user at .*Nothing was saved\.$/)
    expect(await snapshotUsersAndRoles(database)).toBe(before)
    expect((await put(user, { name: 'Second', updated_at: undefined })).status).toBe(204)
  })

  it.each<[object, string]>([
    [{ email: 'ANNA@kustos.test' }, 'email'],
    [{ name: '' }, 'name'],
    [{ roles: [] }, 'roles'],
    [{ roles: [2_000_000_000] }, 'roles'],
    [{ roles: ['admin'] }, 'roles.0'],
    [{ password: 'aaaaaaaaaaaaaaaa' }, 'password'],
    [{ updated_at: 'yesterday' }, 'updated_at'],
  ])('to %j is rejected on %s', async (changes, field) => {
    const user = await createViewer()
    const before = await snapshotUsersAndRoles(database)
    const response = await put(user, changes)
    expect(response.status).toBe(422)
    const { errors } = (await response.json()) as { errors: Record<string, string[]> }
    expect(Object.keys(errors)[0]).toBe(field)
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })
})

it('works for an imported user without roles', async () => {
  const user = await createViewer()
  await database.db.delete(userRoles).where(eq(userRoles.user_id, user.id))
  expect((await put(user, { roles: [], name: 'Imported' })).status).toBe(204)
  expect(await read(user.id)).toMatchObject({ name: 'Imported', roles: [] })
})

describe('deleting', () => {
  it('ends the sessions, keeps the e-mail reserved and can be undone', async () => {
    const user = await createViewer()
    const client = await signIn(origin, user.email)
    expect((await admin.send('DELETE', `/api/users/${user.id}`)).status).toBe(204)
    expect((await client.fetch('/api/users/current')).status).toBe(401)
    expect((await new ApiClient(origin).signIn(user.email)).status).toBe(401)
    expect((await read(user.id)).deleted_at).toMatch(/Z$/)
    expect(await lastEntry(database)).toMatchObject({ description: 'sign-in refused' })
    const again = { email: user.email.toUpperCase(), name: 'Again', password, roles: [viewers.id] }
    const rejected = await admin.send('POST', '/api/users', again)
    expect(rejected.status).toBe(422)
    const { errors } = (await rejected.json()) as { errors: object }
    expect(errors).toEqual({ email: ['A deleted user has this e-mail. Restore that user instead'] })
    // Users without the permission do not learn about deleted users.
    const other = await createViewer()
    const ownChange = await put(
      other,
      { email: user.email, current_password: password },
      await signIn(origin, other.email),
    )
    expect(await ownChange.json()).toMatchObject({ errors: { email: ['This e-mail is already taken'] } })

    expect((await admin.send('PUT', `/api/users/${user.id}/restore`)).status).toBe(204)
    expect(await lastEntry(database)).toMatchObject({
      log_name: 'users',
      description: 'restored',
      subject_id: user.id,
      causer_id: anna,
    })
    expect((await read(user.id)).deleted_at).toBeNull()
    // The former session stays ended.
    expect((await client.fetch('/api/users/current')).status).toBe(401)
    expect((await new ApiClient(origin).signIn(user.email)).status).toBe(204)
    const entries = await database.db.select().from(logEntries).where(eq(logEntries.subject_id, user.id))
    expect(entries.map((entry) => entry.description)).toEqual(
      expect.arrayContaining(['created', 'deleted', 'restored']),
    )
  })

  it('oneself is rejected', async () => {
    const before = await snapshotUsersAndRoles(database)
    const response = await admin.send('DELETE', `/api/users/${anna}`)
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        message: 'You can’t delete yourself.',
        error: 'You can’t delete yourself.',
        code: 'own_user_not_deletable',
      },
    ])
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })
})

describe('ending the sessions of a user', () => {
  it('signs them out everywhere, and they can sign in again', async () => {
    const user = await createViewer()
    const clients = [await signIn(origin, user.email), await signIn(origin, user.email)]
    expect((await admin.send('DELETE', `/api/users/${user.id}/sessions`)).status).toBe(204)
    for (const client of clients) expect((await client.fetch('/api/users/current')).status).toBe(401)
    expect(await lastEntry(database)).toMatchObject({
      log_name: 'auth',
      description: 'all sessions ended',
      subject_id: user.id,
      causer_id: anna,
      properties: { attributes: { sessions: 2 } },
    })
    expect((await new ApiClient(origin).signIn(user.email)).status).toBe(204)
  })

  it('is refused for oneself, and for users with more permissions', async () => {
    const own = await admin.send('DELETE', `/api/users/${anna}/sessions`)
    expect([own.status, await own.json()]).toMatchObject([409, { code: 'own_sessions_in_settings' }])
    await createUser(database, 'managers@kustos.test', ['view admin panel'])
    const manager = await signIn(origin, 'managers@kustos.test')
    expect((await manager.send('DELETE', `/api/users/${anna}/sessions`)).status).toBe(403)
    expect((await admin.fetch('/api/users/current')).status).toBe(200)
  })
})

it('removing the role of the last admin is rejected', async () => {
  const before = await snapshotUsersAndRoles(database)
  const response = await put(await read(anna), { roles: [viewers.id] })
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({
    error: 'The last admin can’t be deleted or lose the role.',
  })
  expect(await snapshotUsersAndRoles(database)).toBe(before)
})

it('an unknown user is not found', async () => {
  const deleted = await createViewer()
  await admin.send('DELETE', `/api/users/${deleted.id}`)
  const active = await createViewer()
  const calls = [
    ['GET', '/api/users/2000000000'],
    ['GET', '/api/users/nobody'],
    ['PUT', '/api/users/2000000000'],
    ['PUT', `/api/users/${deleted.id}`],
    ['DELETE', '/api/users/2000000000'],
    ['DELETE', `/api/users/${deleted.id}`],
    ['DELETE', '/api/users/2000000000/sessions'],
    ['DELETE', `/api/users/${deleted.id}/sessions`],
    ['PUT', '/api/users/2000000000/restore'],
    ['PUT', `/api/users/${active.id}/restore`],
  ] as const
  for (const [method, path] of calls) {
    const body = method === 'PUT' && !path.endsWith('restore') ? buildBody(active) : undefined
    const response = method === 'GET' ? await admin.fetch(path) : await admin.send(method, path, body)
    expect([method, path, response.status]).toEqual([method, path, 404])
  }
})
