import { deploymentLines, deploymentSteps, deployments, logEntries, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, desc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createTestServices, createUser, listen, signIn } from './api-client.ts'
import { at, getDeploymentId, newWeb, openDeployments, readError } from './deployments.ts'
import { storeRepositories } from './repositories.ts'

const database = await testDatabase()
const { db } = database
const { origin, cloud, other, all, editor, creator, request, insertWeb } = await openDeployments(database)

describe('an action', () => {
  test('is accepted with its row, steps, audit entry and job', async () => {
    const web = await insertWeb()
    const response = await request('backupWeb', { id: web })
    expect(response.status).toBe(204)
    expect(response.headers.get('location')).toMatch(/^\/api\/deployments\/\d+$/)
    const id = getDeploymentId(response)
    expect(await db.select().from(deployments).where(eq(deployments.id, id))).toMatchObject([
      { kind: 'backupWeb', state: 'waiting', web_id: web, node_id: cloud.id, attempts: 1 },
    ])
    const steps = await db.select().from(deploymentSteps).where(eq(deploymentSteps.deployment_id, id))
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.every((step) => step.state === 'pending')).toBe(true)
    const [entry] = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(1)
    expect(entry).toMatchObject({
      log_name: 'deployment',
      description: 'backupWeb requested',
      subject_type: 'web',
      subject_id: web,
    })
    const jobs = (await (await all.fetch('/api/queue')).json()) as { deployment_id: number }[]
    expect(jobs.find((job) => job.deployment_id === id)).toMatchObject({
      queue: 'deployment',
      displayName: expect.stringMatching(/^backupWeb · web\d+\.test$/),
      state: 'waiting',
      attempts: 1,
      requested_by: { email: expect.stringContaining('@') },
      started_at: null,
      ended_at: null,
    })
    // While its job ends.
    const [started_at, ended_at] = [new Date('2026-11-25T10:00:00Z'), new Date('2026-11-25T10:01:30Z')]
    await db
      .update(deployments)
      .set({ state: 'cancelled', started_at, ended_at })
      .where(eq(deployments.id, id))
    expect(await (await all.fetch('/api/queue')).json()).toContainEqual(
      expect.objectContaining({
        deployment_id: id,
        kind: 'backupWeb',
        state: 'cancelled',
        started_at: started_at.toISOString(),
        ended_at: ended_at.toISOString(),
      }),
    )
  })

  test('is rejected while one of its kind is active, unlike another kind', async () => {
    const web = await insertWeb()
    const responses = await Promise.all(Array.from({ length: 10 }, () => request('updateWeb', { id: web })))
    const statuses = responses.map((response) => response.status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    const rejected = responses.find((response) => response.status === 409)
    expect(rejected && (await readError(rejected))).toBe(
      'This action is already waiting or running for this web.',
    )
    expect((await request('exportDatabase', { id: web })).status).toBe(204)
  })

  test('is rejected on a node that is not cloud-enabled, and without a node', async () => {
    for (const node of [other.id, null]) {
      const response = await request('backupWeb', { id: await insertWeb(node) })
      expect(response.status).toBe(409)
      expect(await readError(response)).toBe('This action can not be executed on this server.')
    }
  })

  test('is rejected if the recipe file has no steps for it', async () => {
    const { deployments: tools } = await createTestServices(database)
    const { backupWeb: _, ...older } = tools.recipes
    const oldOrigin = await listen(database, { deployments: { ...tools, recipes: older } })
    const editor = await signIn(oldOrigin, 'edit@kustos.test')
    const id = await insertWeb()
    const response = await editor.send('POST', '/api/deployment/backupWeb', { id })
    expect(response.status).toBe(409)
    expect(await readError(response)).toBe('This action is not set up: the recipe file has no steps for it.')
    expect((await editor.send('POST', '/api/deployment/updateWeb', { id })).status).toBe(204)
  })

  test('requires an active web', async () => {
    const web = await insertWeb()
    await db.update(webs).set({ deleted_at: at }).where(eq(webs.id, web))
    expect((await request('backupWeb', { id: web })).status).toBe(404)
    expect((await request('backupWeb', { id: 999_999 })).status).toBe(404)
  })

  test.each([
    {},
    { id: '1' },
    { id: 0 },
    { id: -1 },
    { id: 1.5 },
    { id: null },
    { id: [1] },
    { id: 2 ** 40 },
  ])('rejects the body %j', async (body) => {
    expect((await request('backupWeb', body)).status).toBe(422)
  })

  test('skips the backup before an import on request', async () => {
    const response = await request('importDatabase', { id: await insertWeb(), backup: false })
    const steps = await db
      .select()
      .from(deploymentSteps)
      .where(eq(deploymentSteps.deployment_id, getDeploymentId(response)))
    expect(steps.map((step) => step.state)).toContain('skipped')
  })
})

