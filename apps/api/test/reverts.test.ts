import type { Batch, BatchPreview } from '@kustos/contract/batches'
import { batches, categories, logEntries, roles, sessions, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { createContext } from '@kustos/domain/platform/context'
import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type ApiClient, createTestServices, createUser, password, signIn } from './api-client.ts'
import { openDeployments } from './deployments.ts'
import { readLastEntryOf } from './last-entry.ts'
import { only } from './logged-fixtures.ts'

const database = await testDatabase()
const { db } = database
const { origin, all, insertWeb } = await openDeployments(database)
const { deployments: tools } = await createTestServices(database)
await createUser(database, 'admin@kustos.test', 'admin')
const admin = await signIn(origin, 'admin@kustos.test')
await createUser(database, 'log@kustos.test', ['view logs', 'view webs'])
const reader = await signIn(origin, 'log@kustos.test')

const lastEntry = (type: string, id: number) => readLastEntryOf(db, type, id)
const revert = (entry: number, client: ApiClient = all) => client.send('POST', `/api/logs/${entry}/revert`)
const readWeb = (id: number) => all.json<Record<string, unknown>>(`/api/webs/${id}`)

async function edit(id: number, fields: object): Promise<number> {
  const { fqdn, customer, configured_ip } = await readWeb(id)
  const body = { fqdn, customer, configured_ip, ...fields }
  expect((await all.send('PUT', `/api/webs/${id}`, body)).status).toBe(204)
  return (await lastEntry('web', id)).id
}

test('a change is reverted by a change that names it, and that revert, too', async () => {
  const id = await insertWeb()
  const { id: category } = only(await db.insert(categories).values({ name: 'Hotel' }).returning())
  const changed = await edit(id, { comment: 'New', customer: 'BERG', categories: [category] })
  expect((await revert(changed)).status).toBe(204)
  expect(await readWeb(id)).toMatchObject({ comment: null, customer: 'ALPEN', categories: [] })
  const entry = await lastEntry('web', id)
  expect(entry).toMatchObject({
    description: 'updated',
    properties: { old: { customer: 'BERG' }, attributes: { customer: 'ALPEN', reverts: changed } },
  })
  expect((await revert(entry.id)).status).toBe(204)
  expect(await readWeb(id)).toMatchObject({ comment: 'New', categories: [{ name: 'Hotel' }] })
})

test('other fields that changed later stay', async () => {
  const id = await insertWeb()
  const changed = await edit(id, { comment: 'First' })
  await edit(id, { framework_name: 'TYPO3' })
  expect((await revert(changed)).status).toBe(204)
  expect(await readWeb(id)).toMatchObject({ comment: null, framework_name: 'TYPO3' })
})

test('a change whose fields changed again is not reverted, and who did that is named', async () => {
  const id = await insertWeb()
  const first = await edit(id, { comment: 'First' })
  await edit(id, { comment: 'Second' })
  const response = await revert(first)
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({
    code: 'change_outdated',
    error: expect.stringMatching(
      /^all@kustos\.test has changed this since, at .+: comment\. Nothing was reverted\.$/,
    ),
  })
  expect(await readWeb(id)).toMatchObject({ comment: 'Second' })
})

test('rejects the revert of a change whose value was set again later, and reverts the later change', async () => {
  const id = await insertWeb()
  const first = await edit(id, { comment: 'Call first', framework_name: 'TYPO3' })
  await edit(id, { comment: null })
  const again = await edit(id, { comment: 'Call first' })
  await edit(id, { framework_version: '13' })
  const response = await revert(first)
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({
    code: 'change_outdated',
    error: expect.stringMatching(/^all@kustos\.test has .+: comment\. Nothing was reverted\.$/),
  })
  expect(await readWeb(id)).toMatchObject({ comment: 'Call first', framework_name: 'TYPO3' })
  expect((await revert(again)).status).toBe(204)
  expect(await readWeb(id)).toMatchObject({ comment: null })
})

