import { setTimeout as sleep } from 'node:timers/promises'
import { message } from '@kustos/contract/messages'
import { type Route, urlOf } from '@kustos/contract/route'
import {
  deployments,
  rolePermissions,
  roles as roleTable,
  sessions,
  userRoles,
  users,
  views,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createContext } from '@kustos/domain/platform/context'
import { DomainError } from '@kustos/domain/platform/errors'
import { createUser as createUserByDomain } from '@kustos/domain/users'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createUser, every, listen, signIn } from '../api-client.ts'
import { only } from '../logged-fixtures.ts'
import { routes } from '../routes.ts'
import { createRoleByApi, snapshotUsersAndRoles } from '../users-and-roles.ts'
import { holdRequest } from './held-request.ts'
import { credentialsOf } from './raw-http.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const email = 'mallory@kustos.test'
let mallory = 0
let before = ''
beforeAll(async () => {
  mallory = await createUser(database, email, every)
  before = await snapshotUsersAndRoles(database)
})

const changingRoutes = Object.entries(routes).filter(
  ([, route]) => route.method !== 'GET' && route.access !== 'public',
)

/** Holds the request until the work between is done. @returns the status */
async function sendSlowly(route: Route, body: string, between: () => Promise<unknown>): Promise<number> {
  const credentials = credentialsOf(await signIn(origin, email))
  const finish = await holdRequest(origin, {
    method: route.method,
    path: urlOf(route, {
      id: mallory,
      code: 'NOBODY',
      name: 'nowhere',
      fqdn: 'nowhere.test',
      override: 1,
      exception: 1,
    }),
    headers: { ...credentials, 'content-type': 'application/json' },
    body,
  })
  // The server reads the session and the user.
  await sleep(100)
  await between()
  return (await finish()).status
}

describe('a request whose body arrives after a revocation changes nothing', () => {
  test.each(changingRoutes)('%s, after its session has ended', async (_, route) => {
    const status = await sendSlowly(route, '{}', () =>
      db.delete(sessions).where(eq(sessions.user_id, mallory)),
    )
    expect(status).toBe(401)
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })

  test.each(changingRoutes.filter(([, { access }]) => access !== 'signed-in'))(
    '%s, after its user has lost the role',
    async (_, route) => {
      const held = await db.select().from(userRoles).where(eq(userRoles.user_id, mallory))
      const status = await sendSlowly(route, '{}', () =>
        db.delete(userRoles).where(eq(userRoles.user_id, mallory)),
      )
      await db.insert(userRoles).values(held)
      expect(status).toBe(403)
      expect(await snapshotUsersAndRoles(database)).toBe(before)
    },
  )

  test('users.createUser, after its user has been deleted', async () => {
    const route = routes['users.createUser']
    const body = JSON.stringify({
      email: 'new@kustos.test',
      name: 'New',
      password: 'a long password',
      roles: [],
    })
    const setDeleted = (deleted_at: Date | null) =>
      db.update(users).set({ deleted_at }).where(eq(users.id, mallory))
    const status = await sendSlowly(route ?? expect.fail(), body, () => setDeleted(new Date()))
    await setDeleted(null)
    expect(status).toBe(401)
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })
})

test('a change is refused inside its transaction, too', async () => {
  const refusal = new DomainError('unauthenticated', message('unauthenticated'))
  const context = { ...createContext(database), readActor: () => Promise.reject(refusal) }
  const input = {
    email: 'new@kustos.test',
    name: 'New',
    password: 'a long password',
    roles: [],
    monitoring_mail_subscription: false,
  }
  await expect(createUserByDomain(context, input)).rejects.toBe(refusal)
  expect(await snapshotUsersAndRoles(database)).toBe(before)
})

