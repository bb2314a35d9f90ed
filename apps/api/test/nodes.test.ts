import { randomBytes } from 'node:crypto'
import { findRevertRefusal } from '@kustos/contract/logs'
import { type NodeDetails, nodeDetails } from '@kustos/contract/nodes'
import { alertRoutes, logEntries, maintenanceWindows, nodes, views, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createSecretBox } from '@kustos/domain/platform/secret-box'
import { and, desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createUser, listen, signIn } from './api-client.ts'

const database = await testDatabase()
const { db } = database
const box = createSecretBox([randomBytes(32)])
const origin = await listen(database, { secretBox: box })
const userId = await createUser(database, 'staff@kustos.test', [
  'manage nodes',
  'plan maintenance',
  'view webs',
])
const staff = await signIn(origin, 'staff@kustos.test')

beforeEach(async () => {
  await db.delete(webs)
  await db.delete(nodes)
})

const key = 'f8a2c9b1-panel-key'
const hostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
const whole = {
  name: 'bz-cloud-01',
  plesk_fqdn: 'panel.example.com',
  plesk_port: 8444,
  plesk_certificate: 'ab'.repeat(32),
  plesk_key: key,
  ssh_host: '192.0.2.4',
  ssh_port: 2222,
  ssh_user: 'kustos',
  host_key: `panel.example.com ${hostKey} root@panel`,
  address: '192.0.2.7',
  cloud_enabled: true,
}

async function send(method: string, path: string, body?: unknown) {
  const response = await staff.send(method, path, body)
  const text = await response.text()
  return {
    status: response.status,
    text,
    body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
  }
}
const add = async (body: object = whole): Promise<NodeDetails> => {
  const { status, body: created } = await send('POST', '/api/nodes', body)
  expect(status).toBe(201)
  return nodeDetails.parse(created)
}
const list = async () => z.array(nodeDetails).parse(await staff.json<unknown>('/api/nodes'))
const readKey = async (id: number) => {
  const [row] = await db.select().from(nodes).where(eq(nodes.id, id))
  return row?.plesk_key == null ? null : box?.open(row.plesk_key, `plesk key of node ${id}`)
}
const lastEntry = async () => (await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1))[0]

describe('adding a node', () => {
  it('stores what was given, the key of its panel sealed, and never shows the key', async () => {
    const { plesk_key: _, ...shown } = whole
    const { status, text, body } = await send('POST', '/api/nodes', whole)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...shown,
      id: expect.any(Number),
      plesk_certificate: 'AB'.repeat(32),
      host_key: hostKey,
      host_key_fingerprint: 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU',
      has_plesk_key: true,
      tags: [],
      webs: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const id = Number(body?.id)
    expect(await readKey(id)).toBe(key)
    const entry = await lastEntry()
    expect(entry).toMatchObject({
      log_name: 'nodes',
      description: 'created',
      subject_id: id,
      causer_id: userId,
    })
    expect(entry?.properties.attributes).toMatchObject({ name: 'bz-cloud-01', panel_key: 'stored' })
    const [row] = await db.select().from(nodes)
    for (const place of [text, JSON.stringify(await list()), JSON.stringify(entry), JSON.stringify(row)])
      expect(place).not.toContain(key)
  })

  it('needs no more than a name and a panel', async () => {
    expect(await add({ name: 'new', plesk_fqdn: 'new.example.com' })).toMatchObject({
      plesk_port: null,
      has_plesk_key: false,
      ssh_host: null,
      host_key: null,
      host_key_fingerprint: null,
      address: null,
      cloud_enabled: false,
    })
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '../etc' }, 'name'],
    [{ name: 'a b' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ plesk_fqdn: '' }, 'plesk_fqdn'],
    [{ plesk_fqdn: 'https://panel.test' }, 'plesk_fqdn'],
    [{ plesk_fqdn: 'panel.test:8443' }, 'plesk_fqdn'],
    [{ plesk_port: 0 }, 'plesk_port'],
    [{ plesk_port: 65_536 }, 'plesk_port'],
    [{ plesk_certificate: 'AA:BB' }, 'plesk_certificate'],
    [{ plesk_key: 'two words' }, 'plesk_key'],
    [{ plesk_key: 'line\nbreak' }, 'plesk_key'],
    [{ ssh_host: '-oProxyCommand=id' }, 'ssh_host'],
    [{ ssh_user: 'root; id' }, 'ssh_user'],
    [{ host_key: 'ssh-ed25519' }, 'host_key'],
    [{ address: 'panel.test' }, 'address'],
  ])('rejects %j', async (wrong, field) => {
    const { status, body } = await send('POST', '/api/nodes', { ...whole, ...wrong })
    expect([status, Object.keys(z.looseObject({ errors: z.looseObject({}) }).parse(body).errors)]).toEqual([
      422,
      [field],
    ])
    expect(await list()).toEqual([])
  })

  it('rejects a taken name, also of two requests at once', async () => {
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await send('POST', '/api/nodes', whole)).status),
    )
    expect(statuses.toSorted()).toEqual([201, 422, 422])
    expect(await list()).toHaveLength(1)
  })

  it('rejects the key of a panel if the server cannot seal it', async () => {
    const other = await signIn(await listen(database), 'staff@kustos.test')
    const response = await other.send('POST', '/api/nodes', whole)
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('SECRETS_KEY')])
    expect(await list()).toEqual([])
  })
})