test('a web that was deleted and restored since has not changed', async () => {
  const id = await insertWeb()
  const changed = await edit(id, { comment: 'New' })
  await all.send('DELETE', `/api/webs/${id}`)
  await all.send('PUT', `/api/webs/${id}/restore`)
  expect((await revert(changed)).status).toBe(204)
})

test('a deletion is reverted by restoring the web, a restoration by deleting it', async () => {
  const id = await insertWeb()
  expect((await all.send('DELETE', `/api/webs/${id}`)).status).toBe(204)
  expect((await revert((await lastEntry('web', id)).id)).status).toBe(204)
  const restored = await lastEntry('web', id)
  expect(restored.description).toBe('restored')
  expect((await revert(restored.id)).status).toBe(204)
  expect((await all.fetch(`/api/webs/${id}`)).status).toBe(404)
})

test('a deletion is not reverted once the web was restored and deleted again', async () => {
  const id = await insertWeb()
  const path = `/api/webs/${id}`
  await all.send('DELETE', path)
  const { id: first } = await lastEntry('web', id)
  await all.send('PUT', `${path}/restore`)
  await all.send('DELETE', path)
  const response = await revert(first)
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ code: 'change_superseded' })
  expect((await revert((await lastEntry('web', id)).id)).status).toBe(204)
})

test('a name is given back although a certificate of the new one was found', async () => {
  const id = await insertWeb()
  const { fqdn } = await readWeb(id)
  const renamed = await edit(id, { fqdn: 'renamed.test' })
  await db
    .update(webs)
    .set({ cert_ca: "Let's Encrypt", cert_from: new Date(), cert_expiration: new Date() })
    .where(eq(webs.id, id))
  expect((await revert(renamed)).status).toBe(204)
  expect(await readWeb(id)).toMatchObject({ fqdn, cert_ca: null })
})

test('what was read from a node is not given back, also not in part', async () => {
  const id = await insertWeb()
  const [entry] = await db
    .insert(logEntries)
    .values({
      created_at: new Date(),
      log_name: 'webs',
      description: 'updated',
      subject_type: 'web',
      subject_id: id,
      properties: { old: { status: 16, framework_version: '12' }, attributes: { status: 0 } },
    })
    .returning()
  const response = await revert(entry?.id ?? 0)
  expect(await response.json()).toMatchObject({ code: 'node_facts_not_revertible' })
})

test('a category that is gone is named', async () => {
  const id = await insertWeb()
  const gone = only(await db.insert(categories).values({ name: 'Gone' }).returning())
  await edit(id, { categories: [gone.id] })
  const removed = await edit(id, { categories: [] })
  await db.delete(categories).where(eq(categories.id, gone.id))
  expect(await (await revert(removed)).json()).toMatchObject({ code: 'category_gone' })
})

test('needs the permission for the opposite change', async () => {
  const id = await insertWeb()
  const changed = await edit(id, { comment: 'New' })
  expect((await revert(changed, reader)).status).toBe(403)
  expect(await readWeb(id)).toMatchObject({ comment: 'New' })
})

test('needs the password again where the opposite change does', async () => {
  const id = await insertWeb()
  expect((await all.send('DELETE', `/api/webs/${id}`)).status).toBe(204)
  const deleted = (await lastEntry('web', id)).id
  await db.update(sessions).set({ confirmed_at: null })
  expect((await revert(deleted)).status).toBe(423)
  await all.send('POST', '/api/confirmPassword', { password })
  expect((await revert(deleted)).status).toBe(204)
  await db.update(sessions).set({ confirmed_at: new Date() })
})

