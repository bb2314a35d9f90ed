import { type AlertPreview, type AlertRoute, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import type { AttentionList } from '@kustos/contract/attention'
import type { Permission } from '@kustos/contract/permissions'
import { type Rota, rotasRoutes } from '@kustos/contract/rotas'
import { alertChannels, customers, nodes, rotaOverrides, tags, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createContext } from '@kustos/domain/platform/context'
import { noticeShifts } from '@kustos/domain/rotas'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type ApiClient, createUser, listen, signIn } from './api-client.ts'
import { readLastEntryOf } from './last-entry.ts'
import { only } from './logged-fixtures.ts'

/** A Friday, 11:00 in Rome. */
let now = new Date('2026-11-20T10:00:00Z')
const database = await testDatabase()
const { db } = database
const origin = await listen(database, { now: () => now })

async function clientOf(name: string, permissions: readonly Permission[] | 'admin') {
  const id = await createUser(database, `${name}@kustos.test`, permissions)
  return { id, client: await signIn(origin, `${name}@kustos.test`) }
}
const { id: adminId, client: admin } = await clientOf('admin', 'admin')
const { id: annaId, client: anna } = await clientOf('anna', ['view monitoring web statistic'])
const { id: benId, client: ben } = await clientOf('ben', ['view monitoring web statistic'])
const { id: hostId } = await clientOf('host', ['view webs'])

const rotasPath = rotasRoutes.listRotas.path
const routesPath = alertRoutesRoutes.listAlertRoutes.path
const listRotas = async () => (await admin.json<{ data: Rota[] }>(rotasPath)).data
const listRoutes = async () => (await admin.json<{ data: AlertRoute[] }>(routesPath)).data
const rotaBody = (more: object = {}) => ({
  name: 'Night',
  users: [annaId, benId],
  handover: 'weekly',
  weekday: 1,
  time: '09:00',
  first_day: '2026-11-16',
  ...more,
})
async function create(path: string, body: object): Promise<number> {
  const response = await admin.send('POST', path, body)
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}
const statusOf = async (client: ApiClient, ...call: Parameters<ApiClient['send']>) =>
  (await client.send(...call)).status
const errorsOf = async (path: string, body: object) => {
  const response = await admin.send('POST', path, body)
  expect(response.status).toBe(422)
  return ((await response.json()) as { errors: Record<string, string[]> }).errors
}

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  for (const table of ['alert_routes', 'rotas', 'alert_channels', 'webs', 'nodes', 'customers', 'tags'])
    await database.owner.pool.query(`delete from ${table}`)
  await db.update(users).set({ deleted_at: null })
})

