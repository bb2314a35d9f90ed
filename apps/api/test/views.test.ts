import { can, type Permission, permissions } from '@kustos/contract/permissions'
import { listNames, listsWithViews, type NewView, type View, view } from '@kustos/contract/views'
import { logEntries, roles, userRoles, views } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { desc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'
import { seedRoles } from './seed-roles.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)

async function staff(name: string, access: Parameters<typeof createUser>[2]) {
  const email = `${name}@kustos.test`
  const id = await createUser(database, email, access)
  const [role] = await db
    .select({ id: roles.id, name: roles.name })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
    .where(eq(userRoles.user_id, id))
  if (!role) throw new Error(`${email} has no role`)
  return { id, email, role, client: await signIn(origin, email) }
}
const anna = await staff('anna', ['view webs', 'view queue'])
const ben = await staff('ben', ['view webs'])
const carla = await staff('carla', ['view queue'])
const admin = await staff('admin', 'admin')

beforeEach(async () => {
  await database.owner.db.execute(sql`truncate views cascade`)
})

const input: NewView = {
  list: 'webs',
  name: 'Down',
  query: 'q=alpen&f.node=any-of:n1&size=100',
  column_order: ['fqdn', 'id'],
  column_widths: { fqdn: 300 },
  audience: 'private',
  role_id: null,
}
const change = ({ list: _, ...rest }: NewView = input) => rest

async function send(client: ApiClient, method: string, path: string, body?: unknown) {
  const response = await client.send(method, path, body)
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) }
}
async function create(client: ApiClient, body: Partial<NewView> = {}): Promise<View> {
  const response = await send(client, 'POST', '/api/views', { ...input, ...body })
  expect(response.status).toBe(201)
  return view.parse(response.body)
}
const list = async (client: ApiClient) => z.array(view).parse(await client.json('/api/views'))
const names = async (client: ApiClient) => (await list(client)).map(({ name }) => name)
const lastEntry = async () => (await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1))[0]

describe('saving a view', () => {
  it('returns, lists and logs it', async () => {
    const created = await create(anna.client)
    expect(created).toMatchObject({
      list: 'webs',
      name: 'Down',
      query: input.query,
      column_order: input.column_order,
      column_widths: input.column_widths,
      audience: 'private',
      role: null,
      owner: { id: anna.id, name: anna.email },
      is_editable: true,
      is_pinned: false,
      is_default: false,
      notifications: 'off',
    })
    expect(await list(anna.client)).toEqual([created])
    expect(await lastEntry()).toMatchObject({
      log_name: 'views',
      description: 'created',
      subject_type: 'view',
      subject_id: created.id,
      causer_id: anna.id,
      properties: { attributes: { name: 'Down', query: input.query, audience: 'private', role: null } },
    })
  })

  it('logs widths of columns that are named like secrets', async () => {
    const { id } = await create(anna.client, { column_widths: { token: 100, cookie: 90 } })
    const attributes = { column_widths: ['cookie=90', 'token=100'] }
    expect(await lastEntry()).toMatchObject({ subject_id: id, properties: { attributes } })
  })

  it('refuses more than 200 of one owner, also at the same time', async () => {
    const values = { ...input, owner_id: anna.id, created_at: new Date(), updated_at: new Date() }
    await db.insert(views).values(Array.from({ length: 199 }, (_, at) => ({ ...values, name: `View ${at}` })))
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => send(anna.client, 'POST', '/api/views', { ...input, name })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'views_too_many',
      params: { max: 200 },
    })
    await create(ben.client)
  })

  it('refuses a second one of the list with the same name, in any case and composition of its letters', async () => {
    await create(anna.client, { name: 'Müll' })
    const decomposed = { ...input, name: 'müll'.normalize('NFD') }
    expect((await send(anna.client, 'POST', '/api/views', decomposed)).status).toBe(422)
    await create(anna.client)
    const { status, body } = await send(anna.client, 'POST', '/api/views', { ...input, name: 'DOWN' })
    expect([status, body?.error_codes]).toEqual([422, { name: [{ code: 'view_name_taken' }] }])
    await create(anna.client, { list: 'queue' })
    await create(ben.client)
  })

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(81) }],
    ['query', { query: 'q=\u0000' }],
    ['query', { query: 'x'.repeat(8001) }],
    ['list', { list: 'discovery' }],
    ['column_order.0', { column_order: ['FQDN'] }],
    ['column_order', { column_order: Array(201).fill('id') }],
    ['column_widths.fqdn', { column_widths: { fqdn: 5 } }],
    ['column_widths.fqdn', { column_widths: { fqdn: 900 } }],
    ['role_id', { audience: 'role' }],
    ['audience', { audience: 'all' }],
  ])('refuses an invalid %s', async (field, invalid) => {
    const { status, body } = await send(anna.client, 'POST', '/api/views', { ...input, ...invalid })
    expect([status, Object.keys(body?.errors ?? {})]).toEqual([422, [field]])
    expect(await list(anna.client)).toEqual([])
  })

  it('refuses roles that the user does not have, even unknown ones', async () => {
    for (const role_id of [ben.role.id, 2_000_000_000]) {
      const { status, body } = await send(anna.client, 'POST', '/api/views', {
        ...input,
        audience: 'role',
        role_id,
      })
      expect([status, body?.code]).toEqual([403, 'view_role_not_held'])
    }
    const unknown = { ...input, audience: 'role', role_id: 2_000_000_000 }
    expect((await send(admin.client, 'POST', '/api/views', unknown)).status).toBe(422)
  })
})

