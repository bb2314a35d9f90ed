import type { NodeDetails } from '@kustos/contract/nodes'
import type { User } from '@kustos/contract/users'
import {
  alertRoutes,
  customers,
  logEntries,
  nodes,
  roles,
  rotas,
  sessions,
  users,
} from '@kustos/database/tables'
import { dayOf } from '@kustos/domain/monitoring'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createUser, password, signIn } from './api-client.ts'
import { only } from './logged-fixtures.ts'
import { codeOf, openReverts } from './reverts-kit.ts'

// Reverts of users, nodes, customers, rotas, alert routes and their order; those of webs, domains, roles and batches are in reverts.test.ts,
// those of channels, views, tags, maintenance windows and contracts in reverts-of-settings.test.ts.

const { database, origin, adminId, admin, reader, lastEntry, revert, change, created, outdatedFields } =
  await openReverts()
const { db } = database

describe('a user', () => {
  let count = 0
  async function addUser() {
    const email = `user${++count}@kustos.test`
    const id = await createUser(database, email, [])
    return { id, email, path: `/api/users/${id}` }
  }
  const read = (id: number) => admin.json<User>(`/api/users/${id}`)
  const roleOf = async (name: string) => only(await db.insert(roles).values({ name }).returning())
  const hashOf = async (id: number) =>
    only(await db.select().from(users).where(eq(users.id, id))).password_hash

  it('gets name, e-mail, mails and roles back, and keeps what else has changed', async () => {
    const { id, email, path } = await addUser()
    const [held] = (await read(id)).roles
    const role = await roleOf('office')
    const changed = await change('user', id, path, {
      email: `new-${email}`,
      name: 'Anna',
      roles: [role.id],
      monitoring_mail_subscription: true,
    })
    await change('user', id, path, {
      email: `new-${email}`,
      name: 'Anna',
      deployment_mail_subscription: true,
    })
    expect((await revert(changed)).status).toBe(204)
    expect(await read(id)).toMatchObject({
      email,
      name: email,
      roles: [held],
      monitoring_mail_subscription: false,
      deployment_mail_subscription: true,
    })
    expect(await lastEntry('user', id)).toMatchObject({
      causer_id: adminId,
      properties: { attributes: { email, reverts: changed } },
    })
  })

  it('keeps the password, and a change of it is refused', async () => {
    const { id, email, path } = await addUser()
    const renamed = await change('user', id, path, { email, name: 'First' })
    const next = 'another long passphrase'
    const changed = await change('user', id, path, { email, name: 'First', password: next })
    const hash = await hashOf(id)
    expect(await codeOf(await revert(changed))).toEqual([409, 'password_not_revertible'])
    expect((await revert(renamed)).status).toBe(204)
    expect(await hashOf(id)).toBe(hash)
  })

  it('is refused with the fields that have changed since, and with a role that is gone', async () => {
    const { id, email, path } = await addUser()
    const first = await change('user', id, path, { email, name: 'First' })
    await change('user', id, path, { email, name: 'Second' })
    expect(await outdatedFields(first)).toBe('name')
    const [role, other] = [await roleOf('gone'), await roleOf('stays')]
    await change('user', id, path, { email, name: 'Second', roles: [role.id] })
    const moved = await change('user', id, path, { email, name: 'Second', roles: [other.id] })
    await db.delete(roles).where(eq(roles.id, role.id))
    expect(await codeOf(await revert(moved))).toEqual([409, 'role_gone'])
  })

  it('does not give an administrator’s own e-mail back without the password', async () => {
    const own = { email: 'head@kustos.test', name: 'Head' }
    const id = await createUser(database, own.email, 'admin')
    const head = await signIn(origin, own.email)
    const body = { ...own, email: 'boss@kustos.test', current_password: password }
    expect((await head.send('PUT', `/api/users/${id}`, body)).status).toBe(204)
    const { id: entry } = await lastEntry('user', id)
    expect(await codeOf(await revert(entry, head))).toEqual([409, 'own_email_not_revertible'])
    expect((await revert(entry)).status).toBe(204)
  })

  it('is restored, or deleted again', async () => {
    const { id, path } = await addUser()
    const deleted = await change('user', id, path, {}, 'DELETE')
    expect((await revert(deleted)).status).toBe(204)
    const restored = await lastEntry('user', id)
    expect([restored.description, (await revert(restored.id)).status]).toEqual(['restored', 204])
    expect((await read(id)).deleted_at).not.toBeNull()
    expect(await codeOf(await revert(deleted))).toEqual([409, 'change_superseded'])
  })

  it('stays deleted if somebody else restores and deletes the user while the revert waits', async () => {
    const { id, path } = await addUser()
    const deleted = await change('user', id, path, {}, 'DELETE')
    const client = await database.owner.pool.connect()
    const waiting = (count: number) =>
      expect.poll(database.waitingStatements, { timeout: 30_000 }).toHaveLength(count)
    try {
      await client.query(`begin; select from roles where name = 'admin' for update`)
      const others = [admin.send('PUT', `${path}/restore`)]
      await waiting(1)
      others.push(admin.send('DELETE', path))
      await waiting(2)
      const reverted = revert(deleted)
      await waiting(3)
      await client.query('commit')
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([204, 204])
      expect(await codeOf(await reverted)).toEqual([409, 'change_superseded'])
    } finally {
      client.release()
    }
  })

  it('needs the right to edit users, even for one’s own data, and a recently entered password', async () => {
    const { id, email, path } = await addUser()
    const changed = await change('user', id, path, { email, name: 'Changed' })
    expect((await revert(changed, reader)).status).toBe(403)
    await db.update(sessions).set({ confirmed_at: null })
    expect((await revert(changed)).status).toBe(423)
    await admin.send('POST', '/api/confirmPassword', { password })
    expect((await revert(changed)).status).toBe(204)
    await db.update(sessions).set({ confirmed_at: new Date() })
  })
})

