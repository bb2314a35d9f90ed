import type { Batch, BatchPreview } from '@kustos/contract/batches'
import { type Check, defaultCheck } from '@kustos/contract/checks'
import type { MonitoredWeb } from '@kustos/contract/monitoring'
import type { Permission } from '@kustos/contract/permissions'
import { checks, customers, degradations, logEntries, tags, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { loadChecks } from '@kustos/domain/checks'
import { createContext } from '@kustos/domain/platform/context'
import { createSecretBox } from '@kustos/domain/platform/secret-box'
import { desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, createTestServices, createUser, listen, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'

const database = await testDatabase()
const { db } = database
const box = createSecretBox([Buffer.alloc(32, 7)])
const origin = await listen(database, { secretBox: box })
const withoutKey = await listen(database)
const { deployments: tools } = await createTestServices(database)

async function clientOf(
  name: string,
  permissions: readonly Permission[] | 'admin',
  at = origin,
): Promise<ApiClient> {
  await createUser(database, `${name}@kustos.test`, permissions)
  return signIn(at, `${name}@kustos.test`)
}
const admin = await clientOf('admin', 'admin')
const viewer = await clientOf('viewer', ['view webs', 'view customers'])
const monitor = await clientOf('monitor', ['view monitoring web statistic'])
const unkeyed = await clientOf('unkeyed', 'admin', withoutKey)

let [web, deleted, tag] = [0, 0, 0]
beforeEach(async () => {
  for (const table of ['checks', 'batch_targets', 'batches', 'webs', 'customers', 'tags'])
    await database.owner.pool.query(`delete from ${table}`)
  const facts = { configured_ip: '192.0.2.1', customer: 'ALPEN', status: 0, domain_status: 1 }
  const rows = await db
    .insert(webs)
    .values([
      { ...facts, fqdn: 'a.test', fqdn_ascii: 'a.test', tags: ['contract:gold'] },
      { ...facts, fqdn: 'gone.test', fqdn_ascii: 'gone.test', deleted_at: new Date() },
    ])
    .returning({ id: webs.id })
  web = rows[0]?.id ?? 0
  deleted = rows[1]?.id ?? 0
  tag = only(await db.insert(tags).values({ name: 'contract', type: 'text' }).returning()).id
})

const ofWeb = () => `/api/webs/${web}/check`
const ofTag = () => `/api/tags/${tag}/check`
const ofCustomer = '/api/customers/ALPEN/check'

async function read(path = ofWeb(), client = admin): Promise<Check> {
  const response = await client.send('GET', path)
  expect(response.status).toBe(200)
  return (await response.json()) as Check
}
const put = (path: string, body: object, client = admin) => client.send('PUT', path, body)
async function save(path: string, body: object): Promise<void> {
  expect((await put(path, body)).status).toBe(204)
}
const lastEntry = async () => only(await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1))
const none = Object.fromEntries(Object.keys(defaultCheck).map((field) => [field, null]))

describe('the check of a web', () => {
  it('is the default one at first', async () => {
    const check = await read()
    expect(check).toMatchObject({ own: none, effective: defaultCheck, updated_at: null })
    expect(new Set(Object.values(check.sources).map(({ kind }) => kind))).toEqual(new Set(['default']))
  })

  it('says of each field where it comes from', async () => {
    await save(ofCustomer, { slow_ms: 3000, path: '/customer', required_text: 'Alpen' })
    await save(ofTag(), { slow_ms: 2000, path: '/tag' })
    await save(ofWeb(), { path: '/web', statuses: '401, 200-299' })
    const { own, effective, sources } = await read()
    expect(own).toEqual({ ...none, path: '/web', statuses: '200-299,401' })
    expect(effective).toEqual({
      ...defaultCheck,
      path: '/web',
      statuses: '200-299,401',
      slow_ms: 2000,
      required_text: 'Alpen',
    })
    expect(sources).toMatchObject({
      path: { kind: 'web', name: null },
      slow_ms: { kind: 'tag', name: 'contract' },
      required_text: { kind: 'customer', name: 'ALPEN' },
      method: { kind: 'default', name: null },
    })
    expect((await read(ofTag())).effective).toMatchObject({ path: '/tag', required_text: '' })
    expect((await read(ofCustomer)).sources.path).toEqual({ kind: 'customer', name: 'ALPEN' })
  })

  it('can turn off what is inherited, and inherit it again', async () => {
    await save(ofCustomer, { required_text: 'Alpen', redirect_hosts: ['shop.test'], slow_ms: 3000 })
    await save(ofWeb(), { required_text: '', redirect_hosts: [], slow_ms: 0 })
    expect((await read()).effective).toMatchObject({ required_text: '', redirect_hosts: [], slow_ms: 0 })
    await save(ofWeb(), {})
    expect((await read()).effective).toMatchObject({ required_text: 'Alpen', redirect_hosts: ['shop.test'] })
  })

  it('is logged, and not if nothing changes', async () => {
    await save(ofWeb(), { path: '/a' })
    await save(ofWeb(), { path: '/b', alerts_degraded: true })
    const entry = await lastEntry()
    expect(entry).toMatchObject({
      log_name: 'checks',
      description: 'check changed',
      subject_type: 'web',
      subject_id: web,
      properties: {
        old: { path: '/a', alerts_degraded: null },
        attributes: { path: '/b', alerts_degraded: true },
      },
    })
    await save(ofWeb(), { path: '/b', alerts_degraded: true })
    expect((await lastEntry()).id).toBe(entry.id)
  })

  it('is not overwritten unnoticed', async () => {
    expect((await put(ofWeb(), { path: '/a', updated_at: null })).status).toBe(204)
    const { updated_at } = await read()
    await save(ofWeb(), { path: '/b', updated_at })
    for (const seen of [updated_at, null]) {
      const response = await put(ofWeb(), { path: '/c', updated_at: seen })
      expect(response.status).toBe(409)
      expect(await response.json()).toMatchObject({
        code: 'stale_check',
        params: { who: 'admin@kustos.test' },
      })
    }
  })

  it('is not overwritten unnoticed by a first change at the same time', async () => {
    const other = await database.owner.pool.connect()
    try {
      await other.query('begin')
      await other.query(
        `insert into checks (web_id, settings, created_at, updated_at) values ($1, '{"path": "/a"}', now(), now())`,
        [web],
      )
      const response = put(ofWeb(), { path: '/b', updated_at: null })
      await expect.poll(database.waitingStatements).toHaveLength(1)
      await other.query('commit')
      expect([(await response).status, await (await response).json()]).toMatchObject([
        409,
        { code: 'stale_check' },
      ])
    } finally {
      other.release()
    }
    expect((await read()).own).toMatchObject({ path: '/a' })
  })

  it('of a deleted web is for those who may restore it', async () => {
    expect((await viewer.send('GET', `/api/webs/${deleted}/check`)).status).toBe(404)
    expect((await admin.send('GET', `/api/webs/${deleted}/check`)).status).toBe(200)
    for (const path of ['/api/webs/999999/check', '/api/tags/999999/check', '/api/customers/NOBODY/check'])
      for (const method of ['GET', 'PUT'])
        expect((await admin.send(method, path, method === 'PUT' ? {} : undefined)).status, path).toBe(404)
  })
})

it('is read by those who see webs or monitoring, and changed by those who edit its subject', async () => {
  const editors = {
    web: await clientOf('webs', ['edit webs']),
    tag: await clientOf('tags', ['edit tags']),
    customer: await clientOf('customers', ['edit customers']),
  }
  const paths = { web: ofWeb(), tag: ofTag(), customer: ofCustomer }
  for (const [name, client] of Object.entries(editors))
    for (const [subject, path] of Object.entries(paths))
      expect((await put(path, {}, client)).status, `${name} ${subject}`).toBe(name === subject ? 204 : 403)
  for (const [client, expected] of [
    [viewer, [200, 403, 200]],
    [monitor, [200, 403, 403]],
    [editors.tag, [403, 200, 403]],
  ] as const)
    expect(
      await Promise.all(Object.values(paths).map(async (path) => (await client.send('GET', path)).status)),
    ).toEqual(expected)
})

describe('headers', () => {
  const headers = [{ name: 'X-Probe', value: 'very secret' }]

  it('are stored sealed, sent as they were given, and neither returned nor logged', async () => {
    await save(ofWeb(), { headers })
    expect((await read()).own.headers).toEqual(['X-Probe'])
    const [row] = await db.select().from(checks)
    expect(JSON.stringify(row)).not.toContain('very secret')
    const entries = await db.select().from(logEntries).where(eq(logEntries.log_name, 'checks'))
    expect(JSON.stringify(entries)).not.toContain('very secret')
    expect((await lastEntry()).properties).toEqual({
      old: { headers: null },
      attributes: { headers: ['X-Probe'], header_values: ['X-Probe'] },
    })
    const open = async (opener: typeof box) => (await loadChecks(db, [web], opener)).get(web)
    expect(await open(box)).toMatchObject({ request: { headers }, lacksHeaders: false })
    expect(await open(createSecretBox([Buffer.alloc(32, 8)]))).toMatchObject({ lacksHeaders: true })
  })

  it('keep their value unless another one is given', async () => {
    await save(ofWeb(), { headers })
    await save(ofWeb(), { path: '/a', headers: [{ name: 'x-probe' }] })
    expect((await loadChecks(db, [web], box)).get(web)?.request).toMatchObject({
      path: '/a',
      headers: [{ name: 'x-probe', value: 'very secret' }],
    })
    await save(ofWeb(), { headers: [] })
    expect((await read()).own.headers).toEqual([])
  })

  it('need a value at first, and a key to store it', async () => {
    const response = await put(ofWeb(), { headers: [{ name: 'X-Probe' }] })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { headers: [expect.stringContaining('X-Probe')] } })
    const refused = await put(ofWeb(), { headers }, unkeyed)
    expect(refused.status).toBe(422)
    expect(await db.select().from(checks)).toEqual([])
  })
})