describe('a deployment', () => {
  test('returns its state, steps and lines', async () => {
    const web = await insertWeb()
    const id = getDeploymentId(await request('backupWeb', { id: web }, editor))
    const deployment = await (await editor.fetch(`/api/deployments/${id}`)).json()
    expect(deployment).toMatchObject({
      id,
      kind: 'backupWeb',
      state: 'waiting',
      node: 'n1',
      requested_by: { email: 'edit@kustos.test' },
      place: expect.any(Number),
      last_line: 0,
      cancel_requested: false,
    })
    await db.insert(deploymentLines).values(
      [1, 2, 3].map((number) => ({
        deployment_id: id,
        number,
        step: 0,
        at,
        source: 'out',
        text: `line ${number}`,
      })),
    )
    const lines = (await (await editor.fetch(`/api/deployments/${id}/lines?after=1`)).json()) as {
      data: { number: number }[]
    }
    expect(lines.data.map((line) => line.number)).toEqual([2, 3])
    const list = (await (await editor.fetch(`/api/deployments?web=${web}`)).json()) as {
      data: { id: number }[]
    }
    expect(list.data.map((row) => row.id)).toEqual([id])
    for (const path of ['999999', '999999/lines', 'x', '0']) {
      expect((await editor.fetch(`/api/deployments/${path}`)).status).toBe(404)
    }
    for (const query of ['web=x', 'before=0', 'web=1&web=2']) {
      expect((await editor.fetch(`/api/deployments?${query}`)).status).toBe(422)
    }
    expect((await editor.fetch(`/api/deployments/${id}/lines?after=-1`)).status).toBe(422)
  })

  test('is cancelled at once while it waits, and can be retried', async () => {
    const id = getDeploymentId(await request('backupWeb', { id: await insertWeb() }))
    expect((await all.send('POST', `/api/deployments/${id}/retry`)).status).toBe(409)
    expect((await all.send('POST', `/api/deployments/${id}/cancel`)).status).toBe(204)
    expect(await (await all.fetch(`/api/deployments/${id}`)).json()).toMatchObject({ state: 'cancelled' })
    expect((await all.send('POST', `/api/deployments/${id}/cancel`)).status).toBe(409)
    // As if it had run before.
    await db.update(deployments).set({ started_at: at }).where(eq(deployments.id, id))
    expect((await all.send('POST', `/api/deployments/${id}/retry`)).status).toBe(204)
    expect(await (await all.fetch(`/api/deployments/${id}`)).json()).toMatchObject({
      state: 'waiting',
      attempts: 2,
      started_at: null,
      ended_at: null,
    })
    const entries = await db
      .select()
      .from(logEntries)
      .where(and(eq(logEntries.log_name, 'deployment'), eq(logEntries.subject_type, 'web')))
      .orderBy(desc(logEntries.id))
      .limit(2)
    expect(entries.map((entry) => entry.description)).toEqual(['backupWeb retried', 'backupWeb cancelled'])
  })

  test('is requested to stop while it runs', async () => {
    const id = getDeploymentId(await request('backupWeb', { id: await insertWeb() }))
    await db
      .update(deployments)
      .set({ state: 'running', holder: 'x', held_until: at })
      .where(eq(deployments.id, id))
    expect((await all.send('POST', `/api/deployments/${id}/cancel`)).status).toBe(204)
    expect(await (await all.fetch(`/api/deployments/${id}`)).json()).toMatchObject({
      state: 'running',
      cancel_requested: true,
    })
  })

  test('is cancelled and retried by users who may request its kind', async () => {
    const id = getDeploymentId(await request('backupWeb', { id: await insertWeb() }))
    const path = `/api/deployments/${id}`
    expect((await creator.send('POST', `${path}/cancel`)).status).toBe(403)
    expect((await editor.send('POST', `${path}/cancel`)).status).toBe(204)
    expect((await creator.send('POST', `${path}/retry`)).status).toBe(403)
    await storeRepositories(db, 'web134-kickstarter-base')
    const newWebId = getDeploymentId(await request('newWeb', { ...newWeb, futureDomain: 'nur-neu.test' }))
    expect((await editor.send('POST', `/api/deployments/${newWebId}/cancel`)).status).toBe(403)
    expect((await creator.send('POST', `/api/deployments/${newWebId}/cancel`)).status).toBe(204)
  })

  test('is not retried for a web that has been deleted or renamed', async () => {
    const web = await insertWeb()
    const id = getDeploymentId(await request('importDatabase', { id: web }))
    await all.send('POST', `/api/deployments/${id}/cancel`)
    await db
      .update(webs)
      .set({ fqdn: 'umbenannt.test', fqdn_ascii: 'umbenannt.test' })
      .where(eq(webs.id, web))
    const renamed = await all.send('POST', `/api/deployments/${id}/retry`)
    expect(renamed.status).toBe(409)
    expect(await readError(renamed)).toMatch(/was renamed to umbenannt\.test/)
    await db.update(webs).set({ deleted_at: at }).where(eq(webs.id, web))
    const deleted = await all.send('POST', `/api/deployments/${id}/retry`)
    expect(deleted.status).toBe(409)
    expect(await readError(deleted)).toMatch(/has been deleted in the meantime/)
  })

  test('is not retried for a web that is on another node by now', async () => {
    const web = await insertWeb()
    const id = getDeploymentId(await request('importDatabase', { id: web }))
    await all.send('POST', `/api/deployments/${id}/cancel`)
    for (const node of [other.id, null]) {
      await db.update(webs).set({ node_id: node }).where(eq(webs.id, web))
      const moved = await all.send('POST', `/api/deployments/${id}/retry`)
      expect(moved.status).toBe(409)
      expect(await readError(moved)).toMatch(/was moved to another node/)
    }
  })

  describe('that overwrites a database', () => {
    const hour = 3_600_000
    /** Stores a failed import whose backup was taken. @returns how to retry it */
    async function addFailed(endedAgoMs: number, changed: Partial<typeof deploymentSteps.$inferInsert> = {}) {
      const id = getDeploymentId(await request('importDatabase', { id: await insertWeb() }))
      const steps = eq(deploymentSteps.deployment_id, id)
      const [last] = await db.select().from(deploymentSteps).where(steps).orderBy(desc(deploymentSteps.step))
      await db.update(deploymentSteps).set({ state: 'succeeded' }).where(steps)
      await db
        .update(deploymentSteps)
        .set({ state: 'failed', ...changed })
        .where(and(steps, eq(deploymentSteps.step, last?.step ?? 0)))
      const ended_at = new Date(Date.now() - endedAgoMs)
      await db.update(deployments).set({ state: 'failed', ended_at }).where(eq(deployments.id, id))
      return { steps, retry: () => all.send('POST', `/api/deployments/${id}/retry`) }
    }

    test('is not retried with a backup that lacks what has changed since', async () => {
      const { retry } = await addFailed(hour + 60_000)
      const refused = await retry()
      expect(refused.status).toBe(409)
      expect(await readError(refused)).toMatch(/^This deployment ended more than an hour ago, and its backup/)
      expect((await (await addFailed(hour - 60_000)).retry()).status).toBe(204)
    })

    test('is retried at any time if it takes no backup, or has yet to take it', async () => {
      for (const state of ['skipped', 'pending']) {
        const { steps, retry } = await addFailed(24 * hour)
        await db
          .update(deploymentSteps)
          .set({ state })
          .where(and(steps, eq(deploymentSteps.name_code, 'step_back_up_database')))
        expect((await retry()).status).toBe(204)
      }
    })

    test('is retried at any time if its command may still run, which nothing else ends', async () => {
      const { retry } = await addFailed(24 * hour, { run_epoch: 1 })
      expect((await retry()).status).toBe(204)
    })
  })

  test('is not retried while one of its kind is active', async () => {
    const web = await insertWeb()
    const id = getDeploymentId(await request('backupWeb', { id: web }))
    await all.send('POST', `/api/deployments/${id}/cancel`)
    expect((await request('backupWeb', { id: web })).status).toBe(204)
    const response = await all.send('POST', `/api/deployments/${id}/retry`)
    expect(response.status).toBe(409)
    expect(await readError(response)).toBe('This action is already waiting or running for this web.')
  })
})