describe('a node', () => {
  const key = 'f8a2c9b1-panel-key'
  let count = 0
  async function addNode() {
    const body = { name: `n${++count}`, plesk_fqdn: `n${count}.test`, plesk_key: key, ssh_user: 'kustos' }
    const node = (await (await admin.send('POST', '/api/nodes', body)).json()) as NodeDetails
    return { ...body, id: node.id, path: `/api/nodes/${node.id}` }
  }
  const rowOf = async (id: number) => only(await db.select().from(nodes).where(eq(nodes.id, id)))

  it('gets its fields back, and keeps its key', async () => {
    const { id, path, plesk_key: _, ...node } = await addNode()
    const body = { ...node, ssh_user: 'root', ssh_port: 2222, plesk_key: 'a-newer-key' }
    const changed = await change('node', id, path, body)
    const before = await rowOf(id)
    expect((await revert(changed)).status).toBe(204)
    const after = await rowOf(id)
    expect(after).toMatchObject({ ssh_user: 'kustos', ssh_port: null, plesk_key: before.plesk_key })
    const entry = await lastEntry('node', id)
    expect(entry.properties).toEqual({
      old: { ssh_user: 'root', ssh_port: 2222 },
      attributes: { ssh_user: 'kustos', ssh_port: null, reverts: changed },
    })
  })

  it('does not get its former panel back while a key for the present one is stored', async () => {
    const { id, path, ...node } = await addNode()
    const body = { ...node, plesk_fqdn: 'other.test', plesk_key: 'key-of-the-other-panel' }
    const changed = await change('node', id, path, body)
    expect((await revert(changed)).status).toBe(422)
    expect((await rowOf(id)).plesk_fqdn).toBe('other.test')
    await change('node', id, path, { ...body, plesk_key: null })
    expect((await revert(changed)).status).toBe(204)
  })

  it('never gets a key back, which the log does not have', async () => {
    const { id, path, ...node } = await addNode()
    const changed = await change('node', id, path, { ...node, plesk_key: null })
    expect(await codeOf(await revert(changed))).toEqual([409, 'panel_key_not_revertible'])
    expect((await rowOf(id)).plesk_key).toBeNull()
    const log = JSON.stringify(await db.select().from(logEntries).where(eq(logEntries.subject_type, 'node')))
    expect(log).not.toContain(key)
  })

  it('is refused with the fields that have changed since, and without the right to manage nodes', async () => {
    const { id, path, ...node } = await addNode()
    const first = await change('node', id, path, { ...node, ssh_user: 'first', address: '192.0.2.7' })
    await change('node', id, path, { ...node, ssh_user: 'second', address: '192.0.2.7' })
    expect((await revert(first, reader)).status).toBe(403)
    expect(await outdatedFields(first)).toBe('ssh_user')
  })
})