describe('changing a node', () => {
  it('keeps, replaces and removes the key of its panel', async () => {
    const { id } = await add()
    const { plesk_key: _, ...kept } = whole
    const edit = (change: object) => send('PUT', `/api/nodes/${id}`, { ...kept, ...change })
    expect((await edit({ ssh_port: 22 })).status).toBe(204)
    expect(await readKey(id)).toBe(key)
    expect((await lastEntry())?.properties).toEqual({ old: { ssh_port: 2222 }, attributes: { ssh_port: 22 } })
    await edit({ plesk_key: '' })
    expect(await readKey(id)).toBe(key)
    await edit({ plesk_key: 'another-key' })
    expect(await readKey(id)).toBe('another-key')
    expect((await lastEntry())?.properties.attributes).toMatchObject({ panel_key: 'stored' })
    await edit({ plesk_key: null })
    expect([await readKey(id), (await list())[0]?.has_plesk_key]).toEqual([null, false])
    expect((await lastEntry())?.properties.attributes).toMatchObject({ panel_key: 'removed' })
  })

  it.each([
    { plesk_fqdn: 'panel.attacker.test' },
    { plesk_port: 9443 },
    { plesk_certificate: `${'CD:'.repeat(31)}CD` },
    { plesk_certificate: '' },
  ])(
    'does not send the stored key to the panel of %j, for which it has to be entered again',
    async (panel) => {
      const { id } = await add()
      const before = await list()
      const { plesk_key: _, ...kept } = whole
      for (const given of [{}, { plesk_key: '' }]) {
        const { status, body } = await send('PUT', `/api/nodes/${id}`, { ...kept, ...panel, ...given })
        expect([status, body]).toMatchObject([
          422,
          { errors: { plesk_key: [expect.stringMatching(/^Enter the key again: /)] } },
        ])
      }
      expect(await list()).toEqual(before)
      const entered = { ...kept, ...panel, plesk_key: 'key-of-this-panel' }
      expect((await send('PUT', `/api/nodes/${id}`, entered)).status).toBe(204)
      expect(await readKey(id)).toBe('key-of-this-panel')
      expect((await send('PUT', `/api/nodes/${id}`, { ...whole, plesk_key: null })).status).toBe(204)
      expect((await send('PUT', `/api/nodes/${id}`, { ...kept, ...panel })).status).toBe(204)
    },
  )

  it('rejects an edit of what someone else has changed', async () => {
    const { id, updated_at } = await add()
    expect((await send('PUT', `/api/nodes/${id}`, { ...whole, name: 'first', updated_at })).status).toBe(204)
    const { status, body } = await send('PUT', `/api/nodes/${id}`, { ...whole, name: 'second', updated_at })
    expect([status, body?.error]).toEqual([
      409,
      expect.stringContaining('staff@kustos.test changed this node'),
    ])
    expect((await list())[0]?.name).toBe('first')
  })

  it('writes nothing if nothing changes', async () => {
    const { id } = await add()
    const { plesk_key: _, ...same } = whole
    const before = await db.$count(logEntries)
    expect((await send('PUT', `/api/nodes/${id}`, same)).status).toBe(204)
    expect(await db.$count(logEntries)).toBe(before)
    expect((await send('PUT', '/api/nodes/2000000000', same)).status).toBe(404)
  })
})

