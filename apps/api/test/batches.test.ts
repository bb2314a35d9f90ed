import type { Batch, BatchPreview } from '@kustos/contract/batches'
import {
  batches,
  batchTargets,
  categories,
  deployments,
  inspections,
  logEntries,
  userRoles,
  users,
  webCategories,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { advanceBatches } from '@kustos/domain/batches'
import { createContext } from '@kustos/domain/platform/context'
import { openEvents } from '@kustos/domain/platform/events'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { type ApiClient, createTestServices, createUser, signIn } from './api-client.ts'
import { openDeployments } from './deployments.ts'
import { only } from './logged-fixtures.ts'

const database = await testDatabase()
const { db } = database
const { origin, other, all, editor, creator, insertWeb } = await openDeployments(database)
const { deployments: tools } = await createTestServices(database)

const insertWebs = (count: number) => Promise.all(Array.from({ length: count }, () => insertWeb()))
const advance = () => advanceBatches(createContext(database), tools, new AbortController().signal)
const read = (id: number, client = all) => client.json<Batch>(`/api/batches/${id}`)

async function create(body: object, client: ApiClient = all): Promise<number> {
  const response = await client.send('POST', '/api/batches', body)
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as { id: number }
  expect(response.headers.get('location')).toBe(`/api/batches/${id}`)
  return id
}

/** As if a worker had run the deployments of a batch. */
const endDeployments = (batch: number, state: 'succeeded' | 'failed' | 'cancelled') =>
  db
    .update(deployments)
    .set({ state, ended_at: new Date(), ...(state === 'failed' && { error: 'The disk is full.' }) })
    .where(and(eq(deployments.batch_id, batch), eq(deployments.state, 'waiting')))

const entriesOf = (batch: number) =>
  db
    .select()
    .from(logEntries)
    .where(sql`${logEntries.properties} #>> '{attributes,batch}' = ${String(batch)}`)

test('a preview names the webs that would be skipped, and changes nothing', async () => {
  const [good, elsewhere] = [await insertWeb(), await insertWeb(other.id)]
  const preview = await (
    await all.send('POST', '/api/batches/preview', {
      action: 'backupWeb',
      webs: [good, elsewhere, 999_999, good],
    })
  ).json()
  expect(preview as BatchPreview).toEqual({
    eligible: 1,
    skipped: [
      expect.objectContaining({
        web_id: elsewhere,
        reason: `Deployments are not allowed on ${other.name}.`,
        reason_code: 'deployments_not_allowed',
      }),
      expect.objectContaining({ web_id: 999_999, fqdn: null, reason_code: 'web_not_found' }),
    ],
  })
  expect(await db.select().from(deployments).where(eq(deployments.web_id, good))).toEqual([])
})

test('starts with one web, goes on with several, and ends with a result for each', async () => {
  const ids = await insertWebs(4)
  const elsewhere = await insertWeb(other.id)
  const id = await create({ action: 'backupWeb', webs: [...ids, elsewhere], parallel: 2, stop_above: 60 })
  await advance()
  expect((await read(id)).counts).toMatchObject({ running: 1, waiting: 3, skipped: 1 })
  await advance()
  expect((await read(id)).counts).toMatchObject({ running: 1, waiting: 3 })
  await endDeployments(id, 'succeeded')
  await advance()
  expect((await read(id)).counts).toMatchObject({ succeeded: 1, running: 2, waiting: 1 })
  await endDeployments(id, 'failed')
  await advance()
  expect((await read(id)).counts).toMatchObject({ succeeded: 1, failed: 2, running: 0, cancelled: 1 })
  const ended = await read(id)
  expect(ended).toMatchObject({ state: 'stopped', ended_at: expect.any(String), total: 5 })
  expect(ended.targets.map(({ state }) => state)).toEqual([
    'succeeded',
    'failed',
    'failed',
    'cancelled',
    'skipped',
  ])
  expect(ended.targets[1]).toMatchObject({ error: 'The disk is full.' })
  expect(ended.targets[3]).toMatchObject({ error_code: 'batch_stopped', error_params: { percent: 60 } })
  const entries = await entriesOf(id)
  expect(entries.map(({ subject_id }) => subject_id).sort()).toEqual(ids.slice(0, 3).sort())
  expect(entries.every(({ description }) => description === 'backupWeb requested')).toBe(true)

  // Another attempt takes what did not succeed, but for the web that would be skipped again.
  expect(ended.retryable).toBe(3)
  const skippedAt = ended.targets[4]?.ended_at
  const retriedAt = new Date()
  expect((await all.send('POST', `/api/batches/${id}/retry`)).status).toBe(204)
  const retried = await read(id)
  expect(retried).toMatchObject({ retryable: 0, counts: { waiting: 3, skipped: 1 } })
  expect(Date.parse(retried.started_at)).toBeGreaterThanOrEqual(retriedAt.getTime())
  await advance()
  await endDeployments(id, 'succeeded')
  await advance()
  await endDeployments(id, 'succeeded')
  await advance()
  await endDeployments(id, 'succeeded')
  await advance()
  expect(await read(id)).toMatchObject({ state: 'succeeded', counts: { succeeded: 4, skipped: 1 } })
  expect((await read(id)).targets[4]).toMatchObject({
    state: 'skipped',
    error_code: 'deployments_not_allowed',
    error_params: { node: other.name },
    ended_at: skippedAt,
  })
})

test('a skipped web is retried once the action applies to it', async () => {
  const [good, elsewhere] = [await insertWeb(), await insertWeb(other.id)]
  const id = await create({ action: 'backupWeb', webs: [good, elsewhere] })
  await advance()
  await endDeployments(id, 'succeeded')
  await advance()
  expect(await read(id)).toMatchObject({ retryable: 0, counts: { succeeded: 1, skipped: 1 } })
  const retry = () => all.send('POST', `/api/batches/${id}/retry`)
  const refused = await retry()
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ code: 'batch_nothing_to_retry' })
  const [{ node_id } = { node_id: null }] = await db.select().from(webs).where(eq(webs.id, good))
  await db.update(webs).set({ node_id }).where(eq(webs.id, elsewhere))
  expect((await read(id)).retryable).toBe(1)
  await createUser(database, 'queue@kustos.test', ['view queue'])
  expect((await read(id, await signIn(origin, 'queue@kustos.test'))).retryable).toBe(0)
  expect((await retry()).status).toBe(204)
  await advance()
  expect((await read(id)).counts).toMatchObject({ succeeded: 1, running: 1, skipped: 0 })
})

