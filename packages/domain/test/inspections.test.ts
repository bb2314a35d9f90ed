import { openQueues, startQueueWorkers } from '@kustos/clients/queue'
import { message } from '@kustos/contract/messages'
import { queues } from '@kustos/contract/queue'
import { inspections, nodes, webFacts, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  executeInspection,
  type Inspectors,
  purgeInspections,
  readInspection,
  requestInspection,
  scheduleAudits,
  sweepInspections,
} from '../src/inspections/index.ts'
import { createContext } from '../src/platform/context.ts'
import { editWeb } from '../src/webs/index.ts'
import { monitoredWeb } from './monitoring/rounds.ts'

const database = await testDatabase()
const { db } = database
const open = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queues)
afterAll(() => open.close())
const tools = { queues: open, onError: (error: Error) => expect.fail(error.message) }
/** The job queue is down. */
const toolsWithoutQueue = {
  ...tools,
  queues: { ...open, addAll: () => Promise.reject(new Error('down')) },
  onError: () => undefined,
}

const start = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000
let clock = start
const context = createContext(database, null, () => new Date(clock))
const noAbort = new AbortController().signal

beforeEach(async () => {
  loggedErrors.length = 0
  clock = start
  for (const { id } of await db.select().from(inspections))
    await open.remove('inspection', `inspection-${id}`)
  await db.delete(inspections)
  await db.delete(webs)
})

async function addWebs(...rows: (typeof webs.$inferInsert)[]): Promise<number[]> {
  return (await db.insert(webs).values(rows).returning({ id: webs.id })).map(({ id }) => id)
}
async function requestAudit(): Promise<number> {
  const [web = 0] = await addWebs(monitoredWeb('hotel.test'))
  return await requestInspection(context, tools, 'tracking', web)
}
const listJobs = async () => (await open.list()).map(({ id, state, data }) => ({ id, state, data }))
const hasJob = (id: number) => open.hasPendingJob('inspection', `inspection-${id}`)

/** Inspects all kinds in the same way. */
const loggedErrors: Error[] = []
const inspectors = (inspect: Inspectors['tracking']): Inspectors => ({
  refresh: inspect,
  tracking: inspect,
  connection: inspect,
  discovery: inspect,
  onError: (error) => loggedErrors.push(error),
})
const succeeding = inspectors(() => Promise.resolve({ state: 'succeeded', problems: [] }))
const run = (id: number, by = succeeding, signal = noAbort) => executeInspection(context, by, id, signal)
const stateOf = async (id: number) => {
  const { state, problems } = await readInspection(context, id)
  return { state, problems }
}

