import { nodeActionNames, nodeActionOf } from '@kustos/contract/deployment'
import { type Route, urlOf } from '@kustos/contract/route'
import { deployments, logEntries, sessions } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createContext } from '@kustos/domain/platform/context'
import { createRole } from '@kustos/domain/users'
import { eq, gt } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, listen, password } from '../api-client.ts'
import { readLastEntryId } from '../last-entry.ts'
import { buildLoggedCalls } from '../logged-calls/index.ts'
import { createLoggedFixtures } from '../logged-fixtures.ts'
import { routes } from '../routes.ts'
import { advanceClock, stopClock } from '../stopped-clock.ts'
import { snapshotUsersAndRoles } from '../users-and-roles.ts'

const database = await testDatabase()
const { db } = database
stopClock('2026-11-20T12:00:00Z')
const origin = await listen(database)
const fixtures = await createLoggedFixtures(database, origin)
const calls = buildLoggedCalls(fixtures)
const { admin, adminId } = fixtures

const minute = 60_000
const refusal = { code: 'confirmation_required', message: 'Password confirmation required.' }
const declared = Object.entries(routes)
const requiring = declared.filter(([, { confirmation }]) => confirmation === 'required')

/** As if this session had been confirmed that long ago. */
const setConfirmedAgo = (ms: number, userId = adminId) =>
  db
    .update(sessions)
    .set({ confirmed_at: new Date(Date.now() - ms) })
    .where(eq(sessions.user_id, userId))
const confirm = (client: ApiClient, secret = password) =>
  client.send('POST', '/api/confirmPassword', { password: secret })
const createRoleNamed = (client: ApiClient, name: string) =>
  client.send('POST', '/api/roles', { name, permissions: [] })

const countEntriesAfter = (id: number) => db.$count(logEntries, gt(logEntries.id, id))

beforeEach(() => setConfirmedAgo(0))

describe('the routes that need a confirmed password', () => {
  it('are those of users, roles, nodes and channels, of restoring, and of actions that overwrite data', () => {
    const expected = declared.filter(
      ([name, { method, access, path }]) =>
        // What needs attention is also for those who follow a view of the users.
        (method !== 'GET' &&
          JSON.stringify(access).includes('admin panel') &&
          !path.startsWith('/api/attention')) ||
        path.endsWith('/restore') ||
        (method !== 'GET' && /^\/api\/(nodes|alert-channels)(\/:id)?$/.test(path)) ||
        nodeActionNames.some((action) => name === `deployment.${action}` && nodeActionOf(action).overwrites),
    )
    expect(requiring.map(([name]) => name).sort()).toEqual(expected.map(([name]) => name).sort())
    expect(requiring.map(([name]) => name)).toContain('deployment.importDatabase')
  })

  it('say so in the OpenAPI document', async () => {
    const { paths } = await admin.json<{
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    }>('/api/openapi.json')
    for (const [name, { path, method, confirmation }] of declared) {
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect([name, Object.hasOwn(operation?.responses ?? {}, '423')]).toEqual([
        name,
        confirmation !== undefined,
      ])
    }
  })

  it.each(requiring)(
    '%s is refused after ten minutes and succeeds once confirmed',
    async (name, route: Route) => {
      const { params, body } = (await calls[name]?.()) ?? {}
      const send = () => admin.send(route.method, urlOf(route, params), body)
      await setConfirmedAgo(10 * minute)
      const before = await snapshotUsersAndRoles(database)
      const last = await readLastEntryId(db)
      const refused = await send()
      expect([refused.status, await refused.json()]).toEqual([423, refusal])
      expect(await countEntriesAfter(last)).toBe(0)
      expect(await snapshotUsersAndRoles(database)).toBe(before)
      expect((await confirm(admin)).status).toBe(204)
      expect((await send()).status).toBe(route.status)
    },
  )

  it('are refused to sessions of the previous release', async () => {
    await db.update(sessions).set({ confirmed_at: null }).where(eq(sessions.user_id, adminId))
    expect((await createRoleNamed(admin, 'never confirmed')).status).toBe(423)
  })
})