describe('the batch action', () => {
  const request = (check: object, ids = [web]) => ({ action: 'changeCheck', webs: ids, check })
  /** Accepts a batch and brings it to its end. */
  async function run(path: string, body: object): Promise<number> {
    const { id } = (await (await admin.send('POST', path, body)).json()) as { id: number }
    await advanceBatches(createContext(database), tools, new AbortController().signal)
    return id
  }

  it('changes the fields that are given and leaves the others', async () => {
    await save(ofWeb(), { path: '/a', slow_ms: 1000 })
    const edits = { slow_ms: null, required_text: 'Welcome' }
    const preview = await admin.send('POST', '/api/batches/preview', request(edits))
    expect((await preview.json()) as BatchPreview).toMatchObject({ eligible: 1, skipped: [] })
    const id = await run('/api/batches', request(edits))
    const batch = (await (await admin.send('GET', `/api/batches/${id}`)).json()) as Batch
    expect(batch).toMatchObject({ check: edits, targets: [{ web_id: web, state: 'succeeded' }] })
    expect((await read()).own).toEqual({ ...none, path: '/a', required_text: 'Welcome' })
    expect(await lastEntry()).toMatchObject({ description: 'check changed', subject_id: web })
  })

  it('is reverted as a whole, but not where a field has changed since', async () => {
    await save(ofWeb(), { path: '/a', slow_ms: 1000 })
    const id = await run('/api/batches', request({ slow_ms: 2000, required_text: 'Welcome' }))
    const plan = await admin.send('GET', `/api/batches/${id}/revert`)
    expect(await plan.json()).toEqual({ eligible: 1, skipped: [] })
    const reverted = await run(`/api/batches/${id}/revert`, {})
    expect((await read()).own).toEqual({ ...none, path: '/a', slow_ms: 1000 })
    expect((await lastEntry()).properties.attributes).toMatchObject({ batch: reverted, slow_ms: 1000 })

    const again = await run('/api/batches', request({ slow_ms: 2000 }))
    await save(ofWeb(), { path: '/a', slow_ms: 3000 })
    const preview = await admin.send('GET', `/api/batches/${again}/revert`)
    expect(await preview.json()).toMatchObject({
      eligible: 0,
      skipped: [{ web_id: web, reason_code: 'change_outdated', reason_params: { fields: 'slow_ms' } }],
    })
    const refused = await run(`/api/batches/${again}/revert`, {})
    const batch = (await (await admin.send('GET', `/api/batches/${refused}`)).json()) as Batch
    expect(batch.targets).toMatchObject([{ state: 'skipped', error_code: 'change_outdated' }])
    expect((await read()).own).toEqual({ ...none, path: '/a', slow_ms: 3000 })
  })

  it('skips webs that have these settings already', async () => {
    await save(ofWeb(), { slow_ms: 1000 })
    for (const edits of [{ slow_ms: 1000 }, { path: null }]) {
      const preview = await admin.send('POST', '/api/batches/preview', request(edits))
      expect(await preview.json()).toMatchObject({ eligible: 0, skipped: [{ reason_code: 'web_unchanged' }] })
    }
  })

  it.each([
    [{ action: 'changeCheck' }, 'check'],
    [{ action: 'changeCheck', check: {} }, 'check'],
    [{ action: 'refresh', check: { slow_ms: 1 } }, 'check'],
    [{ action: 'changeCheck', check: { slow_ms: -1 } }, 'check.slow_ms'],
    [{ action: 'changeCheck', check: { slow_ms: 1 }, edits: { comment: 'x' } }, 'edits'],
  ])('%j is refused', async (body, field) => {
    const response = await admin.send('POST', '/api/batches/preview', { webs: [web], ...body })
    expect(response.status).toBe(422)
    expect(Object.keys(((await response.json()) as { errors: object }).errors)).toEqual([field])
  })
})