describe('an inspection', () => {
  test('is stored with its job, at most one of each kind per web', async () => {
    const id = await requestAudit()
    const web_id = (await readInspection(context, id)).web_id ?? 0
    expect(await listJobs()).toEqual([
      {
        id: `inspection-${id}`,
        state: 'waiting',
        data: { inspection: id, inspects: 'tracking', fqdn: 'hotel.test', web_id },
      },
    ])
    expect(await requestInspection(context, tools, 'tracking', web_id)).toBe(id)
    expect(await listJobs()).toHaveLength(1)
    expect(await run(id)).toBe('done')
    expect(await requestInspection(context, tools, 'tracking', web_id)).toBeGreaterThan(id)
  })

  test('that somebody has asked for comes before those that are only due', async () => {
    const [first = 0, second = 0, asked = 0] = await addWebs(
      monitoredWeb('first.test'),
      monitoredWeb('second.test'),
      monitoredWeb('asked.test', { status: 16 }),
    )
    for (const web of [first, second]) {
      expect(await scheduleAudits(context, tools, '.intern.')).toEqual({ requested: 1 })
      expect(await db.$count(inspections, eq(inspections.web_id, web))).toBe(1)
    }
    await requestInspection(context, tools, 'refresh', asked)
    const taken: unknown[] = []
    const settings = { databaseUrl: database.url, onError: (error: Error) => expect.fail(error.message) }
    const workers = await startQueueWorkers(settings, [
      {
        queue: 'inspection',
        concurrency: 1,
        run: async ({ data }) => {
          taken.push(data)
          return 'done'
        },
      },
    ])
    await expect.poll(() => taken, { timeout: 10_000 }).toHaveLength(3)
    await workers.stop()
    expect(taken).toMatchObject([{ web_id: asked }, { web_id: first }, { web_id: second }])
  })

  test('is refused for an unknown web', async () => {
    const [deleted = 0] = await addWebs(monitoredWeb('gone.test', { deleted_at: new Date() }))
    for (const web of [deleted, 2_000_000_000])
      await expect(requestInspection(context, tools, 'tracking', web)).rejects.toMatchObject({
        kind: 'not-found',
      })
  })

  test('reports its progress', async () => {
    const id = await requestAudit()
    const states: string[] = []
    clock += 1_000
    const partial = inspectors(async () => {
      states.push((await stateOf(id)).state)
      clock += 2_000
      return { state: 'partial', problems: [message('web_deleted_meanwhile')] }
    })
    await run(id, partial)
    expect(states).toEqual(['running'])
    expect(await readInspection(context, id)).toMatchObject({
      state: 'partial',
      problems: ['The web was deleted in the meantime.'],
      problem_codes: [{ code: 'web_deleted_meanwhile' }],
      requested_by: null,
      created_at: '2026-11-20T10:00:00.000Z',
      started_at: '2026-11-20T10:00:01.000Z',
      ended_at: '2026-11-20T10:00:03.000Z',
    })
    expect(await run(id)).toBe('done')
  })

  test('that fails unexpectedly shows where the log explains it, and nothing of the error', async () => {
    const id = await requestAudit()
    const problem = 'Internal error. See the log under req-7.'
    const statement = new Error('Failed query: update "webs" set "comment" = $1\nparams: secret')
    const failingInspectors = inspectors(() => Promise.reject(statement))
    const asked = { ...context, requestId: 'req-7' }
    expect(await executeInspection(asked, failingInspectors, id, noAbort)).toEqual({ failed: problem })
    expect(await readInspection(context, id)).toMatchObject({
      state: 'failed',
      problems: [problem],
      problem_codes: [{ code: 'unexpected_failure', params: { requestId: 'req-7' } }],
    })
    expect(loggedErrors).toEqual([statement])
  })

  test('waits again when its worker stops', async () => {
    const id = await requestAudit()
    const stop = new AbortController()
    const abortingInspectors = inspectors((_, __, signal) => {
      stop.abort()
      return Promise.reject(signal.reason)
    })
    expect(await run(id, abortingInspectors, stop.signal)).toEqual({ retryInMs: 0 })
    expect(await stateOf(id)).toEqual({ state: 'waiting', problems: [] })
    expect(await run(id)).toBe('done')
    expect(await stateOf(id)).toMatchObject({ state: 'succeeded' })
  })

  test('is not taken over from a live worker, whatever the clock says', async () => {
    const id = await requestAudit()
    const started = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    let runs = 0
    const slow = inspectors(async () => {
      runs += 1
      started.resolve()
      await finish.promise
      return { state: 'succeeded', problems: [] }
    })
    const first = run(id, slow)
    await started.promise
    clock += 60 * minute
    expect(await run(id, slow)).toEqual({ retryInMs: 5_000 })
    clock -= 120 * minute
    expect(await run(id, slow)).toEqual({ retryInMs: 5_000 })
    finish.resolve()
    expect(await first).toBe('done')
    expect(runs).toBe(1)
    expect(await stateOf(id)).toEqual({ state: 'succeeded', problems: [] })
  })

  test('waits again when the database goes down', async () => {
    const id = await requestAudit()
    const connectionLost = Object.assign(new Error('terminating connection'), { code: '57P01' })
    expect(
      await run(
        id,
        inspectors(() => Promise.reject(connectionLost)),
      ),
    ).toEqual({ retryInMs: 5_000 })
    expect(await stateOf(id)).toEqual({ state: 'waiting', problems: [] })
    expect(await run(id)).toBe('done')
    expect(await stateOf(id)).toMatchObject({ state: 'succeeded' })
  })

  test.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['an unavailable lock', '55P03'],
    ['a cancelled statement', '57014'],
    ['a full disk', '53100'],
  ])('waits again after %s', async (_, code) => {
    const id = await requestAudit()
    const error = Object.assign(new Error('not now'), { code })
    expect(
      await run(
        id,
        inspectors(() => Promise.reject(error)),
      ),
    ).toEqual({ retryInMs: 5_000 })
    expect(await stateOf(id)).toEqual({ state: 'waiting', problems: [] })
  })

  test('starts again when its worker dies, at most three times', async () => {
    const id = await requestAudit()
    const abandon = () =>
      db.update(inspections).set({ state: 'running', ended_at: null }).where(eq(inspections.id, id))
    const startTimes: number[] = []
    const countingInspectors = inspectors(async () => {
      startTimes.push(clock)
      return { state: 'succeeded', problems: [] }
    })
    await abandon()
    for (let death = 0; death < 2; death++) {
      await run(id, countingInspectors)
      await abandon()
      // A killed worker leaves the problems that were stored when it started.
      await db.update(inspections).set({
        problems: Array.from(
          { length: death + 1 },
          () => 'Restarted because the worker stopped before the end.',
        ),
      })
    }
    expect(await run(id, countingInspectors)).toBe('done')
    expect(startTimes).toHaveLength(2)
    expect(await stateOf(id)).toEqual({
      state: 'failed',
      problems: ['Given up after 3 attempts: the worker stopped before the end each time.'],
    })
  })
})