it('all other changes need no confirmation', async () => {
  await setConfirmedAgo(8 * 60 * minute)
  for (const [name, route] of declared) {
    if (route.method === 'GET' || route.confirmation !== undefined || route.path === '/api/logout') continue
    const { status } = await admin.send(
      route.method,
      urlOf(route, {
        id: 2_000_000_000,
        code: 'NOBODY',
        name: 'nowhere',
        fqdn: 'nowhere.test',
        override: 1,
        exception: 1,
      }),
      {},
    )
    expect([name, status]).not.toEqual([name, 423])
  }
})

describe('where it depends on the change', () => {
  it('a change of another user needs a confirmation, one of the own name does not', async () => {
    const { id, name: email } = await fixtures.user()
    await setConfirmedAgo(10 * minute)
    expect((await admin.send('PUT', `/api/users/${id}`, { email, name: 'Renamed' })).status).toBe(423)
    const own = { email: 'admin@kustos.test', name: 'Renamed', monitoring_mail_subscription: true }
    expect((await admin.send('PUT', `/api/users/${adminId}`, own)).status).toBe(204)
    const { roles } = await admin.json<{ roles: { id: number }[] }>('/api/users/current')
    const same = { ...own, roles: roles.map((role) => role.id) }
    expect((await admin.send('PUT', `/api/users/${adminId}`, same)).status).toBe(204)
    const role = await fixtures.role()
    const more = { ...own, roles: [...same.roles, role.id] }
    expect((await admin.send('PUT', `/api/users/${adminId}`, more)).status).toBe(423)
  })

  it('a retry needs one if the deployment overwrites data', async () => {
    const { id } = await fixtures.deployment('failed')
    const retry = () => admin.send('POST', `/api/deployments/${id}/retry`)
    await setConfirmedAgo(10 * minute)
    await db.update(deployments).set({ kind: 'importDatabase' }).where(eq(deployments.id, id))
    expect((await retry()).status).toBe(423)
    await db.update(deployments).set({ kind: 'backupWeb' }).where(eq(deployments.id, id))
    expect((await retry()).status).toBe(204)
  })
})

describe('the confirmation', () => {
  it('of one session does not count for another', async () => {
    const { client, email, id } = await fixtures.anotherAdmin()
    await setConfirmedAgo(10 * minute, id)
    const other = await fixtures.visit(email)
    expect((await createRoleNamed(client, 'from the old session')).status).toBe(423)
    expect((await createRoleNamed(other, 'from the new session')).status).toBe(201)
  })

  it('lasts for ten minutes, however much is changed', async () => {
    for (let passed = 0; passed < 9; passed++) {
      advanceClock(minute)
      expect((await createRoleNamed(admin, `minute ${passed}`)).status).toBe(201)
    }
    advanceClock(minute)
    expect((await createRoleNamed(admin, 'minute 10')).status).toBe(423)
  })

  it('is refused with a wrong password, and limited like sign-ins', async () => {
    const { client, email, id } = await fixtures.anotherAdmin()
    await setConfirmedAgo(10 * minute, id)
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await confirm(client, 'not the password')
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ error_codes: { password: [{ code: 'password_wrong' }] } })
    }
    const throttled = await confirm(client)
    expect([throttled.status, throttled.headers.has('retry-after')]).toEqual([429, true])
    expect((await createRoleNamed(client, 'never')).status).toBe(423)
    // The limit is the one of sign-ins from this device.
    expect((await client.signIn(email)).status).toBe(429)
  })

  it('does not use up attempts while the password is right', async () => {
    const { client } = await fixtures.anotherAdmin()
    for (let attempt = 0; attempt < 8; attempt++) expect((await confirm(client)).status).toBe(204)
  })
})

it('nothing has to be confirmed at the command line', async () => {
  const role = await createRole(createContext(database), { name: 'from the command line', permissions: [] })
  expect(role.name).toBe('from the command line')
})

it('logs a wrong password of a signed-in user as such, not as a sign-in', async () => {
  advanceClock(24 * 60 * minute)
  const client = fixtures.client()
  expect((await client.signIn('admin@kustos.test')).status).toBe(204)
  const before = await readLastEntryId(db)
  expect((await confirm(client, 'a wrong password')).status).toBe(422)
  expect(await db.select().from(logEntries).where(gt(logEntries.id, before))).toMatchObject([
    { log_name: 'auth', description: 'password refused', subject_id: adminId, causer_id: adminId },
  ])
})