describe('who sees a view', () => {
  it('is its owner alone while it is private', async () => {
    await create(anna.client)
    expect(await names(ben.client)).toEqual([])
    expect(await names(admin.client)).toEqual([])
    // The log is complete.
    const log = await admin.client.json<{ data: object[] }>('/api/logs?log=views&limit=1')
    expect(log.data).toMatchObject([{ properties: { attributes: { name: 'Down', query: input.query } } }])
  })

  it('are the members of its role', async () => {
    const { id } = await create(admin.client, { audience: 'role', role_id: ben.role.id })
    expect(await names(anna.client)).toEqual([])
    expect(await list(ben.client)).toMatchObject([{ id, role: ben.role, is_editable: false }])
    expect(await list(admin.client)).toMatchObject([{ id, is_editable: true }])
    const own = await create(anna.client, { audience: 'role', role_id: anna.role.id })
    expect(await names(ben.client)).toEqual(['Down'])
    expect((await send(admin.client, 'DELETE', `/api/views/${own.id}`)).status).toBe(404)
  })

  const holders: Readonly<Record<string, readonly Permission[] | 'admin'>> = {
    ...Object.fromEntries(permissions.map((permission) => [permission, [permission]])),
    ...seedRoles,
  }
  it.each(Object.entries(holders))(
    'are for %s those of the lists that the permissions open',
    async (holding, access) => {
      const reader = await staff(`only-${holding}`.replaceAll(' ', '-'), access)
      for (const name of listNames) await create(admin.client, { list: name, name, audience: 'everyone' })
      const holder = { roles: [{ name: reader.role.name }], permissions: access === 'admin' ? [] : access }
      const allowed = listNames.filter((name) => can(holder, listsWithViews[name].access))
      expect((await names(reader.client)).sort()).toEqual([...allowed].sort())
      for (const name of listNames) {
        const { status } = await send(reader.client, 'POST', '/api/views', { ...input, list: name })
        expect([name, status]).toEqual([name, allowed.includes(name) ? 201 : 403])
      }
    },
  )

  it('are no longer those who lose the permission for its list', async () => {
    const { id } = await create(anna.client, { list: 'queue', audience: 'everyone' })
    expect(await names(ben.client)).toEqual([])
    expect(await names(carla.client)).toEqual(['Down'])
    for (const [method, path, body] of [
      ['PUT', `/api/views/${id}`, change()],
      ['DELETE', `/api/views/${id}`, undefined],
      ['PUT', `/api/views/${id}/preference`, { is_pinned: true, is_default: true }],
    ] as const)
      expect((await send(ben.client, method, path, body)).status).toBe(404)
  })
})