test('a web whose deployment was retried individually is not started again, and takes its result', async () => {
  const id = await create({ action: 'backupWeb', webs: await insertWebs(4), parallel: 2, stop_above: 60 })
  await advance()
  await endDeployments(id, 'succeeded')
  await advance()
  await endDeployments(id, 'failed')
  await advance()
  const { state, retryable, targets } = await read(id)
  expect([state, retryable]).toEqual(['stopped', 3])
  const [, second, third] = targets.map(({ deployment_id }) => deployment_id)
  for (const deployment of [second, third])
    expect((await all.send('POST', `/api/deployments/${deployment}/retry`)).status).toBe(204)
  await db
    .update(deployments)
    .set({ state: 'succeeded', ended_at: new Date() })
    .where(eq(deployments.id, second ?? 0))
  // One has succeeded, the other one is under way.
  expect((await read(id)).retryable).toBe(1)
  expect((await all.send('POST', `/api/batches/${id}/retry`)).status).toBe(204)
  await advance()
  expect((await read(id)).targets).toMatchObject([
    { state: 'succeeded' },
    { state: 'succeeded', deployment_id: second, error: null },
    { state: 'running', deployment_id: third, error: null },
    { state: 'running', deployment_id: expect.any(Number) },
  ])
  await endDeployments(id, 'succeeded')
  await advance()
  expect(await read(id)).toMatchObject({ state: 'succeeded', counts: { succeeded: 4 } })
})