describe('a customer', () => {
  let count = 0
  async function addCustomer() {
    const code = `CUSTOMER ${++count}`
    const { id } = only(await db.insert(customers).values({ code, notes: 'Before' }).returning())
    return { id, code, path: `/api/customers/${encodeURIComponent(code)}` }
  }
  const rowOf = async (id: number) => only(await db.select().from(customers).where(eq(customers.id, id)))

  it('gets its texts, contacts and alert route back', async () => {
    const { id, path } = await addCustomer()
    const changed = await change('customer', id, path, {
      notes: 'After',
      contacts: [{ name: 'Anna', role: null, email: null, phone: null }],
      alert_channels: ['telegram'],
    })
    await change('customer', id, path, { name: 'Hotel' })
    expect((await revert(changed)).status).toBe(204)
    expect(await rowOf(id)).toMatchObject({
      notes: 'Before',
      contacts: [],
      alert_channels: [],
      name: 'Hotel',
    })
  })

  it('is refused with the fields that have changed since, and without the right to edit customers', async () => {
    const { id, path } = await addCustomer()
    const first = await change('customer', id, path, { notes: 'First', name: 'Hotel' })
    await change('customer', id, path, { notes: 'Second' })
    expect((await revert(first, reader)).status).toBe(403)
    expect(await outdatedFields(first)).toBe('notes')
  })

  it('stays merged, with the reason', async () => {
    const [from, into] = [await addCustomer(), await addCustomer()]
    const merge = { from: from.code, into: into.code }
    const merged = await change('customer', into.id, '/api/customers/merge', merge, 'POST')
    expect(await codeOf(await revert(merged))).toEqual([409, 'merge_not_revertible'])
  })

  it('that is gone is named as what the entry is about', async () => {
    const [from, into] = [await addCustomer(), await addCustomer()]
    const changed = await change('customer', from.id, from.path, { notes: 'Later' })
    await change('customer', into.id, '/api/customers/merge', { from: from.code, into: into.code }, 'POST')
    expect(await codeOf(await revert(changed))).toEqual([404, 'log_subject_not_found'])
  })
})