describe('changing a view', () => {
  it('changes it for everybody and logs what differs', async () => {
    const { id, updated_at } = await create(anna.client, { audience: 'everyone' })
    const edited = { ...change(), audience: 'everyone', query: 'q=berg', updated_at }
    expect((await send(anna.client, 'PUT', `/api/views/${id}`, edited)).status).toBe(204)
    expect(await list(ben.client)).toMatchObject([{ id, query: 'q=berg' }])
    const properties = { old: { query: input.query }, attributes: { query: 'q=berg' } }
    expect(await lastEntry()).toMatchObject({ description: 'updated', subject_id: id, properties })
    expect(Object.keys((await lastEntry())?.properties.attributes ?? {})).toEqual(['query'])
  })

  it('accepts a query that is too long already as long as it stays', async () => {
    const { id } = await create(anna.client)
    const query = 'x'.repeat(8001)
    await db.update(views).set({ query }).where(eq(views.id, id))
    const edit = (edits: object) => send(anna.client, 'PUT', `/api/views/${id}`, { ...change(), ...edits })
    expect((await edit({ name: 'Renamed', query })).status).toBe(204)
    expect(await list(anna.client)).toMatchObject([{ name: 'Renamed', query }])
    const { status, body } = await edit({ query: `${query}x` })
    expect([status, body?.error_codes]).toEqual([
      422,
      { query: [{ code: 'too_long', params: { max: 8000 } }] },
    ])
  })

  it('names who changed it meanwhile, and not who pinned it', async () => {
    const { id, updated_at } = await create(anna.client, { audience: 'everyone' })
    const byAdmin = { ...change(), audience: 'everyone', query: 'q=admin' }
    expect((await send(admin.client, 'PUT', `/api/views/${id}`, byAdmin)).status).toBe(204)
    await send(ben.client, 'PUT', `/api/views/${id}/preference`, { is_pinned: true, is_default: false })
    const { status, body } = await send(anna.client, 'PUT', `/api/views/${id}`, { ...change(), updated_at })
    expect([status, body?.code, body?.params]).toEqual([
      409,
      'stale_view',
      { who: 'admin@kustos.test', at: expect.any(String) },
    ])
    expect(await list(ben.client)).toMatchObject([{ query: 'q=admin' }])
  })

  it('writes nothing if nothing differs', async () => {
    const created = await create(anna.client, { column_widths: { id: 60, fqdn: 300 } })
    const before = await lastEntry()
    const same = { ...change(), column_widths: { fqdn: 300, id: 60 }, updated_at: created.updated_at }
    expect((await send(anna.client, 'PUT', `/api/views/${created.id}`, same)).status).toBe(204)
    expect(await lastEntry()).toEqual(before)
    expect(await list(anna.client)).toEqual([created])
  })

  it('is refused to others, and they keep the view', async () => {
    const { id } = await create(anna.client, { audience: 'everyone' })
    const edit = await send(ben.client, 'PUT', `/api/views/${id}`, change())
    expect([edit.status, edit.body?.code]).toEqual([403, 'view_not_editable'])
    expect((await send(ben.client, 'DELETE', `/api/views/${id}`)).status).toBe(403)
    expect(await names(ben.client)).toEqual(['Down'])
    expect((await send(admin.client, 'DELETE', `/api/views/${id}`)).status).toBe(204)
    expect(await names(anna.client)).toEqual([])
  })

  it('is refused once it is deleted', async () => {
    const { id } = await create(anna.client)
    expect((await send(anna.client, 'DELETE', `/api/views/${id}`)).status).toBe(204)
    expect(await lastEntry()).toMatchObject({ description: 'deleted', properties: { old: { name: 'Down' } } })
    const { status, body } = await send(anna.client, 'PUT', `/api/views/${id}`, change())
    expect([status, body?.code]).toEqual([404, 'view_not_found'])
  })

  it('lets one of twenty changes of the same version win', async () => {
    const { id, updated_at } = await create(anna.client)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(anna.client, 'PUT', `/api/views/${id}`, { ...change(), query: `q=${index}`, updated_at }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(409)])
  })
})