describe('own deployments', () => {
  const listOwn = async (client: typeof all, after: string) =>
    client.fetch(`/api/deployments/own?ended_after=${encodeURIComponent(after)}`)
  const end = (id: number, ended_at: string) =>
    db
      .update(deployments)
      .set({ state: 'succeeded', ended_at: new Date(ended_at) })
      .where(eq(deployments.id, id))

  test('are those of the user who asked that are under way, and those that ended since, newest first', async () => {
    const ids: number[] = []
    await createUser(database, 'asker@kustos.test', ['edit webs'])
    const asker = await signIn(origin, 'asker@kustos.test')
    for (const client of [asker, asker, asker, asker, all])
      ids.push(getDeploymentId(await request('backupWeb', { id: await insertWeb() }, client)))
    const [before = 0, first = 0, second = 0, underWay = 0, others = 0] = ids
    await end(before, '2027-01-01T10:00:00Z')
    await end(first, '2027-01-01T11:00:00Z')
    await end(second, '2027-01-01T12:00:00Z')
    await end(others, '2027-01-01T12:00:00Z')
    const idsAfter = async (after: string) => {
      const { data } = (await (await listOwn(asker, after)).json()) as { data: { id: number }[] }
      return data.map((one) => one.id)
    }
    expect(await idsAfter('2027-01-01T11:00:00+01:00')).toEqual([underWay, second, first])
    expect(await idsAfter('2027-01-01T12:00:00Z')).toEqual([underWay])

    // Of a batch, only what was retried individually after that.
    const setBatch = (attempts: number) =>
      db.update(deployments).set({ batch_id: 1, attempts }).where(eq(deployments.id, second))
    await setBatch(1)
    expect(await idsAfter('2027-01-01T11:00:00Z')).toEqual([underWay])
    await setBatch(2)
    expect(await idsAfter('2027-01-01T11:00:00Z')).toEqual([underWay, second])
  })

  test('are refused for what is no time, and without a permission to ask for deployments', async () => {
    expect((await editor.fetch('/api/deployments/own')).status).toBe(200)
    expect((await listOwn(editor, 'yesterday')).status).toBe(422)
    await createUser(database, 'viewer@kustos.test', ['view queue'])
    const viewer = await signIn(origin, 'viewer@kustos.test')
    expect((await listOwn(viewer, '2027-01-01T12:00:00Z')).status).toBe(403)
  })
})

