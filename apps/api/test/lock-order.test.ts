import { customersRoutes } from '@kustos/contract/customers'
import { maintenanceRoutes } from '@kustos/contract/maintenance'
import { openDatabase } from '@kustos/database/client'
import {
  attentionHandling,
  customers,
  emailChanges,
  incidents,
  nodes,
  roles,
  tags,
  trackingAudits,
  users,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { assignTo } from '@kustos/domain/alert-routes'
import { hashPassword } from '@kustos/domain/auth'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, listen, password, signIn } from './api-client.ts'
import { newWeb } from './deployments.ts'
import { storeRepositories } from './repositories.ts'

const { mergeCustomers } = customersRoutes
const database = await testDatabase()
const { db } = database
const { pool: holders, close } = openDatabase(database.url, { max: 2, asLogin: true })
afterAll(close)
const origin = await listen(database)
await createUser(database, 'admin@kustos.test', 'admin')
const admin = await signIn(origin, 'admin@kustos.test')
await storeRepositories(db, newWeb.sourceRepo)

/** Locks what the statement locks. @returns a function that releases it, after what a further statement locks */
async function hold(statement: string): Promise<(further?: string) => Promise<void>> {
  const client = await holders.connect()
  await client.query('begin')
  await client.query(statement)
  return async (further) => {
    if (further !== undefined) await client.query(further)
    await client.query('commit')
    client.release()
  }
}

/** Waits until a statement that contains the text waits for a lock. */
const untilWaiting = (text: string) =>
  expect.poll(database.waitingStatements, { timeout: 30_000 }).toContainEqual(expect.stringContaining(text))

const statusesOf = async (...responses: readonly Promise<Response>[]) =>
  (await Promise.all(responses)).map(({ status }) => status)

it('lets a user cancel a new e-mail while an admin deletes the user', async () => {
  const id = await createUser(database, 'anna@kustos.test', [])
  const anna = await signIn(origin, 'anna@kustos.test')
  const expires_at = new Date(Date.now() + 60_000)
  await db
    .insert(emailChanges)
    .values({ user_id: id, email: 'new@kustos.test', token_hash: 'hash', expires_at })
  const release = await hold('lock table log_entries in share mode')
  const cancelled = anna.send('DELETE', '/api/emailChange')
  await untilWaiting('insert into "log_entries"')
  const deleted = admin.send('DELETE', `/api/users/${id}`)
  await expect.poll(database.waitingStatements, { timeout: 30_000 }).toHaveLength(2)
  await release()
  expect(await statusesOf(cancelled, deleted)).toEqual([204, 204])
})

it('lets a user enter a wrong password during a change of the user whose password is no longer right', async () => {
  const email = 'berta@kustos.test'
  const id = await createUser(database, email, [])
  const berta = await signIn(origin, email)
  const releaseRoles = await hold(`select from roles where name = 'admin' for update`)
  const changed = berta.send('PUT', `/api/users/${id}`, {
    email: 'other@kustos.test',
    name: 'Berta',
    current_password: password,
  })
  await untilWaiting('from "roles"')
  await db
    .update(users)
    .set({ password_hash: await hashPassword('another password') })
    .where(eq(users.id, id))
  const releaseLog = await hold('lock table log_entries in share mode')
  const confirmed = berta.send('POST', '/api/confirmPassword', { password: 'wrong' })
  await untilWaiting('insert into "log_entries"')
  await releaseRoles()
  await untilWaiting('insert into "failed_sign_ins"')
  await releaseLog()
  expect(await statusesOf(changed, confirmed)).toEqual([422, 422])
})

it('lets a user delete a web while an admin sets another role and password of the user', async () => {
  const email = 'carla@kustos.test'
  const id = await createUser(database, email, ['delete webs'])
  const carla = await signIn(origin, email)
  const [web] = await db
    .insert(webs)
    .values({ fqdn: 'a.test', fqdn_ascii: 'a.test', customer: 'ALPEN', configured_ip: '192.0.2.1' })
    .returning()
  const [role] = await db.insert(roles).values({ name: 'another' }).returning()
  const release = await hold(`select from sessions where user_id = ${id} for update`)
  const deleted = carla.send('DELETE', `/api/webs/${web?.id}`)
  await untilWaiting('from "sessions"')
  const changed = admin.send('PUT', `/api/users/${id}`, {
    email,
    name: 'Carla',
    password: `another ${password}`,
    roles: [role?.id],
  })
  await untilWaiting('delete from "user_roles"')
  await release()
  expect(await statusesOf(deleted, changed)).toEqual([204, 204])
})