/** Makes requests while a statement's locks are held, which are released once the requests have waited for them. */
async function sendDuringLock<T>(statement: string, requests: () => Promise<T>[], between = async () => {}) {
  const { pool } = database.owner
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(statement)
    const sent = requests()
    await vi.waitFor(async () => {
      expect(await database.waitingStatements()).toHaveLength(sent.length)
    }, 20_000)
    await between()
    await client.query('commit')
    return await Promise.all(sent)
  } finally {
    client.release()
  }
}

describe('a change that has to wait for a lock', () => {
  const input = {
    email: 'backdoor@kustos.test',
    name: 'New',
    password: 'a long password',
    roles: [],
    monitoring_mail_subscription: false,
  }

  test('is not made if its session is ended meanwhile', async () => {
    const [own, stolen] = [await signIn(origin, email), await signIn(origin, email)]
    const role = await createRoleByApi(own, [])
    before = await snapshotUsersAndRoles(database)
    const [response] = await sendDuringLock(
      `select from roles where name = 'admin' for update`,
      () => [stolen.send('POST', '/api/users', { ...input, roles: [role.id] })],
      async () => {
        expect((await own.send('DELETE', '/api/sessions')).status).toBe(204)
      },
    )
    expect(response?.status).toBe(401)
    expect(await snapshotUsersAndRoles(database)).toBe(before)
  })

  test.each(['/api/sessions', 'the other one'])(
    'ends no session if its own is ended meanwhile: DELETE %s',
    async (path) => {
      await db.delete(sessions).where(eq(sessions.user_id, mallory))
      const clients = [await signIn(origin, email), await signIn(origin, email)]
      const [first, second] = await db
        .select({ number: sessions.number })
        .from(sessions)
        .where(eq(sessions.user_id, mallory))
        .orderBy(sessions.number)
      const others = [second?.number, first?.number]
      const responses = await sendDuringLock(`select from users where id = ${mallory} for update`, () =>
        clients.map((client, index) =>
          client.send('DELETE', path === '/api/sessions' ? path : `/api/sessions/${others[index]}`),
        ),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 401])
      expect(await db.$count(sessions, eq(sessions.user_id, mallory))).toBe(1)
    },
  )
})

