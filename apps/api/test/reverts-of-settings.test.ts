import type { AlertChannel } from '@kustos/contract/alert-channels'
import type { MaintenanceWindow } from '@kustos/contract/maintenance'
import type { Tag } from '@kustos/contract/tags'
import type { CustomerContract, WebContract } from '@kustos/contract/tracking-contracts'
import type { View } from '@kustos/contract/views'
import {
  customers,
  externalDomains,
  nodes,
  thirdPartyClassifications,
  watchedDomains,
  webs,
} from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createUser, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'
import { codeOf, openReverts } from './reverts-kit.ts'

// Reverts of channels, views, tags, maintenance windows and contracts about tracking; others are in reverts-of-records.test.ts.

const { database, origin, admin, reader, lastEntry, revert, change, created, outdatedFields } =
  await openReverts()
const { db } = database
const { id: node } = only(await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.test' }).returning())
const { id: customer } = only(await db.insert(customers).values({ code: 'ALPEN' }).returning())
const insertWeb = async (fqdn: string) =>
  only(
    await db
      .insert(webs)
      .values({ fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', node_id: node, configured_ip: '192.0.2.1' })
      .returning(),
  ).id

/** The one with this id in a list of the API. */
async function readFrom<Row extends { readonly id: number }>(path: string, id: number): Promise<Row> {
  const list = await admin.json<readonly Row[] | { readonly data: readonly Row[] }>(path)
  return only(('data' in list ? list.data : list).filter((row) => row.id === id))
}

describe('a channel', () => {
  const readChannel = (id: number) => readFrom<AlertChannel>('/api/alert-channels', id)

  it('gets its address back', async () => {
    const channel = { name: 'Office', kind: 'mail', address: 'office@kustos.test' }
    const id = await created('/api/alert-channels', channel)
    const path = `/api/alert-channels/${id}`
    const changed = await change('alert_channel', id, path, { ...channel, address: 'else@kustos.test' })
    await change('alert_channel', id, path, { ...channel, address: 'else@kustos.test', name: 'Desk' })
    expect((await revert(changed, reader)).status).toBe(403)
    expect((await revert(changed)).status).toBe(204)
    expect(await readChannel(id)).toMatchObject({ name: 'Desk', address: 'office@kustos.test' })
    expect(await outdatedFields(changed)).toBe('address')
  })

  it('keeps its secrets, and a change of them is refused', async () => {
    const channel = { name: 'Hook', kind: 'slack', url: 'https://hooks.kustos.test/services/one' }
    const id = await created('/api/alert-channels', channel)
    const path = `/api/alert-channels/${id}`
    const renamed = await change('alert_channel', id, path, { name: 'Renamed', kind: 'slack' })
    const moved = await change('alert_channel', id, path, {
      ...channel,
      name: 'Renamed',
      url: 'https://other.kustos.test/services/two',
    })
    expect(await codeOf(await revert(moved))).toEqual([409, 'channel_secret_not_revertible'])
    expect((await revert(renamed)).status).toBe(204)
    expect(await readChannel(id)).toMatchObject({ name: 'Hook', host: 'other.kustos.test' })
  })
})

describe('a view', () => {
  const view = {
    list: 'webs',
    name: 'Old ones',
    query: 'search=a',
    column_order: ['fqdn'],
    column_widths: { node: 90, customer: 200 },
    audience: 'everyone',
    role_id: null,
  }

  it('gets its query, widths and audience back, but not from those who may not change it', async () => {
    const id = await created('/api/views', view)
    const { list: _, ...fields } = view
    const path = `/api/views/${id}`
    const changed = await change('view', id, path, { ...fields, query: '', column_widths: { node: 91 } })
    await change('view', id, path, { ...fields, query: '', column_widths: { node: 91 }, name: 'Older ones' })
    expect(await codeOf(await revert(changed, reader))).toEqual([403, 'view_not_editable'])
    expect((await revert(changed)).status).toBe(204)
    expect(await readFrom<View>('/api/views', id)).toMatchObject({
      name: 'Older ones',
      query: 'search=a',
      column_widths: { node: 90, customer: 200 },
    })
    expect(await outdatedFields(changed)).toBe('query, column_widths')
  })

  it('is shared with its role again, unless that is gone', async () => {
    const role = await created('/api/roles', { name: 'Night shift', permissions: ['view webs'] })
    const id = await created('/api/views', { ...view, name: 'Shared', audience: 'role', role_id: role })
    const { list: _, ...fields } = { ...view, name: 'Shared' }
    const path = `/api/views/${id}`
    const hidden = await change('view', id, path, { ...fields, audience: 'private' })
    expect((await revert(hidden)).status).toBe(204)
    expect(await readFrom<View>('/api/views', id)).toMatchObject({ audience: 'role', role: { id: role } })
    const again = await change('view', id, path, { ...fields, audience: 'private' })
    expect((await admin.send('DELETE', `/api/roles/${role}`)).status).toBe(204)
    expect(await codeOf(await revert(again))).toEqual([409, 'role_gone'])
  })
})

describe('a tag', () => {
  it('gets its name back, also where it is carried', async () => {
    const tag = { name: 'vip', type: 'none', options: [], color: 'grey', description: null }
    const id = await created('/api/tags', tag)
    const web = await insertWeb('carrier.test')
    await db
      .update(webs)
      .set({ tags: ['vip'] })
      .where(eq(webs.id, web))
    const renamed = await change('tag', id, `/api/tags/${id}`, { ...tag, name: 'gold' })
    expect((await revert(renamed, reader)).status).toBe(403)
    expect((await revert(renamed)).status).toBe(204)
    expect(await readFrom<Tag>('/api/tags', id)).toMatchObject({ name: 'vip' })
    expect(only(await db.select().from(webs).where(eq(webs.id, web))).tags).toEqual(['vip'])
  })
})

describe('a maintenance window', () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const readWindow = (id: number) => readFrom<MaintenanceWindow>('/api/maintenance-windows', id)

  it('gets its time and its webs back, unless one is gone', async () => {
    const [first, second] = [await insertWeb('first.test'), await insertWeb('second.test')]
    const window = {
      reason: 'New server',
      webs: [first, second],
      nodes: ['n1'],
      repeats: 'once',
      starts_at: inHours(5),
      ends_at: inHours(6),
    }
    const id = await created('/api/maintenance-windows', window)
    const path = `/api/maintenance-windows/${id}`
    const moved = { ...window, webs: [first], starts_at: inHours(7), ends_at: inHours(8) }
    const changed = await change('maintenance_window', id, path, moved)
    await change('maintenance_window', id, path, { ...moved, reason: 'Newer server' })
    expect((await revert(changed, reader)).status).toBe(403)
    expect((await revert(changed)).status).toBe(204)
    expect(await readWindow(id)).toMatchObject({
      reason: 'Newer server',
      webs: [{ id: first }, { id: second }],
      nodes: ['n1'],
      starts_at: window.starts_at,
      ends_at: window.ends_at,
    })

    const without = await change('maintenance_window', id, path, { ...window, webs: [first] })
    await db.update(webs).set({ deleted_at: new Date() }).where(eq(webs.id, second))
    const other = await createUser(database, 'planner@kustos.test', [
      'view logs',
      'view webs',
      'plan maintenance',
    ])
    expect(other).toBeGreaterThan(0)
    const planner = await signIn(origin, 'planner@kustos.test')
    expect(await codeOf(await revert(without, planner))).toEqual([409, 'web_gone'])
  })
})

describe('the classification of a host', () => {
  it('gets its category and its reason back, unless it was taken back', async () => {
    const path = '/api/third-parties'
    const given = { host: 'tags.example.com', category: 'analytics', reason: 'Counts visitors' }
    expect((await admin.send('PUT', path, given)).status).toBe(204)
    const { id } = only(await db.select().from(thirdPartyClassifications))
    const changed = await change('third_party', id, path, { ...given, category: 'social', reason: 'Likes' })
    expect((await revert(changed, reader)).status).toBe(403)
    expect((await revert(changed)).status).toBe(204)
    expect(await db.select().from(thirdPartyClassifications)).toMatchObject([given])
    expect(await outdatedFields(changed)).toBe('category, reason')
    await change('third_party', id, path, { ...given, category: null })
    expect(await codeOf(await revert(changed))).toEqual([409, 'classification_gone'])
  })
})

describe('the alerts of a domain', () => {
  it('are muted as before', async () => {
    const fqdn = 'example.com'
    await db
      .insert(externalDomains)
      .values({ fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', domainprovider: 'P' })
    const watched = { name: fqdn, domain: fqdn, dns_due_at: new Date() }
    const { id } = only(await db.insert(watchedDomains).values(watched).returning())
    const path = '/api/domains/example.com/alerts'
    const muted = await change('domain', id, path, { muted_types: ['MX', 'TXT'] })
    expect((await revert(muted, reader)).status).toBe(403)
    expect((await revert(muted)).status).toBe(204)
    expect(await db.select().from(watchedDomains)).toMatchObject([{ muted_types: [] }])
    expect(await outdatedFields(muted)).toBe('muted_types')
  })
})

describe('a contract about tracking', () => {
  it('gets its fields back, at the customer and at a web', async () => {
    const web = await insertWeb('agreed.test')
    const [ofCustomer, ofWeb] = ['/api/customers/ALPEN/contract', `/api/webs/${web}/contract`]
    const agreed = { consent_tool: 'Usercentrics', googleanalytics: ['G-AAAA111'] }
    await change('customer', customer, ofCustomer, agreed)
    const changed = await change('customer', customer, ofCustomer, { googleanalytics: ['G-BBBB222'] })
    expect((await revert(changed, reader)).status).toBe(403)
    expect((await revert(changed)).status).toBe(204)
    expect((await admin.json<CustomerContract>(ofCustomer)).own).toMatchObject(agreed)
    expect((await lastEntry('customer', customer)).properties.attributes).toMatchObject({ reverts: changed })
    expect(await outdatedFields(changed)).toBe('consent_tool, googleanalytics')

    const first = await change('web', web, ofWeb, { hosts: ['cdn.test'] })
    expect((await revert(first)).status).toBe(204)
    expect((await admin.json<WebContract>(ofWeb)).own.hosts).toBeNull()
  })
})