describe('of many rows', () => {
  const customer = 'MÜLLER'
  const former = 'Alter Müller'
  const lockWeb = (of: string) => `select from webs where customer = '${of}' for update`
  let tag = 0

  beforeAll(async () => {
    const carried = { tags: ['legal'] }
    const [node] = await db
      .insert(nodes)
      .values({ name: 'of-webs', plesk_fqdn: 'm.test', ...carried })
      .returning()
    const facts = { configured_ip: '192.0.2.1', node_id: node?.id, ...carried }
    // The web of the former customer is locked last.
    const [web] = await db
      .insert(webs)
      .values(
        [customer, former].map((code, n) => ({
          ...facts,
          fqdn: `many-${n}.test`,
          fqdn_ascii: `many-${n}.test`,
          customer: code,
        })),
      )
      .returning()
    tag = (await db.insert(tags).values({ name: 'legal' }).returning())[0]?.id ?? 0
    // Webs without one are not judged by a contract.
    const audit = { audited_at: new Date(), engine: 'static', outcome: 'seen', findings: [] }
    await db.insert(trackingAudits).values({ ...audit, web_id: web?.id ?? 0 })
  })

  it.each([
    {
      what: 'a tag while webs of a node that has it are taken over',
      held: `select from nodes where name = 'of-webs' for no key update`,
      further: lockWeb(customer),
      change: () => admin.send('PUT', `/api/tags/${tag}`, { name: 'lawful' }),
    },
    {
      what: 'the tracking contract of a customer that is merged',
      held: lockWeb(customer),
      further: `select from customers where code = '${customer}' for update`,
      change: () =>
        admin.send('PUT', `/api/customers/${encodeURIComponent(customer)}/contract`, {
          hosts: ['cdn.test'],
        }),
    },
    {
      what: 'customers that are merged while a tag of their webs changes',
      held: lockWeb(customer),
      further: lockWeb(former),
      change: () => admin.send('POST', mergeCustomers.path, { from: former, into: customer }),
    },
  ])('lets a user change $what', async ({ held, further, change }) => {
    const release = await hold(held)
    const changed = change()
    await expect.poll(database.waitingStatements, { timeout: 30_000 }).toHaveLength(1)
    await release(further)
    expect(await statusesOf(changed)).toEqual([204])
  })
})

it('lets a user plan maintenance of customers of which one is merged into the other', async () => {
  // Their order by id is not that of their codes.
  await db.insert(customers).values([{ code: 'STAYS' }, { code: 'MERGED' }])
  const release = await hold(`select from customers where code = 'MERGED' for update`)
  const merged = admin.send('POST', mergeCustomers.path, { from: 'MERGED', into: 'STAYS' })
  await untilWaiting('from "customers"')
  const planned = admin.send('POST', maintenanceRoutes.planWindow.path, {
    reason: 'Kernel',
    customers: ['MERGED', 'STAYS'],
    repeats: 'once',
    starts_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await expect.poll(database.waitingStatements, { timeout: 30_000 }).toHaveLength(2)
  await release()
  // The merged one is not there any more.
  expect(await statusesOf(merged, planned)).toEqual([204, 422])
})

it.each([
  { what: 'a web is added to it', table: 'webs', accepted: 201 },
  { what: 'a web is requested on it', table: 'deployments', accepted: 204 },
] as const)('keeps a node that an admin deletes while $what', async ({ table, accepted }) => {
  const [node] = await db
    .insert(nodes)
    .values({ name: `a-${table}`, plesk_fqdn: 'n.test', address: '192.0.2.1', cloud_enabled: true })
    .returning()
  const release = await hold(`lock table ${table} in share mode`)
  const added =
    table === 'webs'
      ? admin.send('POST', '/api/webs', {
          fqdn: 'added.test',
          customer: 'ALPEN',
          configured_ip: '192.0.2.1',
          node: node?.name,
        })
      : admin.send('POST', '/api/deployment/newWeb', newWeb)
  await untilWaiting(`insert into "${table}"`)
  const deleted = admin.send('DELETE', `/api/nodes/${node?.id}`)
  await Promise.race([deleted, untilWaiting('from "nodes"')])
  await release()
  expect(await statusesOf(added, deleted)).toEqual([accepted, 409])
})

it('lets a user acknowledge an outage while a route gives its webs to the user on call', async () => {
  const onCall = await createUser(database, 'dora@kustos.test', ['view monitoring web statistic'])
  const added = await db
    .insert(webs)
    .values(
      ['one.test', 'two.test'].map((fqdn) => ({
        fqdn,
        fqdn_ascii: fqdn,
        customer: 'ALPEN',
        configured_ip: '192.0.2.7',
      })),
    )
    .returning({ id: webs.id })
  const [one = 0, two = 0] = added.map(({ id }) => id).sort((a, b) => a - b)
  const since = new Date('2026-11-20T10:00:00Z')
  const times = { started_at: since, last_failed_at: since, watched_until: since, reason: 'x' }
  const [outage] = await db.insert(incidents).values(times).returning({ id: incidents.id })
  // The incident of the second web is the first one.
  const members = await db
    .insert(incidents)
    .values([two, one].map((web_id) => ({ ...times, web_id, outage_id: outage?.id ?? 0 })))
    .returning({ id: incidents.id })
  await db.insert(attentionHandling).values(
    [one, two].map((subject_id) => ({
      kind: 'web_down',
      subject_id,
      since,
      action: 'assigned',
      updated_at: since,
    })),
  )
  const release = await hold(`select from attention_handling where subject_id = ${two} for update`)
  const acknowledged = admin.send('PUT', `/api/monitoring/incidents/${outage?.id}/acknowledge`, {})
  await untilWaiting('insert into "attention_handling"')
  const ids = members.map(({ id }) => id)
  const assigned = db.transaction((tx) => assignTo(tx, ids, onCall, new Date()))
  await expect.poll(database.waitingStatements, { timeout: 30_000 }).toHaveLength(2)
  await release()
  const [statuses] = await Promise.all([statusesOf(acknowledged), assigned])
  expect(statuses).toEqual([204])
})