describe('the sweeper', () => {
  test('enqueues inspections without a job and those that lost their worker', async () => {
    const [a = 0, b = 0] = await addWebs(monitoredWeb('a.test'), monitoredWeb('b.test'))
    const unqueued = await requestInspection(context, toolsWithoutQueue, 'tracking', a)
    const orphaned = await requestInspection(context, toolsWithoutQueue, 'tracking', b)
    await db
      .update(inspections)
      .set({ state: 'running', started_at: new Date(start - 5_000) })
      .where(eq(inspections.id, orphaned))
    expect(await hasJob(unqueued)).toBe(false)
    expect(await sweepInspections(context, tools)).toEqual({ enqueued: 2 })
    expect([await hasJob(unqueued), await hasJob(orphaned)]).toEqual([true, true])
    expect(await sweepInspections(context, tools)).toBeNull()
  })

  test('finds the lost job of a node that is tested behind any number of others', async () => {
    await db.execute(sql`
      with added as (
        insert into webs (fqdn, fqdn_ascii, customer, configured_ip)
        select name, name, 'ALPEN', '192.0.2.7' from generate_series(1, 1001) number, concat('web', number, '.test') name
        returning id
      )
      insert into inspections (web_id, kind, created_at) select id, 'refresh', ${new Date(start).toISOString()} from added`)
    const [node] = await db.insert(nodes).values({ name: 'n2', plesk_fqdn: 'n2.test' }).returning()
    const tested = await requestInspection(context, toolsWithoutQueue, 'connection', node?.id ?? 0)
    const enqueued: unknown[] = []
    const queues = {
      ...open,
      // All others have theirs.
      hasPendingJob: async (_: string, id: string) => id !== `inspection-${tested}`,
      promote: () => Promise.resolve(),
      add: async (job: unknown) => void enqueued.push(job),
    }
    expect(await sweepInspections(context, { queues })).toEqual({ enqueued: 1 })
    expect(enqueued).toMatchObject([{ id: `inspection-${tested}`, isUrgent: true }])
    await db.delete(nodes)
  })

  test('keeps finished ones for a month', async () => {
    const id = await requestAudit()
    await run(id)
    clock += 29 * 24 * 60 * minute
    expect(await purgeInspections(context)).toEqual({ inspections: 0 })
    clock += 2 * 24 * 60 * minute
    expect(await purgeInspections(context)).toEqual({ inspections: 1 })
  })

  test('keeps the last ones of a node, which its page shows', async () => {
    const [node] = await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1.test' }).returning()
    const ended = new Date(clock - 40 * 24 * 60 * minute)
    const ids = await db
      .insert(inspections)
      .values(
        (
          [
            ['discovery', 'succeeded'],
            ['discovery', 'partial'],
            ['discovery', 'failed'],
            ['discovery', 'failed'],
            ['connection', 'succeeded'],
            ['connection', 'succeeded'],
          ] as const
        ).map(([kind, state]) => ({
          node_id: node?.id ?? 0,
          kind,
          state,
          created_at: ended,
          ended_at: ended,
        })),
      )
      .returning({ id: inspections.id })
    expect(await purgeInspections(context)).toEqual({ inspections: 2 })
    const kept = await db.select({ id: inspections.id }).from(inspections).orderBy(asc(inspections.id))
    expect(kept).toEqual([ids[0], ids[1], ids[3], ids[5]])
    await db.delete(nodes)
  })

  test('removes any number of old ones', async () => {
    const [web = 0] = await addWebs(monitoredWeb('old.test'))
    await db.execute(sql`
      insert into inspections (web_id, kind, state, created_at, ended_at)
      select ${web}, 'refresh', 'succeeded', at, at
      from generate_series(1, 20001) as number, lateral (select timestamptz '2020-01-01' + number * interval '1 s' as at)`)
    expect(await purgeInspections(context)).toEqual({ inspections: 20_001 })
  })
})