describe('a change that has to wait for a lock is not made', () => {
  const allOf = (column: string) =>
    `where ${column} in (select role_id from user_roles where user_id = ${mallory})`
  /** As the change of a role does. */
  const takePermissions = (condition: string) =>
    `delete from role_permissions ${allOf('role_id')} and ${condition};
     update roles set updated_at = updated_at ${allOf('id')}`
  const snapshot = async () =>
    JSON.stringify([
      await snapshotUsersAndRoles(database),
      await db.select().from(webs),
      await db.select().from(deployments),
    ])

  /** Expects a request to be forbidden that was waiting for a lock while another transaction took permissions away. */
  async function expectForbidden(
    lock: string,
    takeAway: string,
    [method, path, body]: readonly [string, string, unknown?],
  ) {
    const client = await signIn(origin, email)
    const held = await db.select().from(userRoles)
    const granted = await db.select().from(rolePermissions)
    before = await snapshot()
    const [response] = await sendDuringLock(`${lock}; ${takeAway}`, () => [client.send(method, path, body)])
    await db.insert(userRoles).values(held).onConflictDoNothing()
    await db.insert(rolePermissions).values(granted).onConflictDoNothing()
    expect(response?.status).toBe(403)
    expect(await snapshot()).toBe(before)
  }

  const addUser = async (name: string, deleted_at: Date | null = null) =>
    only(
      await db
        .insert(users)
        .values({ email: `${name}@kustos.test`, name, password_hash: '', deleted_at })
        .returning(),
    ).id
  const addRole = async (name: string) => only(await db.insert(roleTable).values({ name }).returning()).id
  const addWeb = async (fqdn: string) =>
    only(
      await db
        .insert(webs)
        .values({ fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', configured_ip: '192.0.2.1' })
        .returning(),
    ).id

  const whileRolesAreLocked = `select from roles where name = 'admin' for update`
  describe.each([
    ['its user loses the role', () => `delete from user_roles where user_id = ${mallory}`],
    ['its role loses the permissions', () => takePermissions('true')],
  ])('if %s meanwhile', (what, takeAway) => {
    const name = what.replaceAll(' ', '-')

    test('deleting a user', async () => {
      const id = await addUser(`deleting-${name}`)
      await expectForbidden(whileRolesAreLocked, takeAway(), ['DELETE', `/api/users/${id}`])
    })

    test('restoring a user', async () => {
      const id = await addUser(`restoring-${name}`, new Date())
      await expectForbidden(whileRolesAreLocked, takeAway(), ['PUT', `/api/users/${id}/restore`])
    })

    test('creating a role', () =>
      expectForbidden(whileRolesAreLocked, takeAway(), ['POST', '/api/roles', { name, permissions: [] }]))

    test('deleting a role', async () => {
      const id = await addRole(`deleting ${name}`)
      await expectForbidden(whileRolesAreLocked, takeAway(), ['DELETE', `/api/roles/${id}`])
    })

    test('deleting a web', async () => {
      const path = `/api/webs/${await addWeb(`deleting-${name}.test`)}`
      await expectForbidden('select from webs for update', takeAway(), ['DELETE', path])
    })

    test('deleting a web, which waits for nothing but the revocation', async () => {
      const path = `/api/webs/${await addWeb(`revoking-${name}.test`)}`
      await expectForbidden('select', takeAway(), ['DELETE', path])
    })
  })

  test('if its role loses the permission that cancelling this kind of deployment needs meanwhile', async () => {
    const at = new Date()
    const row = { kind: 'updateWeb', fqdn: 'alpenhof.test', created_at: at, updated_at: at }
    const path = `/api/deployments/${only(await db.insert(deployments).values(row).returning()).id}/cancel`
    const takeAway = takePermissions(`permission = 'edit webs'`)
    await expectForbidden('select from deployments for update', takeAway, ['POST', path])
  })

  /** Somebody who also has the role, and still sees websites without it. */
  const addHolder = async (name: string, role: number) => {
    const id = await createUser(database, `${name}@kustos.test`, ['view webs'])
    await db.insert(userRoles).values({ user_id: id, role_id: role })
    return { id, client: await signIn(origin, `${name}@kustos.test`) }
  }
  const view = { name: 'Webs', query: '', column_order: [], column_widths: {} }

  test('changing a view of somebody else, if its user is no admin any more', async () => {
    const [admin] = await db.select().from(roleTable).where(eq(roleTable.name, 'admin'))
    const { id, client } = await addHolder('former-admin', admin?.id ?? 0)
    const row = { ...view, list: 'webs', audience: 'everyone', owner_id: mallory } as const
    const path = `/api/views/${only(await db.insert(views).values(row).returning()).id}`
    const body = { ...view, name: 'Changed', audience: 'everyone', role_id: null }
    for (const [method, sent] of [['PUT', body] as const, ['DELETE'] as const]) {
      const demotion = `delete from user_roles where user_id = ${id} and role_id = ${admin?.id}`
      const [response] = await sendDuringLock(`select from views for update; ${demotion}`, () => [
        client.send(method, path, sent),
      ])
      expect(response?.status).toBe(403)
      await db.insert(userRoles).values({ user_id: id, role_id: admin?.id ?? 0 })
    }
    expect(await db.select().from(views)).toMatchObject([{ name: 'Webs' }])
  })

  test('sharing a view with a role that its user has no longer', async () => {
    const role = await addRole('shared with')
    const { id, client } = await addHolder('former-member', role)
    const [response] = await sendDuringLock(
      `select pg_advisory_xact_lock(hashtext('kustos.views')); delete from user_roles where user_id = ${id} and role_id = ${role}`,
      () => [client.send('POST', '/api/views', { ...view, list: 'webs', audience: 'role', role_id: role })],
    )
    expect(response?.status).toBe(403)
    expect(await db.$count(views, eq(views.role_id, role))).toBe(0)
  })
})
