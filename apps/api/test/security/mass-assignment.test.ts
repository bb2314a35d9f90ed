import { type Route, urlOf } from '@kustos/contract/route'
import { nodes, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createUser, listen, signIn } from '../api-client.ts'
import { buildLoggedCalls } from '../logged-calls/index.ts'
import { createLoggedFixtures } from '../logged-fixtures.ts'
import { routes } from '../routes.ts'

const database = await testDatabase()
const { db, owner } = database
const origin = await listen(database)
const fixtures = await createLoggedFixtures(database, origin)
const calls = buildLoggedCalls(fixtures)

/** Values that occur only if a test could inject them. */
const marks = { text: 'slipped-in', number: 1_999_888_777, time: '2001-02-03T04:05:06.000Z' }

/** Names of columns, of fields of other features, and of options of other frameworks. */
const foreignFields: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['id', 'user_id', 'causer_id', 'number', 'web_id', 'node_id', 'requested_by', 'version', 'attempts'].map(
      (name) => [name, marks.number],
    ),
  ),
  ...Object.fromEntries(
    [
      'created_at',
      'updated_at',
      'deleted_at',
      'checked_at',
      'ended_at',
      'last_seen_at',
      'cert_expiration',
    ].map((name) => [name, marks.time]),
  ),
  ...Object.fromEntries(
    [
      'password_hash',
      'state',
      'kind',
      'repository',
      'sysuser',
      'cert_ca',
      'fqdn_ascii',
      'mname',
      'type',
      'log',
      'command',
    ].map((name) => [name, marks.text]),
  ),
  is_admin: true,
  admin: marks.text,
  role: marks.text,
  roles: [{ id: marks.number, name: marks.text }],
  permissions: [marks.text],
  tracking_data: { slipped: marks.text },
  properties: { attributes: { slipped: marks.text } },
  data: { userId: marks.number },
}

/** Finds rows that contain one of the marks. */
async function findMarkedRows(): Promise<string[]> {
  const { rows: tables } = await owner.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await owner.pool.query<{ line: string }>(
      `select row_to_json(t)::text as line from public.${name} t
        where row_to_json(t)::text ~ '${marks.text}|${marks.number}|2001-02-03'`,
    )
    found.push(...rows.map(({ line }) => `${name}: ${line}`))
  }
  return found
}

describe('unknown fields', () => {
  const withBody = Object.entries(routes).filter(
    // A preview takes the body of its change.
    ([, route]) => route.body !== undefined && route.isPreview !== true,
  )
  it.each(withBody)('%s', async (name, route: Route) => {
    const call = await calls[name]?.()
    if (!call) throw new Error(`There is no body for ${name}`)
    const own = Object.keys(route.body?.shape ?? {})
    const extra = Object.fromEntries(Object.entries(foreignFields).filter(([field]) => !own.includes(field)))
    // The fields of the body stay valid, so that the call succeeds.
    const body = { ...extra, ...(call.body as object) }
    const { by = fixtures.admin } = call
    const response = await by.send(route.method, urlOf(route, call.params), body)
    const text = await response.text()
    expect(response.status, text).toBe(route.status)
    expect(text).not.toMatch(/slipped-in|1999888777|2001-02-03|password/)
    expect(await findMarkedRows()).toEqual([])
  })

  it('are ignored in queries and headers', async () => {
    const { id } = await fixtures.user()
    const query = Object.entries(foreignFields).map(
      ([key, value]) => `${key}=${encodeURIComponent(JSON.stringify(value))}`,
    )
    const body = { email: `user-${id}@kustos.test`, name: 'Plain' }
    expect((await fixtures.admin.send('PUT', `/api/users/${id}?${query.join('&')}`, body)).status).toBe(204)
    expect(await findMarkedRows()).toEqual([])
  })
})

describe('a known field that the caller may not set', () => {
  it("does not change a user's own roles, in any shape", async () => {
    const email = 'climber@kustos.test'
    const id = await createUser(database, email, ['view webs'])
    const climber = await signIn(origin, email)
    const roleIds = (await fixtures.admin.json<{ id: number; name: string }[]>('/api/roles')).map(
      (role) => role.id,
    )
    for (const roles of [
      roleIds,
      roleIds.map((role) => ({ id: role })),
      [{ id: 1, name: 'admin', permissions: [] }],
    ]) {
      await climber.send('PUT', `/api/users/${id}`, { email, name: 'Climber', roles, is_admin: true })
      expect(await climber.json('/api/users/current')).toMatchObject({
        roles: [{ name: `role of ${email}` }],
        permissions: ['view webs'],
      })
    }
    expect((await climber.fetch('/api/users')).status).toBe(403)
  })

  it('does not move a web to another node', async () => {
    await db
      .insert(nodes)
      .values({ name: 'n2', plesk_fqdn: 'n2.test', address: '192.0.2.2', cloud_enabled: true })
    const { id, name: fqdn } = await fixtures.web()
    const body = { fqdn, customer: 'ALPEN', configured_ip: '192.0.2.1', node: 'n2' }
    const response = await fixtures.admin.send('PUT', `/api/webs/${id}`, body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { node: [expect.any(String)] } })
    expect(await fixtures.admin.json(`/api/webs/${id}`)).toMatchObject({ node: 'n1' })
  })

  it('does not restore or change a deleted web or user', async () => {
    const [web, user] = [await fixtures.web({ deleted_at: new Date() }), await fixtures.user()]
    await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, user.id))
    const facts = { fqdn: 'other.test', customer: 'A', configured_ip: '192.0.2.1', deleted_at: null }
    expect((await fixtures.admin.send('PUT', `/api/webs/${web.id}`, facts)).status).toBe(404)
    await fixtures.admin.send('PUT', `/api/users/${user.id}`, {
      email: user.name,
      name: 'New',
      deleted_at: null,
    })
    const [row] = await db.select().from(users).where(eq(users.id, user.id))
    expect(row?.deleted_at).not.toBeNull()
    const [kept] = await db.select().from(webs).where(eq(webs.id, web.id))
    expect(kept).toMatchObject({ fqdn: web.name, deleted_at: expect.any(Date) })
  })
})