describe('rotas', () => {
  it('say who is on call now and next', async () => {
    await create(rotasPath, rotaBody())
    const [rota] = await listRotas()
    expect(rota).toMatchObject({
      name: 'Night',
      users: [{ id: annaId, can_be_on_call: true }, { id: benId }],
      now: { user: { id: annaId }, from: '2026-11-16T08:00:00.000Z', to: '2026-11-23T08:00:00.000Z' },
      overrides: [],
      routes: [],
    })
    expect(rota?.next.map(({ user }) => user?.id)).toEqual([benId, annaId, benId, annaId, benId, annaId])
  })

  it('refuse users who may not see incidents, twice the same, and none', async () => {
    const sentence = `User ${hostId} may not see incidents or was deleted`
    expect(await errorsOf(rotasPath, rotaBody({ users: [annaId, hostId] }))).toEqual({ users: [sentence] })
    expect(await errorsOf(rotasPath, rotaBody({ users: [annaId, annaId] }))).toHaveProperty('users')
    expect(await errorsOf(rotasPath, rotaBody({ users: [] }))).toHaveProperty('users')
    expect(await errorsOf(rotasPath, rotaBody({ weekday: null }))).toHaveProperty('weekday')
    expect(await errorsOf(rotasPath, rotaBody({ time: '24:00' }))).toHaveProperty('time')
    expect(await errorsOf(rotasPath, rotaBody({ first_day: '0000-12-31' }))).toEqual({
      first_day: ['Year must be between 1 and 9999'],
    })
  })

  it('skip a deleted user, who stays in the rota', async () => {
    const id = await create(rotasPath, rotaBody())
    await db.update(users).set({ deleted_at: now }).where(eq(users.id, annaId))
    const [rota] = await listRotas()
    expect(rota).toMatchObject({ now: { user: { id: benId } }, users: [{ can_be_on_call: false }, {}] })
    expect(await statusOf(admin, 'PUT', `${rotasPath}/${id}`, rotaBody({ time: '10:00' }))).toBe(204)
  })

  it('let users take over for themselves, and editors put anyone on call', async () => {
    const id = await create(rotasPath, rotaBody())
    const overrides = `${rotasPath}/${id}/overrides`
    const to = '2026-11-20T18:00:00Z'
    expect(await statusOf(ben, 'POST', overrides, { user: annaId, to })).toBe(403)
    expect(await statusOf(ben, 'POST', overrides, { user: benId, to, note: 'Dentist' })).toBe(201)
    const [rota] = await listRotas()
    expect(rota).toMatchObject({
      now: { user: { id: benId }, from: now.toISOString(), to: '2026-11-20T18:00:00.000Z' },
      overrides: [{ user: { id: benId }, note: 'Dentist', created_by: { id: benId } }],
    })
    const path = `${overrides}/${rota?.overrides[0]?.id}`
    expect(await statusOf(anna, 'DELETE', path)).toBe(403)
    expect(await statusOf(ben, 'DELETE', path)).toBe(204)
    expect(await statusOf(admin, 'POST', overrides, { user: annaId, to })).toBe(201)
    expect(await errorsOf(overrides, { user: annaId, to: '2026-11-20T09:00:00Z' })).toHaveProperty('to')
    expect(await errorsOf(overrides, { user: hostId, to })).toHaveProperty('user')
    expect(await statusOf(admin, 'DELETE', `${overrides}/999999`)).toBe(404)
  })

  it('have at most 100 overrides that are not over, each of at most 366 days', async () => {
    const id = await create(rotasPath, rotaBody())
    const overrides = `${rotasPath}/${id}/overrides`
    const body = { user: annaId, to: '2026-11-20T18:00:00Z' }
    const row = { rota_id: id, user_id: benId, starts_at: now, created_at: now }
    const endAt = (to: string, count: number) =>
      db
        .insert(rotaOverrides)
        .values(Array.from({ length: count }, () => ({ ...row, ends_at: new Date(to) })))
    await endAt('2026-11-20T11:00:00Z', 1)
    await endAt('2026-11-21T11:00:00Z', 99)
    const refused = await admin.send('POST', overrides, body)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'rota_overrides_full', params: { max: 100 } },
    ])
    now = new Date('2026-11-20T11:00:00Z')
    expect(await errorsOf(overrides, { ...body, to: '2027-11-21T11:00:01Z' })).toHaveProperty('to')
    expect(await statusOf(admin, 'POST', overrides, { ...body, to: '2027-11-21T11:00:00Z' })).toBe(201)
    expect(await statusOf(admin, 'POST', overrides, body)).toBe(409)
  })

  it('cannot be deleted while a route uses them', async () => {
    const id = await create(rotasPath, rotaBody())
    const route = await create(routesPath, { name: 'Escalate', steps: [{ rotas: [id] }] })
    expect((await listRotas())[0]?.routes).toEqual([{ id: route, name: 'Escalate' }])
    const response = await admin.send('DELETE', `${rotasPath}/${id}`)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('Escalate') })
    expect(await statusOf(admin, 'DELETE', `${routesPath}/${route}`)).toBe(204)
    expect(await statusOf(admin, 'DELETE', `${rotasPath}/${id}`)).toBe(204)
  })

  it('refuse a stale edit', async () => {
    const id = await create(rotasPath, rotaBody())
    const { updated_at } = only(await listRotas())
    expect(
      await statusOf(admin, 'PUT', `${rotasPath}/${id}`, { ...rotaBody({ time: '10:00' }), updated_at }),
    ).toBe(204)
    expect(await statusOf(admin, 'PUT', `${rotasPath}/${id}`, { ...rotaBody(), updated_at })).toBe(409)
  })

  it('keep who is on call when users are added, unless the first day changes, too', async () => {
    const id = await create(rotasPath, rotaBody({ first_day: '2026-11-02' }))
    // The third week is Anna's again; with three users it would be that of the new one.
    const users = [annaId, benId, adminId]
    const edit = async () =>
      statusOf(admin, 'PUT', `${rotasPath}/${id}`, {
        ...rotaBody({ users, first_day: '2026-11-02' }),
        updated_at: only(await listRotas()).updated_at,
      })
    expect(await edit()).toBe(204)
    const [rota] = await listRotas()
    expect(rota).toMatchObject({
      users: users.map((user) => ({ id: user })),
      first_day: '2026-11-16',
      now: { user: { id: annaId }, from: '2026-11-16T08:00:00.000Z', to: '2026-11-23T08:00:00.000Z' },
    })
    expect(rota?.next.slice(0, 2).map(({ user }) => user?.id)).toEqual([benId, adminId])
    expect(await edit()).toBe(204)
    expect((await listRotas())[0]).toMatchObject({ now: { user: { id: adminId } } })
  })

  it('tell the user on call, and everyone if there is nobody', async () => {
    await create(rotasPath, rotaBody({ handover: 'daily', time: '12:00', first_day: '2026-11-19' }))
    const kinds = async (client: ApiClient) =>
      (await client.json<AttentionList>('/api/attention')).data.map(({ kind, subject }) => [kind, subject])
    expect(await kinds(anna)).toEqual([['on_call', 'Night']])
    expect(await kinds(ben)).toEqual([])
    now = new Date('2026-11-20T11:00:00Z')
    const context = createContext(database, null, () => now)
    expect(await noticeShifts(context)).toEqual({ changed: 1 })
    expect(await noticeShifts(context)).toBeNull()
    expect(await kinds(anna)).toEqual([])
    const [entry] = (await ben.json<AttentionList>('/api/attention')).data
    expect(entry).toMatchObject({ kind: 'on_call', since: '2026-11-20T11:00:00+00:00' })
    expect(await statusOf(ben, 'PUT', `/api/attention/${entry?.id}/acknowledge`, {})).toBe(204)
    expect(await kinds(ben)).toEqual([])
    await db.update(users).set({ deleted_at: now }).where(eq(users.id, annaId))
    await database.owner.pool.query(`update rotas set user_ids = '{${annaId}}'`)
    await noticeShifts(context)
    expect(await kinds(ben)).toEqual([['rota_unstaffed', 'Night']])
  })

  it('tell the user who takes over within a turn, though the one before has acknowledged it', async () => {
    const id = await create(rotasPath, rotaBody())
    const openOf = async (client: ApiClient) => (await client.json<AttentionList>('/api/attention')).data
    const acknowledge = async (client: ApiClient) =>
      statusOf(client, 'PUT', `/api/attention/${only(await openOf(client)).id}/acknowledge`, {})
    expect(await acknowledge(anna)).toBe(204)
    now = new Date('2026-11-20T10:05:00Z')
    expect(await statusOf(admin, 'PUT', `${rotasPath}/${id}`, rotaBody({ users: [benId] }))).toBe(204)
    expect(await openOf(ben)).toMatchObject([{ kind: 'on_call', since: '2026-11-20T10:05:00+00:00' }])
    expect(await acknowledge(ben)).toBe(204)
    const override = { user: annaId, to: '2026-11-20T10:15:00Z' }
    now = new Date('2026-11-20T10:10:00Z')
    expect(await statusOf(admin, 'POST', `${rotasPath}/${id}/overrides`, override)).toBe(201)
    expect(await acknowledge(anna)).toBe(204)
    now = new Date('2026-11-20T10:15:00Z')
    await noticeShifts(createContext(database, null, () => now))
    expect(await openOf(anna)).toEqual([])
    expect(await openOf(ben)).toMatchObject([{ kind: 'on_call', since: '2026-11-20T10:15:00+00:00' }])
  })
})