test('are listed newest first, and older ones on request', async () => {
  const webs = await insertWebs(1)
  const [first, second, third] = [
    await create({ action: 'refresh', webs }),
    await create({ action: 'refresh', webs }),
    await create({ action: 'refresh', webs }),
  ]
  const list = async (query: string) =>
    (await all.json<{ data: Batch[] }>(`/api/batches${query}`)).data.map(({ id }) => id)
  expect((await list('')).slice(0, 3)).toEqual([third, second, first])
  expect((await list(`?before=${third}`)).slice(0, 2)).toEqual([second, first])
  expect(await list(`?before=${first}`)).not.toContain(first)
})

test('is cancelled: what runs goes on, the rest is not started', async () => {
  const id = await create({ action: 'updateWeb', webs: await insertWebs(3) })
  await advance()
  expect((await all.send('POST', `/api/batches/${id}/cancel`)).status).toBe(204)
  await endDeployments(id, 'succeeded')
  await advance()
  expect(await read(id)).toMatchObject({ state: 'cancelled', counts: { succeeded: 1, cancelled: 2 } })
  expect((await all.send('POST', `/api/batches/${id}/cancel`)).status).toBe(409)
})

test('cannot be cancelled once it has started all its webs', async () => {
  const id = await create({ action: 'updateWeb', webs: await insertWebs(1) })
  await advance()
  const refused = await all.send('POST', `/api/batches/${id}/cancel`)
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'batch_nothing_to_cancel' }])
  await endDeployments(id, 'succeeded')
  await advance()
  expect(await read(id)).toMatchObject({ state: 'succeeded' })
})

test('edits the given fields only, one log entry for each web', async () => {
  const ids = await insertWebs(60)
  const [kept, added] = await db
    .insert(categories)
    .values([{ name: 'Kept' }, { name: 'Added' }])
    .returning()
  if (!kept || !added) throw new Error('The categories were not inserted')
  await db.insert(webCategories).values({ web_id: ids[0] ?? 0, category_id: kept.id })
  await db.update(webs).set({ comment: 'Stays' }).where(inArray(webs.id, ids))
  const edits = { customer: 'BERG', add_categories: [added.id] }
  const id = await create({ action: 'edit', webs: ids, edits })
  await advance()
  expect(await read(id)).toMatchObject({ state: 'succeeded', counts: { succeeded: 60 } })
  expect(
    await db
      .select({ customer: webs.customer, comment: webs.comment })
      .from(webs)
      .where(inArray(webs.id, ids)),
  ).toEqual(ids.map(() => ({ customer: 'BERG', comment: 'Stays' })))
  const entries = await entriesOf(id)
  expect(new Set(entries.map(({ subject_id }) => subject_id))).toEqual(new Set(ids))
  expect(entries.find(({ subject_id }) => subject_id === ids[0])).toMatchObject({
    description: 'updated',
    properties: {
      old: { customer: 'ALPEN', categories: ['Kept'] },
      attributes: { customer: 'BERG', categories: ['Added', 'Kept'], batch: id },
    },
  })
  // Nothing is left to do.
  const again = await all.send('POST', '/api/batches', { action: 'edit', webs: ids, edits })
  expect(again.status).toBe(422)
  expect(await again.json()).toMatchObject({
    errors: { webs: ['None of these webs can take this action: Nothing would change.'] },
  })
})

