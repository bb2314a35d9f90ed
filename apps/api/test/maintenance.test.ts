import { type Batch, type BatchPreview, maxBatchWebs } from '@kustos/contract/batches'
import { type MaintenanceWindow, maintenanceRoutes } from '@kustos/contract/maintenance'
import type { MonitoredWebList } from '@kustos/contract/monitoring'
import type { Permission } from '@kustos/contract/permissions'
import { customers, nodes, tags, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { createContext } from '@kustos/domain/platform/context'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, createTestServices, createUser, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'
import { seedRoles } from './seed-roles.ts'

const database = await testDatabase()
const { db } = database
const origin = await listen(database)
const { deployments: tools } = await createTestServices(database)
const path = maintenanceRoutes.listWindows.path

async function clientOf(name: string, permissions: readonly Permission[] | 'admin'): Promise<ApiClient> {
  await createUser(database, `${name}@kustos.test`, permissions)
  return signIn(origin, `${name}@kustos.test`)
}
const admin = await clientOf('admin', 'admin')
const planner = await clientOf('planner', ['view webs', 'plan maintenance'])
const viewer = await clientOf('viewer', ['view monitoring web statistic'])

let [node, web, deleted] = [0, 0, 0]
async function addWeb(fqdn: string, more: Partial<typeof webs.$inferInsert> = {}): Promise<number> {
  const facts = {
    fqdn,
    fqdn_ascii: fqdn,
    customer: 'ALPEN',
    configured_ip: '192.0.2.1',
    status: 0,
    domain_status: 1,
  }
  return only(
    await db
      .insert(webs)
      .values({ ...facts, ...more })
      .returning(),
  ).id
}
beforeEach(async () => {
  for (const table of [
    'batch_targets',
    'batches',
    'maintenance_windows',
    'webs',
    'nodes',
    'customers',
    'tags',
  ])
    await database.owner.pool.query(`delete from ${table}`)
  node = only(await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.test' }).returning()).id
  web = await addWeb('a.test', { node_id: node })
  deleted = await addWeb('gone.test', { deleted_at: new Date() })
})

const minute = 60_000
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString()
const once = (more: object = {}) => ({
  reason: 'Kernel',
  webs: [web],
  repeats: 'once',
  starts_at: inMinutes(-1),
  ends_at: inMinutes(60),
  ...more,
})
const weekly = (more: object = {}) => ({
  reason: 'Updates',
  webs: [web],
  repeats: 'weekly',
  weekdays: [7, 3, 3],
  start_time: '22:00',
  duration_minutes: 90,
  ...more,
})
async function plan(body: object, client = admin): Promise<number> {
  const response = await client.send('POST', path, body)
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}
const list = async (query = '', client = admin) =>
  (await client.json<{ data: MaintenanceWindow[] }>(`${path}${query}`)).data
const idsOf = async (query: string, client = admin) => (await list(query, client)).map(({ id }) => id)
const maintained = async (query = '', client = admin) => {
  const { path: ofWebs } = maintenanceRoutes.listWebsInMaintenance
  return (await client.json<{ data: { web_id: number; until: string }[] }>(`${ofWebs}${query}`)).data
}
async function errorsOf(body: object, client = admin): Promise<Record<string, string | undefined>> {
  const response = await client.send('POST', path, body)
  expect(response.status).toBe(422)
  const { error_codes } = (await response.json()) as { error_codes: Record<string, { code: string }[]> }
  return Object.fromEntries(Object.entries(error_codes).map(([field, [first]]) => [field, first?.code]))
}

describe('planning', () => {
  it('stores a window that runs at once, and shows it on the monitoring list', async () => {
    const before = Date.now()
    const id = await plan(once(), planner)
    const [window] = await list('?state=running')
    expect(window).toMatchObject({
      id,
      reason: 'Kernel',
      webs: [{ id: web, fqdn: 'a.test' }],
      state: 'running',
      next_starts_at: null,
      planned_by: { email: 'planner@kustos.test' },
    })
    // A start in the past counts from now.
    expect(Date.parse(window?.starts_at ?? '')).toBeGreaterThanOrEqual(before)
    const { data } = await admin.json<MonitoredWebList>('/api/monitoring/webs')
    expect(data).toMatchObject([{ fqdn: 'a.test', maintenance_until: window?.running_until }])
  })

  it('stores what repeats from today on, without what does not belong to it', async () => {
    await plan(weekly({ starts_at: inMinutes(5), month_days: [3] }))
    const [window] = await list('?state=upcoming')
    expect(window).toMatchObject({ weekdays: [3, 7], month_days: [], starts_at: null, last_day: null })
    expect(window?.first_day).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(Date.parse(window?.next_starts_at ?? '')).toBeGreaterThan(Date.now())
  })

  it.each([
    ['nothing that it covers', { webs: [] }, { webs: 'maintenance_target_missing' }],
    ['no reason', { reason: ' ' }, { reason: 'reason_required' }],
    ['no end', { ends_at: null }, { ends_at: 'missing' }],
    ['an end before its start', { ends_at: '2020-01-01T00:00:00Z' }, { ends_at: 'to_not_after_from' }],
    [
      'an end in the past',
      { starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-01T01:00:00Z' },
      { ends_at: 'maintenance_ends_in_past' },
    ],
    ['an unknown web', { webs: [2_000_000] }, { webs: 'web_not_found' }],
    ['an unknown node', { nodes: ['nowhere'] }, { nodes: 'node_named_not_found' }],
    ['an unknown customer', { customers: ['NOBODY'] }, { customers: 'customer_not_found' }],
    ['an unknown tag', { tags: ['nothing'] }, { tags: 'tag_unknown' }],
  ])('rejects %s', async (_, more, errors) => {
    expect(await errorsOf(once(more))).toEqual(errors)
    expect(await list()).toEqual([])
  })

  it.each([
    ['no weekday', { weekdays: [] }, { weekdays: 'missing' }],
    ['no day of the month', { repeats: 'monthly' }, { month_days: 'missing' }],
    [
      'no time',
      { start_time: null, duration_minutes: null },
      { start_time: 'missing', duration_minutes: 'missing' },
    ],
    ['a day of the year 0', { first_day: '0000-01-01' }, { first_day: 'year_out_of_range' }],
    ['an impossible time', { start_time: '24:00' }, { start_time: 'time_of_day_invalid' }],
    [
      'a last day before the first',
      { first_day: '2030-02-02', last_day: '2030-02-01' },
      { last_day: 'end_before_begin' },
    ],
    [
      'no day that matches',
      { weekdays: [1], first_day: '2030-01-01', last_day: '2030-01-02' },
      { last_day: 'maintenance_never' },
    ],
  ])('rejects what repeats with %s', async (_, more, errors) => {
    expect(await errorsOf(weekly(more))).toEqual(errors)
  })
})

describe('the list', () => {
  it('is filtered by what a window covers, and has running ones first', async () => {
    await db.insert(tags).values({ name: 'contract', type: 'text' })
    await db.insert(customers).values({ code: 'BERG' }).onConflictDoNothing()
    const other = await addWeb('b.test', { customer: 'BERG', tags: ['contract:gold'] })
    const upcoming = await plan(weekly({ webs: [], tags: ['contract'] }))
    const ofNode = await plan(once({ webs: [], nodes: ['n1'] }))
    const ofCustomer = await plan(once({ webs: [], customers: ['BERG'], ends_at: inMinutes(90) }))
    expect(await idsOf('')).toEqual([ofNode, ofCustomer, upcoming])
    expect(await idsOf(`?web=${web}`)).toEqual([ofNode])
    expect(await idsOf(`?web=${other}`)).toEqual([ofCustomer, upcoming])
    expect(await idsOf('?node=n1')).toEqual([ofNode])
    expect(await idsOf('?customer=BERG')).toEqual([ofCustomer, upcoming])
    expect(await idsOf('?customer=ALPEN')).toEqual([ofNode])
    expect(await idsOf('?customer=NOBODY')).toEqual([])
    expect(await idsOf('?tag=contract')).toEqual([upcoming])
    expect(await idsOf('?state=past')).toEqual([])
    expect(await idsOf('?node=nowhere')).toEqual([])
  })

  it('has windows that repeat also while they last beyond their last day, and once they are over', async () => {
    const day = new Date(Date.now() - 4 * 24 * 60 * minute).toISOString().slice(0, 10)
    const days = { weekdays: [1, 2, 3, 4, 5, 6, 7], first_day: day, last_day: day }
    const id = await plan(weekly({ ...days, start_time: '12:00', duration_minutes: 7 * 24 * 60 }))
    const upcoming = await plan(weekly())
    expect(await list()).toMatchObject([
      { id, state: 'running' },
      { id: upcoming, state: 'upcoming' },
    ])
    expect((await admin.send('POST', `${path}/${id}/end`)).status).toBe(204)
    expect(await list()).toMatchObject([
      { id: upcoming, state: 'upcoming' },
      { id, state: 'past' },
    ])
  })

  it('follows tags that are renamed and customers that are merged', async () => {
    await db.insert(tags).values({ name: 'contract', type: 'text' })
    await db.insert(customers).values([{ code: 'BERG' }, { code: 'BERGE' }])
    await plan(once({ webs: [], customers: ['BERGE'], tags: ['contract:gold'] }))
    const { id } = only(await db.select().from(tags))
    expect((await admin.send('PUT', `/api/tags/${id}`, { name: 'sla', type: 'text' })).status).toBe(204)
    const merged = await admin.send('POST', '/api/customers/merge', { from: 'BERGE', into: 'BERG' })
    expect(merged.status).toBe(204)
    expect(await list()).toMatchObject([{ customers: ['BERG'], tags: ['sla:gold'] }])
  })
})

describe('changes', () => {
  it('end, edit and delete a window', async () => {
    const id = await plan(weekly())
    const [window] = await list()
    const edited = weekly({ reason: 'PHP', updated_at: window?.updated_at })
    expect((await admin.send('PUT', `${path}/${id}`, edited)).status).toBe(204)
    expect((await admin.send('PUT', `${path}/${id}`, edited)).status).toBe(409)
    expect((await admin.send('POST', `${path}/${id}/end`)).status).toBe(409)
    expect((await admin.send('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await admin.send('DELETE', `${path}/${id}`)).status).toBe(404)
    const running = await plan(once())
    expect((await admin.send('POST', `${path}/${running}/end`)).status).toBe(204)
    expect(await list()).toMatchObject([{ id: running, state: 'past', running_until: null }])
    expect((await admin.send('PUT', `${path}/${running}`, once())).status).toBe(409)
  })

  it('cover as many webs as a batch takes', async () => {
    await db.execute(sql`
      insert into webs (fqdn, fqdn_ascii, customer, configured_ip)
      select 'w' || n || '.test', 'w' || n || '.test', 'ALPEN', '192.0.2.1' from generate_series(1, ${maxBatchWebs}) n`)
    const all = (await db.select({ id: webs.id }).from(webs)).map(({ id }) => id)
    expect(all.length).toBeGreaterThan(maxBatchWebs)
    expect((await planner.send('POST', path, once({ webs: all }))).status).toBe(422)
    await plan(once({ webs: all.slice(0, maxBatchWebs) }))
    expect((await list())[0]?.webs).toHaveLength(maxBatchWebs)
  })

  it('end the maintenance of many webs as a batch, each without the others', async () => {
    const other = await addWeb('b.test')
    await plan(once({ webs: [web, other] }))
    const alone = await plan(once())
    const third = await addWeb('c.test')
    const body = { action: 'endMaintenance', webs: [web, third] }
    const preview = (await (await planner.send('POST', '/api/batches/preview', body)).json()) as BatchPreview
    expect(preview).toMatchObject({
      eligible: 1,
      skipped: [{ fqdn: 'c.test', reason_code: 'web_not_in_maintenance' }],
    })
    const { id } = (await (await planner.send('POST', '/api/batches', body)).json()) as { id: number }
    const context = createContext(database)
    const signal = new AbortController().signal
    while ((await advanceBatches(context, { ...tools, onError: () => undefined }, signal)) !== null);
    expect(await planner.json<Batch>(`/api/batches/${id}`)).toMatchObject({ state: 'succeeded' })
    const { data } = await admin.json<MonitoredWebList>('/api/monitoring/webs')
    const inMaintenance = data.filter(({ maintenance_until }) => maintenance_until !== null)
    expect(inMaintenance.map(({ fqdn }) => fqdn)).toEqual(['b.test'])
    expect(await maintained()).toEqual([{ web_id: other, until: inMaintenance[0]?.maintenance_until }])
    expect(await maintained(`?web=${web}`)).toEqual([])
    expect(await list('?state=past')).toMatchObject([{ id: alone }])
  })
})

describe('rights', () => {
  it('hide windows of deleted webs from users who may not restore webs, and keep these webs when they edit', async () => {
    const hidden = await plan(once({ webs: [deleted] }))
    const mixed = await plan(once({ webs: [web, deleted] }))
    expect((await idsOf('')).sort()).toEqual([hidden, mixed].sort())
    for (const client of [planner, viewer])
      expect(await list('', client)).toMatchObject([{ id: mixed, webs: [{ fqdn: 'a.test' }] }])
    // Part of what covers it is hidden, but not that it is in maintenance.
    for (const client of [planner, viewer])
      expect(await maintained('', client)).toMatchObject([{ web_id: web }])
    expect(await idsOf(`?web=${deleted}`, planner)).toEqual([])
    for (const [method, suffix, body] of [
      ['PUT', '', once()],
      ['DELETE', '', undefined],
      ['POST', '/end', undefined],
    ] as const)
      expect((await planner.send(method, `${path}/${hidden}${suffix}`, body)).status).toBe(404)
    expect((await planner.send('POST', `/api/webs/${deleted}/end-maintenance`)).status).toBe(404)
    expect(await errorsOf(once({ webs: [deleted] }), planner)).toEqual({ webs: 'web_not_found' })
    expect((await planner.send('PUT', `${path}/${mixed}`, once({ reason: 'PHP' }))).status).toBe(204)
    const found = (await list()).find(({ id }) => id === mixed)
    expect(found?.webs.map(({ id }) => id).sort()).toEqual([web, deleted].sort())
  })

  describe('of the roles', () => {
    const clients = new Map<string, ApiClient>()
    beforeAll(async () => {
      for (const [role, granted] of Object.entries(seedRoles))
        clients.set(role, await clientOf(`role-${role.replaceAll(' ', '-')}`, granted))
    }, 60_000)

    it.each(Object.entries(seedRoles))('%s plan and see only what they may', async (role, granted) => {
      const client = clients.get(role) as ApiClient
      const has = (permission: Permission) => granted === 'admin' || granted.includes(permission)
      const mayPlan = has('plan maintenance') && has('view webs')
      const id = await plan(once())
      const statuses = [
        (await client.send('POST', path, once())).status,
        (await client.send('POST', path, once({ webs: [deleted] }))).status,
        (await client.send('POST', `${path}/${id}/end`)).status,
        (await client.send('POST', `/api/webs/${web}/end-maintenance`)).status,
        (await client.send('DELETE', `${path}/${id}`)).status,
      ]
      const ofDeleted = has('restore webs') ? 201 : 422
      expect(statuses).toEqual(mayPlan ? [201, ofDeleted, 204, 204, 204] : [403, 403, 403, 403, 403])
      const { status } = await client.fetch(path)
      expect(status).toBe(has('view webs') || has('view monitoring web statistic') ? 200 : 403)
    })
  })
})

it('leaves no window behind whose web does not exist any more', async () => {
  await plan(once())
  await database.owner.pool.query('delete from webs')
  expect(await list()).toEqual([])
  expect(await db.select().from(webs).where(eq(webs.id, web))).toEqual([])
})