describe('a change that is reverted', () => {
  const revert = async (id: number) => {
    const response = await admin.send('POST', `/api/logs/${id}/revert`)
    return response.status === 409 ? ((await response.json()) as { code: string }).code : response.status
  }

  it('gives the settings of a web, a tag and a customer their old values back', async () => {
    for (const path of [ofWeb(), ofTag(), ofCustomer]) {
      await save(path, { path: '/a', slow_ms: 1000 })
      await save(path, { path: '/b', slow_ms: 1000, required_text: 'x' })
      const { id } = await lastEntry()
      expect(await revert(id)).toBe(204)
      expect((await read(path)).own).toEqual({ ...none, path: '/a', slow_ms: 1000 })
      expect((await lastEntry()).properties.attributes).toMatchObject({ path: '/a', reverts: id })
      expect(await revert(id)).toBe('change_outdated')
    }
  })

  it('is none if it changed headers', async () => {
    await save(ofWeb(), { headers: [{ name: 'X-A', value: '1' }] })
    expect(await revert((await lastEntry()).id)).toBe('check_headers_not_revertible')
  })
})

it('lists a degraded web with its reason, and counts it', async () => {
  await db.insert(degradations).values({
    web_id: web,
    started_at: new Date('2026-11-20T10:00:00Z'),
    status: 401,
    reason: 'it asks for a login (status 401)',
    reason_code: 'login_required',
  })
  const listed = (await (await monitor.send('GET', `/api/monitoring/webs/${web}`)).json()) as MonitoredWeb
  expect(listed).toMatchObject({
    degraded_since: '2026-11-20T10:00:00.000Z',
    degraded_reason_code: 'login_required',
    down_since: null,
  })
  const state = () => monitor.send('GET', '/api/monitoring/state').then((response) => response.json())
  expect(await state()).toMatchObject({ monitored: 1, down: 0, degraded: 1 })
  await db.update(webs).set({ down_since: new Date() }).where(eq(webs.id, web))
  expect(await state()).toMatchObject({ down: 1, degraded: 0 })
})

it('ends with its customer or tag', async () => {
  await save(ofCustomer, { slow_ms: 1000 })
  await save(ofTag(), { slow_ms: 1000 })
  expect((await admin.send('DELETE', `/api/tags/${tag}`)).status).toBe(204)
  await db.delete(customers)
  expect(await db.select().from(checks)).toEqual([])
})