test('takes the webs that match a filter when it is accepted', async () => {
  const [first, second] = await insertWebs(2)
  await db
    .update(webs)
    .set({ customer: 'FILTERED' })
    .where(inArray(webs.id, [first ?? 0, second ?? 0]))
  const id = await create({ action: 'edit', filter: 'q=FILTERED', edits: { comment: 'Found' } })
  const later = await insertWeb()
  await db.update(webs).set({ customer: 'FILTERED' }).where(eq(webs.id, later))
  await advance()
  expect((await read(id)).targets.map(({ web_id }) => web_id).toSorted()).toEqual([first, second].toSorted())
  // Matches say something about webs.
  await createUser(database, 'blind@kustos.test', ['edit webs'])
  const blind = await signIn(origin, 'blind@kustos.test')
  const body = { action: 'refresh', filter: 'q=FILTERED' }
  expect((await blind.send('POST', '/api/batches/preview', body)).status).toBe(403)
  const none = await all.send('POST', '/api/batches/preview', { action: 'refresh', filter: 'q=no-such-web' })
  expect(none.status).toBe(422)
  expect(await none.json()).toMatchObject({ errors: { filter: ['Choose at least one web'] } })
})

test('takes deleted webs that match a filter, of users who may list them', async () => {
  const ids = await insertWebs(2)
  await db.update(webs).set({ customer: 'GONE', deleted_at: new Date() }).where(inArray(webs.id, ids))
  const body = { action: 'restore', filter: 'deleted=1&q=GONE' }
  expect(await (await all.send('POST', '/api/batches/preview', body)).json()).toEqual({
    eligible: 2,
    skipped: [],
  })
  const refused = await editor.send('POST', '/api/batches/preview', { ...body, action: 'refresh' })
  expect(refused.status).toBe(403)
  const id = await create(body)
  await advance()
  expect(await read(id)).toMatchObject({ state: 'succeeded', counts: { succeeded: 2 } })
})

test.each([
  ['', 'Enter a search or at least one filter'],
  ['sort=fqdn&q=', 'Enter a search or at least one filter'],
  ['view=12', 'The list can’t filter by “view”'],
  ['q=hof&deleted=0', 'The list can’t filter by “deleted”'],
  ['f.unknown=contains:hof', 'The list can’t filter by “f.unknown”'],
  ['f.fqdn=like:hof', 'The list can’t filter by “f.fqdn”'],
])('refuses the filter “%s” rather than take every web', async (filter, text) => {
  for (const path of ['/api/batches/preview', '/api/batches']) {
    const response = await all.send('POST', path, { action: 'delete', filter })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: { filter: [text] } })
  }
})

test('deletes, and restores after the password was entered', async () => {
  const ids = await insertWebs(2)
  await create({ action: 'delete', webs: ids })
  await advance()
  const remaining = () =>
    db
      .select()
      .from(webs)
      .where(and(inArray(webs.id, ids), sql`deleted_at is null`))
  expect(await remaining()).toEqual([])
  await create({ action: 'restore', webs: ids })
  await advance()
  expect(await remaining()).toHaveLength(2)
})

test('requests inspections, and joins those under way', async () => {
  const [first, second] = [await insertWeb(), await insertWeb()]
  const [running] = await db
    .insert(inspections)
    .values({ web_id: first, kind: 'tracking', created_at: new Date() })
    .returning()
  const id = await create({ action: 'audit', webs: [first, second] })
  await advance()
  await db
    .update(inspections)
    .set({ state: 'partial', ended_at: new Date() })
    .where(eq(inspections.web_id, first))
  await advance()
  await db
    .update(inspections)
    .set({ state: 'failed', ended_at: new Date() })
    .where(eq(inspections.web_id, second))
  await advance()
  const { state, targets } = await read(id)
  expect(state).toBe('failed')
  expect(targets).toMatchObject([
    { state: 'succeeded', inspection_id: running?.id },
    { state: 'failed', inspection_id: expect.any(Number) },
  ])
  const requests = (await entriesOf(id)).filter(({ description }) => description === 'audit requested')
  expect(requests.map(({ subject_id, properties }) => [subject_id, properties.attributes])).toEqual(
    targets.map(({ web_id, inspection_id }) => [web_id, { inspection: inspection_id, batch: id }]),
  )
})