describe('daily audits', () => {
  const schedule = () => scheduleAudits(context, tools, '.intern.')
  const addAudit = (web: number, at: number) =>
    db
      .insert(webFacts)
      .values({ web_id: web, fact: 'tracking', seen_at: new Date(at), tried_at: new Date(at) })
  const listInspectedWebs = async () => {
    const rows = await db.select().from(inspections).orderBy(asc(inspections.id))
    return rows.map(({ web_id }) => web_id)
  }

  test('cover the tracking list one by one, the oldest first', async () => {
    const [fresh = 0, old = 0, unaudited = 0] = await addWebs(
      monitoredWeb('fresh.test'),
      monitoredWeb('old.test', { monitoring_web_active: false }),
      monitoredWeb('never.test'),
      monitoredWeb('x.intern.test'),
      monitoredWeb('extern.test', { domain_status: 2 }),
      monitoredWeb('off.test', { status: 16 }),
      monitoredWeb('gone.test', { deleted_at: new Date() }),
    )
    await addAudit(fresh, start - 23 * 60 * minute)
    await addAudit(old, start - 25 * 60 * minute)
    expect(await schedule()).toEqual({ requested: 1 })
    expect(await schedule()).toEqual({ requested: 1 })
    expect(await schedule()).toBeNull()
    expect(await listInspectedWebs()).toEqual([unaudited, old])
    clock += 2 * 60 * minute
    expect(await schedule()).toEqual({ requested: 1 })
    expect(await listInspectedWebs()).toEqual([unaudited, old, fresh])
    for (const { id } of await db.select().from(inspections)) expect(await hasJob(id)).toBe(true)
  })

  test('of many webs are spread and not duplicated by a second worker', async () => {
    const webIds = await addWebs(
      ...Array.from({ length: 1_500 }, (_, index) => monitoredWeb(`w${index}.test`)),
    )
    const results = await Promise.all([schedule(), schedule(), schedule()])
    expect(results).toEqual([{ requested: 3 }, { requested: 3 }, { requested: 3 }])
    expect(await listInspectedWebs()).toEqual(webIds.slice(0, 9))
  })

  test('come to a renamed web at once, and not to one that was changed otherwise', async () => {
    const [renamed = 0, changed = 0] = await addWebs(monitoredWeb('wrong.test'), monitoredWeb('same.test'))
    for (const web of [renamed, changed]) await addAudit(web, start - 2 * 60 * minute)
    const web = { customer: 'ALPEN', configured_ip: '192.0.2.7' }
    await editWeb(context, renamed, { ...web, fqdn: 'right.test' })
    await editWeb(context, changed, { ...web, fqdn: 'same.test', comment: 'Changed' })
    expect(await schedule()).toEqual({ requested: 1 })
    expect(await schedule()).toBeNull()
    expect(await listInspectedWebs()).toEqual([renamed])
  })

  test('skip webs that staff audited meanwhile', async () => {
    const id = await requestAudit()
    expect(await schedule()).toBeNull()
    await run(id)
    // This run recorded no facts, so the web is audited again, but not at once.
    expect(await schedule()).toBeNull()
    clock += 61 * minute
    expect(await schedule()).toEqual({ requested: 1 })
  })
})