it.each([
  ['preference', { is_pinned: true, is_default: false }],
  ['preference', { is_pinned: false, is_default: true }],
  ['notifications', { delivery: 'console' }],
])('does not find a view that is deleted while its %s becomes %o', async (setting, body) => {
  const { id } = await create(anna.client, { audience: 'everyone' })
  const deletion = await database.owner.pool.connect()
  await deletion.query('begin')
  await deletion.query('delete from views where id = $1', [id])
  const changed = send(ben.client, 'PUT', `/api/views/${id}/${setting}`, body)
  await expect.poll(database.waitingStatements, { timeout: 30_000 }).toHaveLength(1)
  await deletion.query('commit')
  deletion.release()
  expect(await changed).toMatchObject({ status: 404, body: { code: 'view_not_found' } })
})

describe('preferences', () => {
  const prefer = (client: ApiClient, id: number, is_pinned: boolean, is_default: boolean) =>
    send(client, 'PUT', `/api/views/${id}/preference`, { is_pinned, is_default })

  it('are those of one user, with one default for a list', async () => {
    const one = await create(anna.client, { audience: 'everyone' })
    const two = await create(anna.client, { name: 'Other', audience: 'everyone' })
    const ofQueue = await create(anna.client, { list: 'queue' })
    for (const { id } of [ofQueue, one, two])
      expect((await prefer(anna.client, id, true, true)).status).toBe(204)
    expect(await lastEntry()).toMatchObject({ description: 'preference changed', subject_id: two.id })
    const defaults = (await list(anna.client)).filter(({ is_default }) => is_default).map(({ id }) => id)
    expect(defaults.sort()).toEqual([ofQueue.id, two.id].sort())
    expect((await list(anna.client)).every(({ is_pinned }) => is_pinned)).toBe(true)
    expect((await list(ben.client)).some(({ is_pinned, is_default }) => is_pinned || is_default)).toBe(false)
    await prefer(anna.client, two.id, false, false)
    expect((await list(anna.client)).find(({ id }) => id === two.id)).toMatchObject({
      is_pinned: false,
      is_default: false,
    })
  })

  it('go with the view', async () => {
    const { id } = await create(anna.client, { audience: 'everyone' })
    await prefer(ben.client, id, true, true)
    expect((await send(anna.client, 'DELETE', `/api/views/${id}`)).status).toBe(204)
    expect(
      (await db.execute(sql`select from pinned_views union all select from default_views`)).rows,
    ).toEqual([])
  })
})

it('keeps the views of a deleted role for their owners, and logs that they are private', async () => {
  const [role] = await db.insert(roles).values({ name: 'short-lived' }).returning()
  if (!role) throw new Error('There is no role')
  const { id } = await create(admin.client, { audience: 'role', role_id: role.id })
  expect((await send(admin.client, 'DELETE', `/api/roles/${role.id}`)).status).toBe(204)
  expect(await list(admin.client)).toMatchObject([{ id, audience: 'private', role: null }])
  const entries = await db
    .select()
    .from(logEntries)
    .where(eq(logEntries.subject_type, 'view'))
    .orderBy(desc(logEntries.id))
  expect(entries[0]).toMatchObject({
    description: 'updated',
    subject_id: id,
    properties: {
      old: { audience: 'role', role: 'short-lived' },
      attributes: { audience: 'private', role: null },
    },
  })
})
