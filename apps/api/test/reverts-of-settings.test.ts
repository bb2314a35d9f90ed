import type { AlertChannel } from '@kustos/contract/alert-channels'
import type { MaintenanceWindow } from '@kustos/contract/maintenance'
import type { Tag } from '@kustos/contract/tags'
import type { ThirdPartyList } from '@kustos/contract/third-parties'
import type { CustomerContract, WebContract } from '@kustos/contract/tracking-contracts'
import type { View } from '@kustos/contract/views'
import {
  customers,
  externalDomains,
  logEntries,
  nodes,
  thirdPartyClassifications,
  viewSubscriptions,
  watchedDomains,
  webs,
} from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createUser, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'
import { codeOf, openReverts } from './reverts-kit.ts'

// Reverts of channels, views and preferences, tags, maintenance windows, contracts and the policy of tracking; others are in reverts-of-records.test.ts.

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

  it('gets widths back that an earlier release has logged by column', async () => {
    const id = await created('/api/views', { ...view, name: 'Wide' })
    const { list: _, ...fields } = { ...view, name: 'Wide' }
    const path = `/api/views/${id}`
    await change('view', id, path, { ...fields, column_widths: { node: 91, id: 60 } })
    const [made] = await db
      .insert(logEntries)
      .values({
        log_name: 'views',
        description: 'updated',
        subject_type: 'view',
        subject_id: id,
        created_at: new Date(),
        properties: {
          old: { column_widths: { customer: 200 } },
          attributes: { column_widths: { id: 60, node: 91 } },
        },
      })
      .returning({ id: logEntries.id })
    expect((await revert(made?.id ?? 0)).status).toBe(204)
    expect((await readFrom<View>('/api/views', id)).column_widths).toEqual({ customer: 200 })
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

  const addView = async (name: string) => {
    const id = await created('/api/views', { ...view, name })
    const read = async (client = admin) =>
      only((await client.json<View[]>('/api/views')).filter((row) => row.id === id))
    const prefer = (is_pinned: boolean, is_default: boolean) =>
      change('view', id, `/api/views/${id}/preference`, { is_pinned, is_default })
    return { id, path: `/api/views/${id}`, read, prefer }
  }

  it('gets a preference back from its own user, whatever others prefer', async () => {
    const { id, path, read, prefer } = await addView('Preferred')
    const pinned = await prefer(true, false)
    const preference = { is_pinned: true, is_default: false }
    expect((await reader.send('PUT', `${path}/preference`, preference)).status).toBe(204)
    const { id: ofReader } = await lastEntry('view', id)
    expect([(await revert(pinned, reader)).status, (await revert(ofReader)).status]).toEqual([403, 403])
    expect((await revert(pinned)).status).toBe(204)
    expect([(await read()).is_pinned, (await read(reader)).is_pinned]).toEqual([false, true])

    const again = await prefer(true, false)
    await prefer(false, false)
    await prefer(true, false)
    expect(await outdatedFields(again)).toBe('is_pinned')
  })

  it('is not the default any more, unless another view has become it since', async () => {
    const [one, other] = [await addView('One'), await addView('Another')]
    const first = await one.prefer(false, true)
    await other.prefer(false, true)
    expect(await outdatedFields(first)).toBe('is_default')
    const dropped = await other.prefer(false, false)
    await one.prefer(false, true)
    expect(await outdatedFields(dropped)).toBe('is_default')
    const last = await one.prefer(false, false)
    expect((await revert(last)).status).toBe(204)
    expect((await one.read()).is_default).toBe(true)
  })

  it('notifies its user as before, in the same language', async () => {
    const { id, path, read } = await addView('Followed')
    const notify = (body: object) => change('view', id, `${path}/notifications`, body)
    const followed = await notify({ delivery: 'daily', language: 'de' })
    const translated = await notify({ delivery: 'daily', language: 'en' })
    expect((await revert(translated)).status).toBe(204)
    const ended = await notify({ delivery: 'off' })
    expect((await revert(ended)).status).toBe(204)
    expect((await read()).notifications).toBe('daily')
    const subscriptions = db.select().from(viewSubscriptions).where(eq(viewSubscriptions.view_id, id))
    expect(await subscriptions).toMatchObject([{ delivery: 'daily', language: 'de' }])
    expect(await outdatedFields(followed)).toBe('notifications')
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

    const deleted = await insertWeb('second.test')
    await db.update(webs).set({ deleted_at: new Date() }).where(eq(webs.id, deleted))
    expect(await codeOf(await revert(without))).toEqual([409, 'web_ambiguous'])
    const active = await insertWeb('second.test')
    expect((await revert(without)).status).toBe(204)
    expect(await readWindow(id)).toMatchObject({ webs: [{ id: first }, { id: active }] })
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

describe('the policy of consent', () => {
  it('gets its decisions back, unless they have changed since', async () => {
    const edit = (decisions: object) =>
      change('tracking_policy', 1, '/api/third-parties/policy', { decisions })
    const changed = await edit({ chat: 'none', fonts: 'consent' })
    await edit({ maps: 'none' })
    expect((await revert(changed, reader)).status).toBe(403)
    expect((await revert(changed)).status).toBe(204)
    const { policy } = await admin.json<ThirdPartyList>('/api/third-parties')
    expect(policy).toMatchObject({ chat: 'review', fonts: 'review', maps: 'none' })
    const first = await edit({ fonts: 'consent' })
    await edit({ fonts: 'none', chat: 'none' })
    expect(await outdatedFields(first)).toBe('fonts')
  })
})

describe('the alerts of a domain', () => {
  async function watch(fqdn: string): Promise<number> {
    await db
      .insert(externalDomains)
      .values({ fqdn, fqdn_ascii: fqdn, customer: 'ALPEN', domainprovider: 'P' })
    const watched = { name: fqdn, domain: fqdn, dns_due_at: new Date() }
    return only(await db.insert(watchedDomains).values(watched).returning()).id
  }
  const mutedOf = async (id: number) =>
    only(await db.select().from(watchedDomains).where(eq(watchedDomains.id, id))).muted_types

  it('are muted as before', async () => {
    const id = await watch('example.com')
    const muted = await change('domain', id, '/api/domains/example.com/alerts', {
      muted_types: ['MX', 'TXT'],
    })
    expect((await revert(muted, reader)).status).toBe(403)
    expect((await revert(muted)).status).toBe(204)
    expect(await mutedOf(id)).toEqual([])
    expect(await outdatedFields(muted)).toBe('muted_types')
  })

  it('keep what somebody else mutes at the same time', async () => {
    const id = await watch('example.org')
    const muted = await change('domain', id, '/api/domains/example.org/alerts', { muted_types: ['MX'] })
    const other = await database.owner.pool.connect()
    await other.query('begin')
    await other.query(`update watched_domains set muted_types = '{MX,NS}' where id = ${id}`)
    const reverted = revert(muted)
    await expect.poll(database.waitingStatements).toHaveLength(1)
    await other.query('commit')
    other.release()
    expect((await reverted).status).toBe(409)
    expect(await mutedOf(id)).toEqual(['MX', 'NS'])
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