test('skips what is refused when its turn comes', async () => {
  const [first, second, third] = [await insertWeb(), await insertWeb(), await insertWeb()]
  const id = await create({ action: 'backupWeb', webs: [first, second, third] })
  await db.update(webs).set({ deleted_at: new Date() }).where(eq(webs.id, first))
  await db.update(webs).set({ node_id: other.id }).where(eq(webs.id, second))
  await advance()
  expect((await read(id)).targets).toMatchObject([
    { state: 'skipped', error_code: 'web_not_found' },
    { state: 'skipped', error_code: 'deployments_not_allowed', error_params: { node: other.name } },
    { state: 'running', deployment_id: expect.any(Number) },
  ])
})

test('an unexpected error fails its web, not the batches', async () => {
  const [broken, good] = [await insertWeb(), await insertWeb()]
  await database.owner.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger refuse before update on webs for each row when (old.id = ${broken}) execute function refuse()`)
  const body = { action: 'edit', webs: [good, broken], edits: { comment: 'New' }, stop_above: 100 }
  const id = await create(body)
  await advance()
  const { state, targets } = await read(id)
  expect(state).toBe('failed')
  expect(targets).toMatchObject([
    { web_id: good, state: 'succeeded' },
    { web_id: broken, state: 'failed', error_code: 'unexpected_failure' },
  ])
  await database.owner.pool.query('drop trigger refuse on webs; drop function refuse')
})

/** Requests another customer for two webs as a user who loses the permission before they are started. */
async function requestAndLeave(email: string, customer: string): Promise<number> {
  const user = await createUser(database, email, ['edit webs'])
  const client = await signIn(origin, email)
  const id = await create({ action: 'edit', webs: await insertWebs(2), edits: { customer } }, client)
  await db.delete(userRoles).where(eq(userRoles.user_id, user))
  await advance()
  return id
}

test('a batch of a release that workers do not have yet waits for it, and holds up no others', async () => {
  const [first = 0, second = 0] = await insertWebs(2)
  const newer = await create({ action: 'edit', webs: [first], edits: { comment: 'Newer' } })
  await db.update(batches).set({ action: 'newerAction' }).where(eq(batches.id, newer))
  const id = await create({ action: 'edit', webs: [second], edits: { comment: 'Known' } })
  await advance()
  expect(await read(id)).toMatchObject({ state: 'succeeded' })
  const left = await db.select().from(batchTargets).where(eq(batchTargets.batch_id, newer))
  expect(left).toMatchObject([{ state: 'waiting' }])
  await db.update(batches).set({ action: 'edit' }).where(eq(batches.id, newer))
  await advance()
  expect(await read(newer)).toMatchObject({ state: 'succeeded' })
})

test('does nothing more for a user who has lost the permission', async () => {
  const id = await requestAndLeave('lost@kustos.test', 'LOST')
  const { state, targets } = await read(id)
  // None of them succeeded.
  expect(state).toBe('failed')
  expect(targets).toMatchObject([
    { state: 'skipped', error_code: 'batch_not_permitted' },
    { state: 'skipped', error_code: 'batch_not_permitted' },
  ])
  expect(await db.select().from(webs).where(eq(webs.customer, 'LOST'))).toEqual([])
})

test('runs for the user who retries it, also if the one who requested it has left', async () => {
  const id = await requestAndLeave('left@kustos.test', 'RETRIED')
  expect((await editor.send('POST', `/api/batches/${id}/retry`)).status).toBe(204)
  const notified: unknown[] = []
  const events = openEvents(database.url, (error) => notified.push(error))
  onTestFinished(events.close)
  events.subscribe((event) => notified.push(event))
  await expect.poll(() => notified).toEqual(['missed some'])
  await advance()
  const batch = await read(id)
  expect(batch).toMatchObject({
    state: 'succeeded',
    requested_by: { email: 'left@kustos.test' },
    counts: { succeeded: 2 },
  })
  const changes = (await entriesOf(id)).filter(({ subject_type }) => subject_type === 'web')
  const [editing] = await db.select().from(users).where(eq(users.email, 'edit@kustos.test'))
  await expect.poll(() => notified).toContainEqual({ list: 'own_batches', id: editing?.id })
  expect(changes.map(({ causer_id }) => causer_id)).toEqual([editing?.id, editing?.id])
  const own = await editor.json<{ data: Batch[] }>('/api/batches/own')
  expect(own.data.map((one) => one.id)).toContain(id)
})

test('needs the permission of its action', async () => {
  const ids = await insertWebs(1)
  for (const action of ['delete', 'restore']) {
    for (const path of ['/api/batches', '/api/batches/preview'])
      expect((await editor.send('POST', path, { action, webs: ids })).status).toBe(403)
  }
  expect((await creator.send('POST', '/api/batches', { action: 'backupWeb', webs: ids })).status).toBe(403)
})

test('is seen by its requester and by users who see the queue', async () => {
  await createUser(database, 'own@kustos.test', ['edit webs'])
  const own = await signIn(origin, 'own@kustos.test')
  const mine = await create({ action: 'refresh', webs: await insertWebs(1) }, own)
  const others = await create({ action: 'refresh', webs: await insertWebs(1) })
  const listed = async (client: ApiClient) =>
    (await client.json<{ data: Batch[] }>('/api/batches')).data.map(({ id }) => id)
  expect(await listed(own)).toEqual([mine])
  expect(await listed(editor)).toEqual(expect.arrayContaining([mine, others]))
  expect((await own.fetch(`/api/batches/${others}`)).status).toBe(404)
  expect((await own.send('POST', `/api/batches/${others}/cancel`)).status).toBe(404)
})

test.each([
  [{ action: 'refresh' }, 'webs', 'Name the webs or a filter, not both'],
  [{ action: 'refresh', webs: [1], filter: 'q=a' }, 'webs', 'Name the webs or a filter, not both'],
  [{ action: 'edit', webs: [1] }, 'edits', 'Change at least one field'],
  [{ action: 'edit', webs: [1], edits: {} }, 'edits', 'Change at least one field'],
  [{ action: 'edit', webs: [1], edits: { add_categories: [] } }, 'edits', 'Change at least one field'],
  [{ action: 'refresh', webs: [1], edits: { customer: 'A' } }, 'edits', 'Only for the action “edit”'],
  [{ action: 'refresh', webs: [] }, 'webs', 'Choose at least one web'],
  [{ action: 'importDatabase', webs: [1] }, 'action', expect.stringContaining('Must be one of')],
  [
    { action: 'refresh', webs: Array.from({ length: 10_001 }, (_, at) => at + 1) },
    'webs',
    'At most 10000 webs at a time',
  ],
  [{ action: 'refresh', webs: [1], parallel: 0 }, 'parallel', expect.anything()],
])('rejects %j', async (body, field, text) => {
  const response = await all.send('POST', '/api/batches', body)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ errors: { [field]: [text] } })
})

test('a category that does not exist is refused', async () => {
  const response = await all.send('POST', '/api/batches', {
    action: 'edit',
    webs: await insertWebs(1),
    edits: { add_categories: [999_999] },
  })
  expect(response.status).toBe(422)
})

test('two workers at once start every web once', async () => {
  const ids = await insertWebs(12)
  const id = await create({ action: 'backupWeb', webs: ids, parallel: 100 })
  for (let step = 0; step < 4; step++) {
    await Promise.all([advance(), advance(), advance()])
    await endDeployments(id, 'succeeded')
  }
  await advance()
  expect(await read(id)).toMatchObject({ state: 'succeeded', counts: { succeeded: 12 } })
  expect(await db.select().from(deployments).where(eq(deployments.batch_id, id))).toHaveLength(12)
})

test('own deployments leave out those of batches', async () => {
  const id = await create({ action: 'backupWeb', webs: await insertWebs(1) })
  await advance()
  const target = only(await db.select().from(batchTargets).where(eq(batchTargets.batch_id, id)))
  const { data } = await all.json<{ data: { id: number }[] }>('/api/deployments/own')
  expect(data.map((each) => each.id)).not.toContain(target.deployment_id)
})