test('domains and roles are reverted, requests are not', async () => {
  const domain = { fqdn: 'extern.test', customer: 'ALPEN', domainprovider: 'Other' }
  const { id } = (await (await all.send('POST', '/api/externalDomains', domain)).json()) as { id: number }
  await all.send('PUT', `/api/externalDomains/${id}`, { ...domain, customer: 'BERG' })
  expect((await revert((await lastEntry('external_domain', id)).id)).status).toBe(204)
  expect(await all.json('/api/externalDomains')).toEqual([expect.objectContaining(domain)])

  const role = only(await db.insert(roles).values({ name: 'office' }).returning())
  await admin.send('PUT', `/api/roles/${role.id}`, {
    name: 'Office',
    permissions: ['view webs', 'view logs'],
  })
  expect((await revert((await lastEntry('role', role.id)).id, admin)).status).toBe(204)
  expect(await admin.json<object[]>('/api/roles')).toContainEqual(
    expect.objectContaining({ name: 'office', permissions: [] }),
  )

  const web = await insertWeb()
  await all.send('POST', '/api/deployment/backupWeb', { id: web })
  const response = await revert((await lastEntry('web', web)).id)
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ code: 'change_not_revertible' })
  expect((await revert(2_000_000_000)).status).toBe(404)
})

test('a batch of edits is reverted as a whole, but for webs that changed since', async () => {
  const ids = [await insertWeb(), await insertWeb(), await insertWeb(), await insertWeb()]
  const run = async (path: string, body?: object) => {
    const { id } = (await (await all.send('POST', path, body)).json()) as { id: number }
    await advanceBatches(createContext(database), tools, new AbortController().signal)
    return all.json<Batch>(`/api/batches/${id}`)
  }
  const done = await run('/api/batches', { action: 'edit', webs: ids, edits: { comment: 'Batch' } })
  expect(done.state).toBe('succeeded')
  const edited = await lastEntry('web', ids[0] ?? 0)
  await edit(ids[1] ?? 0, { comment: 'Mine' })
  await edit(ids[3] ?? 0, { comment: 'Mine' })
  await edit(ids[3] ?? 0, { comment: 'Batch' })
  const counted = await db.$count(batches)
  const preview = (id: number) => all.json<BatchPreview>(`/api/batches/${id}/revert`)
  expect(await preview(done.id)).toMatchObject({
    eligible: 2,
    skipped: [
      { web_id: ids[1], fqdn: expect.any(String), reason_code: 'change_outdated' },
      { web_id: ids[3], fqdn: expect.any(String), reason_code: 'change_outdated' },
    ],
  })
  expect((await preview(done.id)).skipped[0]?.reason_params).toMatchObject({ fields: 'comment' })
  expect(await db.$count(batches)).toBe(counted)
  const reverted = await run(`/api/batches/${done.id}/revert`)
  expect(reverted).toMatchObject({
    action: 'edit',
    reverts_batch: done.id,
    counts: { succeeded: 2, skipped: 2 },
  })
  for (const target of [reverted.targets[1], reverted.targets[3]])
    expect(target).toMatchObject({ state: 'skipped', error_code: 'change_outdated' })
  expect(reverted.retryable).toBe(0)
  const rows = await db.select().from(webs).where(inArray(webs.id, ids)).orderBy(webs.id)
  expect(rows.map(({ comment }) => comment)).toEqual([null, 'Mine', null, 'Batch'])
  expect((await lastEntry('web', ids[0] ?? 0)).properties.attributes).toEqual({
    comment: null,
    batch: reverted.id,
    reverts: edited.id,
  })

  ids.pop()
  const deleted = await run('/api/batches', { action: 'delete', webs: ids })
  await all.send('PUT', `/api/webs/${ids[0]}/restore`)
  expect(await preview(deleted.id)).toMatchObject({
    eligible: 2,
    skipped: [{ web_id: ids[0], reason_code: 'web_not_deleted' }],
  })
  await all.send('DELETE', `/api/webs/${ids[0]}`)
  expect(await preview(deleted.id)).toMatchObject({
    eligible: 2,
    skipped: [{ web_id: ids[0], reason_code: 'change_superseded' }],
  })
  expect(await run(`/api/batches/${deleted.id}/revert`)).toMatchObject({
    action: 'restore',
    state: 'succeeded',
    counts: { succeeded: 2, skipped: 1 },
  })
  const refreshed = await run('/api/batches', { action: 'refresh', webs: ids })
  const refused = await all.send('POST', `/api/batches/${refreshed.id}/revert`)
  expect(refused.status).toBe(409)
  expect((await all.send('GET', `/api/batches/${refreshed.id}/revert`)).status).toBe(409)
})