describe('alert routes', () => {
  const step = async () => [{ rotas: [await create(rotasPath, rotaBody())] }]

  it('are stored by name, in an order that can be changed', async () => {
    await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.test' })
    await db.insert(customers).values({ code: 'ALPEN' })
    await db.insert(tags).values({ name: 'shop' })
    const channel = only(
      await db.insert(alertChannels).values({ name: 'Chat', kind: 'webhook', settings: {} }).returning(),
    )
    const body = {
      name: 'Gold',
      customers: ['ALPEN'],
      tags: ['shop'],
      nodes: ['n1'],
      severities: ['down', 'outage'],
      weekdays: [7, 6],
      from_time: '18:00',
      to_time: '08:00',
      steps: [{ channels: [channel.id, channel.id], after_minutes: 5 }],
    }
    const first = await create(routesPath, body)
    const second = await create(routesPath, { name: 'All', steps: await step() })
    expect(await listRoutes()).toMatchObject([
      {
        ...body,
        weekdays: [6, 7],
        is_active: true,
        continues: false,
        replaces_channels: false,
        steps: [{ after_minutes: 0, channels: [{ id: channel.id, name: 'Chat' }], rotas: [] }],
      },
      { id: second },
    ])
    expect(await statusOf(admin, 'PUT', routesPath, { ids: [second, first] })).toBe(204)
    expect((await listRoutes()).map(({ id }) => id)).toEqual([second, first])
    expect(await statusOf(admin, 'PUT', routesPath, { ids: [second] })).toBe(409)
    // A channel that is gone has no effect.
    await db.delete(alertChannels)
    expect((await listRoutes())[1]?.steps).toEqual([{ after_minutes: 0, channels: [], rotas: [] }])
  })

  it('of the same name change places, which the log tells apart', async () => {
    const steps = await step()
    const ids = [
      await create(routesPath, { name: 'Night', steps }),
      await create(routesPath, { name: 'Night', steps }),
      await create(routesPath, { name: 'Day', steps }),
    ]
    const [first, second, third] = ids as [number, number, number]
    const inOrder = async () => (await listRoutes()).map(({ id }) => id)
    expect(await statusOf(admin, 'PUT', routesPath, { ids: [second, first, third] })).toBe(204)
    expect(await inOrder()).toEqual([second, first, third])
    const entry = await readLastEntryOf(db, 'alert_route_order', 1)
    expect(entry.properties).toEqual({
      old: { order: [`Night (${first})`, `Night (${second})`, 'Day'] },
      attributes: { order: [`Night (${second})`, `Night (${first})`, 'Day'] },
    })
    expect(await statusOf(admin, 'POST', `/api/logs/${entry.id}/revert`)).toBe(204)
    expect(await inOrder()).toEqual(ids)
  })

  it('use another rota of the same name', async () => {
    const body = { name: 'Escalate', steps: await step() }
    const id = await create(routesPath, body)
    const namesake = await create(rotasPath, rotaBody())
    const edited = { ...body, steps: [{ rotas: [namesake] }] }
    expect(await statusOf(admin, 'PUT', `${routesPath}/${id}`, edited)).toBe(204)
    expect((await listRoutes())[0]?.steps[0]?.rotas).toEqual([{ id: namesake, name: 'Night' }])
    const { id: entry, description } = await readLastEntryOf(db, 'alert_route', id)
    expect(description).toBe('updated')
    expect(await statusOf(admin, 'PUT', `${routesPath}/${id}`, edited)).toBe(204)
    expect((await readLastEntryOf(db, 'alert_route', id)).id).toBe(entry)
  })

  it('refuse what does not exist and what cannot be', async () => {
    const steps = await step()
    const refused = async (body: object) =>
      Object.keys(await errorsOf(routesPath, { name: 'x', steps, ...body }))
    expect(await refused({ customers: ['NONE'] })).toEqual(['customers'])
    expect(await refused({ nodes: ['none'] })).toEqual(['nodes'])
    expect(await refused({ tags: ['none'] })).toEqual(['tags'])
    expect(await refused({ steps: [{ channels: [999_999] }] })).toEqual(['steps'])
    expect(await refused({ steps: [{ rotas: [999_999] }] })).toEqual(['steps'])
    expect(await refused({ steps: [] })).toEqual(['steps'])
    expect(await refused({ steps: [{}] })).toEqual(['steps'])
    expect(await refused({ from_time: '08:00' })).toEqual(['to_time'])
    expect(await refused({ from_time: '08:00', to_time: '08:00' })).toEqual(['to_time'])
    expect(await refused({ severities: ['boom'] })).toHaveLength(1)
  })

  it.each([
    ['tag', `select from tags where name = 'shop' for update`],
    ['customer', `select from customers where code = 'ALPEN' for update`],
  ])('let a %s be changed while they wait for it', async (_, lock) => {
    await db.insert(customers).values({ code: 'ALPEN' })
    await db.insert(tags).values({ name: 'shop' })
    const body = { name: 'x', customers: ['ALPEN'], tags: ['shop'], steps: await step() }
    const id = await create(routesPath, body)
    const rival = await database.owner.pool.connect()
    onTestFinished(() => rival.release())
    await rival.query('begin')
    await rival.query(lock)
    const edited = statusOf(admin, 'PUT', `${routesPath}/${id}`, { ...body, name: 'y' })
    await expect.poll(database.waitingStatements).toHaveLength(1)
    // As a change of what routes name does.
    await rival.query('select from alert_routes for no key update')
    await rival.query('commit')
    expect(await edited).toBe(204)
  })

  it('are listed for a customer if they can apply to it or one of its webs', async () => {
    await db.insert(customers).values([{ code: 'BERG' }])
    await db.insert(tags).values({ name: 'contract', type: 'text' })
    const node = only(await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.test' }).returning())
    const facts = { customer: 'ALPEN', configured_ip: '192.0.2.1', node_id: node.id }
    await db.insert(webs).values([
      { ...facts, fqdn: 'a.test', fqdn_ascii: 'a.test', tags: ['contract:silver'] },
      { ...facts, fqdn: 'b.test', fqdn_ascii: 'b.test', tags: ['contract:gold'], deleted_at: now },
    ])
    const steps = await step()
    for (const [name, conditions] of Object.entries({
      all: {},
      off: { is_active: false },
      night: { from_time: '18:00', to_time: '08:00', severities: ['domain'] },
      gold: { tags: ['contract:gold'] },
      silver: { tags: ['contract:silver'] },
      value: { tags: ['contract'], nodes: ['n1'] },
      alpen: { customers: ['ALPEN'] },
      berg: { customers: ['BERG'] },
    }))
      await create(routesPath, { name, steps, ...conditions })
    const namesOf = async (customer: string) =>
      (await admin.json<{ data: AlertRoute[] }>(`${routesPath}?customer=${customer}`)).data.map(
        ({ name }) => name,
      )
    expect(await namesOf('ALPEN')).toEqual(['all', 'night', 'silver', 'value', 'alpen'])
    expect(await namesOf('BERG')).toEqual(['all', 'night', 'berg'])
  })

  it('keep matching after a customer was merged and a tag renamed', async () => {
    await db.insert(customers).values([{ code: 'ALPEN' }, { code: 'ALPENHOF' }])
    const tag = only(await db.insert(tags).values({ name: 'shop' }).returning())
    await create(routesPath, { name: 'x', customers: ['ALPEN'], tags: ['shop'], steps: await step() })
    expect(await statusOf(admin, 'POST', '/api/customers/merge', { from: 'ALPEN', into: 'ALPENHOF' })).toBe(
      204,
    )
    expect(await statusOf(admin, 'PUT', `/api/tags/${tag.id}`, { name: 'store' })).toBeLessThan(300)
    expect(await listRoutes()).toMatchObject([{ customers: ['ALPENHOF'], tags: ['store'] }])
  })

  it('say who would be alerted', async () => {
    const facts = { fqdn: 'a.test', fqdn_ascii: 'a.test', customer: 'ALPEN', configured_ip: '192.0.2.1' }
    const more = { status: 0, domain_status: 1, monitoring_web_reporting_channel: 'slack,mail' }
    const { id: web } = only(
      await db
        .insert(webs)
        .values({ ...facts, ...more })
        .returning(),
    )
    await db.update(users).set({ monitoring_mail_subscription: true }).where(eq(users.id, adminId))
    const rota = await create(rotasPath, rotaBody())
    await create(routesPath, { name: 'Outages', severities: ['outage'], steps: [{ rotas: [rota] }] })
    const steps = [{ rotas: [rota] }, { after_minutes: 5_000, rotas: [rota] }]
    await create(routesPath, { name: 'All', replaces_channels: true, steps })
    const preview = async (body: object) => {
      const response = await anna.send('POST', `${routesPath}/preview`, { web, severity: 'down', ...body })
      expect(response.status).toBe(200)
      return (await response.json()) as AlertPreview
    }
    const named = { id: rota, name: 'Night' }
    // No worker can send the mails of rotas.
    expect(await preview({})).toMatchObject({ own_channels: ['slack', 'mail'], routes: [{ name: 'All' }] })
    const mail = { name: 'E-mail', kind: 'mail', origin: 'configuration', settings: {} } as const
    await db.insert(alertChannels).values(mail)
    expect(await preview({})).toMatchObject({
      at: now.toISOString(),
      is_in_maintenance: false,
      own_channels: [],
      subscribers: [{ id: adminId }],
      routes: [
        {
          name: 'All',
          steps: [
            { minutes: 0, channels: [], on_call: [{ rota: named, user: { id: annaId } }] },
            { minutes: 5_000, channels: [], on_call: [{ rota: named, user: { id: benId } }] },
          ],
        },
      ],
    })
    const absent = await create(rotasPath, rotaBody({ name: 'Absent', first_day: '2026-12-07' }))
    const late = [
      { rotas: [absent] },
      { after_minutes: 30, rotas: [rota] },
      { after_minutes: 15, rotas: [rota] },
    ]
    const lateRoute = await create(routesPath, { name: 'Late', severities: ['flapping'], steps: late })
    const others = (await listRoutes()).flatMap(({ id }) => (id === lateRoute ? [] : id))
    expect(await statusOf(admin, 'PUT', routesPath, { ids: [lateRoute, ...others] })).toBe(204)
    // A step that reaches nobody is followed by the next one at once.
    expect((await preview({ severity: 'flapping' })).routes[0]).toMatchObject({
      name: 'Late',
      steps: [{ minutes: 0, on_call: [{ user: null }] }, { minutes: 0 }, { minutes: 15 }],
    })
    expect(await preview({ severity: 'outage' })).toMatchObject({
      own_channels: ['slack', 'mail'],
      routes: [{ name: 'Outages' }],
    })
    expect((await preview({ severity: 'certificate' })).routes[0]?.steps).toHaveLength(1)
    const beforeRota = await preview({ at: '2026-11-01T00:00:00Z' })
    expect(beforeRota.own_channels).toEqual(['slack', 'mail'])
    expect(beforeRota.routes[0]?.steps[0]?.on_call).toMatchObject([{ user: null }])
    const window = { reason: 'Updates', webs: [web], repeats: 'weekly', weekdays: [1] }
    const times = { start_time: '22:00', duration_minutes: 60, last_day: '2027-01-04' }
    await create('/api/maintenance-windows', { ...window, ...times })
    // Soon, weeks ahead, and never again.
    const held = async (at: string) => (await preview({ at })).is_in_maintenance
    expect(await Promise.all(['2026-11-23T21:30:00Z', '2027-01-04T21:30:00Z'].map(held))).toEqual([
      true,
      true,
    ])
    expect(await Promise.all(['2027-01-04T22:00:00Z', '2027-01-11T21:30:00Z'].map(held))).toEqual([
      false,
      false,
    ])
    const atEnd = await preview({ at: '9998-12-31T23:59:59Z' })
    expect(atEnd.routes[0]?.steps[0]?.on_call).toHaveLength(1)
    const tooLate = { web, severity: 'down', at: '9999-01-01T00:00:00Z' }
    expect(await errorsOf(`${routesPath}/preview`, tooLate)).toEqual({
      at: ['Year must be between 1 and 9998'],
    })
    expect(await statusOf(anna, 'POST', `${routesPath}/preview`, { web: 999_999, severity: 'down' })).toBe(
      404,
    )
  })
})