describe('events', () => {
  async function collectEvents(client: typeof all, action: () => Promise<unknown>): Promise<string> {
    const controller = new AbortController()
    const response = await client.fetch('/api/events', { signal: controller.signal })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
    let text = ''
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
    })().catch(() => undefined)
    await action()
    await new Promise((resolve) => setTimeout(resolve, 300))
    controller.abort()
    await reading
    return text
  }

  test('announce a new deployment to users who may view the queue', async () => {
    const web = await insertWeb()
    let id = 0
    const events = await collectEvents(editor, async () => {
      id = getDeploymentId(await request('backupWeb', { id: web }))
    })
    expect(events).toContain(`event: changed\ndata: {"list":"deployments","id":${id}}`)
    await createUser(database, 'nothing@kustos.test', [])
    const nothing = await signIn(origin, 'nothing@kustos.test')
    // The user's own account may still be announced: it has only just been created.
    expect(await collectEvents(nothing, () => request('updateWeb', { id: web }))).not.toMatch(
      /"list":"(?!account")/,
    )
  })

  test('announce the end of a deployment only to the user who asked for it', async () => {
    const asked = await request('backupWeb', { id: await insertWeb() }, editor)
    const id = getDeploymentId(asked)
    const end = () =>
      db.update(deployments).set({ state: 'failed', ended_at: new Date() }).where(eq(deployments.id, id))
    const own = /"list":"own_deployments","id":\d+/
    const [asker, others] = await Promise.all([
      collectEvents(editor, end),
      collectEvents(creator, async () => undefined),
    ])
    expect(asker).toMatch(own)
    expect(others).not.toMatch(own)
    // Other changes send nothing.
    const touch = () => db.update(deployments).set({ updated_at: new Date() }).where(eq(deployments.id, id))
    expect(await collectEvents(editor, touch)).not.toMatch(own)
  })

  test('require a session', async () => {
    expect((await fetch(`${origin}/api/events`)).status).toBe(401)
  })
})