describe('a rota and an alert route', () => {
  const rotaOf = async (id: number) => only(await db.select().from(rotas).where(eq(rotas.id, id)))
  const routeOf = async (id: number) =>
    only(await db.select().from(alertRoutes).where(eq(alertRoutes.id, id)))

  it('gets its users back, in their order, unless one is gone', async () => {
    const [one, other] = [
      await createUser(database, 'one@kustos.test', 'admin'),
      await createUser(database, 'other@kustos.test', 'admin'),
    ]
    const rota = {
      name: 'Nights',
      users: [other, one],
      handover: 'daily',
      // So that the first of them is on call: a change that leaves that user out does not move the first day.
      time: '00:00',
      first_day: dayOf(new Date()),
    }
    const id = await created('/api/rotas', rota)
    const path = `/api/rotas/${id}`
    const changed = await change('rota', id, path, { ...rota, users: [one, adminId] })
    await change('rota', id, path, { ...rota, users: [one, adminId], name: 'Evenings' })
    expect((await revert(changed, reader)).status).toBe(403)
    expect((await revert(changed)).status).toBe(204)
    expect(await rotaOf(id)).toMatchObject({ name: 'Evenings', user_ids: [other, one] })
    expect(await outdatedFields(changed)).toBe('users')
    const swapped = await change('rota', id, path, { ...rota, users: [one, other] })
    await change('rota', id, path, { ...rota, users: [other, one] })
    // The first day moves, so that the user on call stays the same.
    expect(await outdatedFields(swapped)).toMatch(/^users\b/)

    const without = await change('rota', id, path, { ...rota, users: [one] })
    await admin.send('DELETE', `/api/users/${other}`)
    expect(await codeOf(await revert(without))).toEqual([409, 'user_gone'])
  })

  it('gets its steps back, unless a channel is gone', async () => {
    const channel = (name: string) =>
      created('/api/alert-channels', { name, kind: 'mail', address: `${name}@kustos.test` })
    const [first, second] = [await channel('first'), await channel('second')]
    const rota = only(await db.select().from(rotas)).id
    const steps = [
      { channels: [first], rotas: [] },
      { after_minutes: 20, channels: [second], rotas: [rota] },
    ]
    const route = { name: 'Gold', nodes: [], steps }
    const id = await created('/api/alert-routes', route)
    const path = `/api/alert-routes/${id}`
    const before = await routeOf(id)
    const changed = await change('alert_route', id, path, { ...route, steps: [{ channels: [second] }] })
    await change('alert_route', id, path, { ...route, weekdays: [6, 7], steps: [{ channels: [second] }] })
    expect((await revert(changed)).status).toBe(204)
    expect(await routeOf(id)).toMatchObject({ weekdays: [6, 7], steps: before.steps })

    const without = await change('alert_route', id, path, { ...route, steps: [{ channels: [second] }] })
    await admin.send('DELETE', `/api/alert-channels/${first}`)
    expect(await codeOf(await revert(without))).toEqual([409, 'alert_channel_gone'])

    await change('alert_route', id, path, { ...route, steps: [{ rotas: [rota] }] })
    const moved = await change('alert_route', id, path, { ...route, steps: [{ channels: [second] }] })
    const { name } = await rotaOf(rota)
    const namesake = { name, users: [adminId], handover: 'daily', time: '09:00', first_day: '2026-11-20' }
    await created('/api/rotas', namesake)
    expect(await codeOf(await revert(moved))).toEqual([409, 'rota_ambiguous'])
  })

  it('gets the order of all routes back, unless it has changed since or a route is gone', async () => {
    const channel = await created('/api/alert-channels', {
      name: 'Chat',
      kind: 'mail',
      address: 'c@kustos.test',
    })
    for (const name of ['North', 'South'])
      await created('/api/alert-routes', {
        name,
        steps: [{ channels: [channel] }],
      })
    const readOrder = async () =>
      (await db.select({ id: alertRoutes.id }).from(alertRoutes).orderBy(alertRoutes.position)).map(
        ({ id }) => id,
      )
    const order = (ids: readonly number[]) => change('alert_route_order', 1, '/api/alert-routes', { ids })
    const before = await readOrder()
    const turned = await order(before.toReversed())
    expect((await revert(turned, reader)).status).toBe(403)
    expect((await revert(turned)).status).toBe(204)
    expect(await readOrder()).toEqual(before)

    const again = await order(before.toReversed())
    await order(before)
    await order(before.toReversed())
    expect(await outdatedFields(again)).toBe('order')
    const last = await order(before)
    await admin.send('DELETE', `/api/alert-routes/${before[0]}`)
    expect(await codeOf(await revert(last))).toEqual([409, 'alert_route_gone'])
  })
})