it('gives its new name to saved views that filter by it, which are not reverted by themselves', async () => {
  const { id, plesk_fqdn } = await add({ name: 'bz-cloud-01', plesk_fqdn: 'panel.example.com' })
  const query = (name: string) => new URLSearchParams([['f.node', `any-of:a,${name}`]]).toString()
  const shown = { column_order: [], column_widths: {}, role_id: null }
  const body = { list: 'webs', name: 'Cloud', query: query('bz-cloud-01'), audience: 'private', ...shown }
  const { status, body: view } = await send('POST', '/api/views', body)
  expect(status).toBe(201)
  expect((await send('PUT', `/api/nodes/${id}`, { name: 'bz-01', plesk_fqdn })).status).toBe(204)
  const [stored] = await db.select().from(views)
  expect(stored).toMatchObject({ id: view?.id, query: query('bz-01') })
  const [logged] = await db
    .select()
    .from(logEntries)
    .where(and(eq(logEntries.subject_type, 'view'), eq(logEntries.description, 'updated')))
  expect(logged?.properties.attributes).toMatchObject({ node: 'bz-cloud-01 → bz-01' })
  expect(logged && findRevertRefusal(logged)).toBe('node_rename_not_revertible')
})

it('rejects the customer of a web to take over if it reverses text', async () => {
  const { id } = await add()
  const body = { webs: [{ fqdn: 'a.test', customer: 'ALPEN\u202e' }] }
  const { status, text } = await send('PUT', `/api/nodes/${id}/discovery`, body)
  expect(status).toBe(422)
  expect(text).toContain('character_reverses_text')
})

it('says how many webs can be taken over at a time', async () => {
  const { id } = await add()
  const body = { webs: Array.from({ length: 2_001 }, (_, index) => ({ fqdn: `web${index}.test` })) }
  const { status, text } = await send('PUT', `/api/nodes/${id}/discovery`, body)
  expect(status).toBe(422)
  expect(text).toContain('At most 2000 webs at a time')
})

it('deletes a node, unless webs are on it', async () => {
  const { id } = await add()
  const row = { fqdn: 'a.test', fqdn_ascii: 'a.test', customer: 'A', configured_ip: '192.0.2.1', node_id: id }
  await db.insert(webs).values({ ...row, deleted_at: new Date() })
  expect((await send('DELETE', `/api/nodes/${id}`)).status).toBe(409)
  await db.delete(webs)
  expect((await send('DELETE', `/api/nodes/${id}`)).status).toBe(204)
  expect(await list()).toEqual([])
  expect((await lastEntry())?.properties.old).toMatchObject({ name: 'bz-cloud-01' })
})

it('refuses to delete a node that an alert route or a maintenance window uses, and names it', async () => {
  const { id } = await add()
  const lists = { customers: [], tags: [], severities: [], weekdays: [], steps: [] }
  const flags = { is_active: true, replaces_channels: false, continues: false }
  await db.insert(alertRoutes).values({ name: 'Night', position: 1, node_ids: [id], ...lists, ...flags })
  const remove = () => send('DELETE', `/api/nodes/${id}`)
  expect((await remove()).body).toMatchObject({ code: 'node_used_by_route', params: { route: 'Night' } })
  await db.delete(alertRoutes)
  const [starts_at, ends_at] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const window = { reason: 'Update', repeats: 'once', starts_at, ends_at, nodes: [whole.name] }
  expect((await staff.send('POST', '/api/maintenance-windows', window)).status).toBe(201)
  expect((await remove()).body).toMatchObject({
    code: 'node_used_by_window',
    params: { window: 'Update' },
  })
  expect((await list()).length).toBe(1)
  await db.update(maintenanceWindows).set({ starts_at: new Date(1_000), ends_at: new Date(2_000) })
  expect((await remove()).status).toBe(204)
})

it('requests a test of the connection, which only those who may manage nodes see', async () => {
  const { id } = await add()
  const request = () => staff.send('POST', `/api/nodes/${id}/test`)
  const first = await request()
  const location = first.headers.get('location') ?? ''
  expect([first.status, (await request()).headers.get('location')]).toEqual([204, location])
  expect(await (await staff.fetch(location)).json()).toMatchObject({
    kind: 'connection',
    state: 'waiting',
    node_id: id,
    web_id: null,
    connection: null,
  })
  expect((await lastEntry())?.description).toBe('connection test requested')
  await createUser(database, 'webs@kustos.test', ['view webs'])
  expect((await (await signIn(origin, 'webs@kustos.test')).fetch(location)).status).toBe(404)
  expect((await send('DELETE', `/api/nodes/${id}`)).status).toBe(204)
  expect((await staff.fetch(location)).status).toBe(404)
})
