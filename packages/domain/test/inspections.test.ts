import { openQueues } from '@kustos/clients/queue'
import { message } from '@kustos/contract/messages'
import { queues } from '@kustos/contract/queue'
import { inspections, webFacts, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq } from 'drizzle-orm'
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

const database = await testDatabase()
const { db } = database
const open = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queues)
afterAll(() => open.close())
const tools = { queues: open, onError: (error: Error) => expect.fail(error.message) }
/** A job queue that is away. */
const away = {
  ...tools,
  queues: { ...open, addAll: () => Promise.reject(new Error('away')) },
  onError: () => undefined,
}

const start = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000
let clock = start
const context = createContext(database, null, () => new Date(clock))
const never = new AbortController().signal

beforeEach(async () => {
  clock = start
  for (const { id } of await db.select().from(inspections))
    await open.remove('inspection', `inspection-${id}`)
  await db.delete(inspections)
  await db.delete(webs)
})

const listed = (fqdn: string, more: Partial<typeof webs.$inferInsert> = {}) => ({
  fqdn,
  fqdn_ascii: fqdn,
  customer: 'ALPEN',
  configured_ip: '192.0.2.7',
  status: 0,
  domain_status: 1,
  ...more,
})
async function addWebs(...rows: (typeof webs.$inferInsert)[]): Promise<number[]> {
  return (await db.insert(webs).values(rows).returning({ id: webs.id })).map(({ id }) => id)
}
async function asked(): Promise<number> {
  const [web = 0] = await addWebs(listed('hotel.test'))
  return await requestInspection(context, tools, 'tracking', web)
}
const jobs = async () => (await open.list()).map(({ id, state, data }) => ({ id, state, data }))
const held = (id: number) => open.hasPendingJob('inspection', `inspection-${id}`)

/** The same for all kinds. */
const inspectors = (inspect: Inspectors['tracking']): Inspectors => ({ refresh: inspect, tracking: inspect })
const succeeding = inspectors(() => Promise.resolve({ state: 'succeeded', problems: [] }))
const run = (id: number, by = succeeding, signal = never) => executeInspection(context, by, id, signal)
const stateOf = async (id: number) => {
  const { state, problems } = await readInspection(context, id)
  return { state, problems }
}

describe('an inspection', () => {
  test('is stored with its job, one of a kind at a time per web', async () => {
    const id = await asked()
    const { web_id } = await readInspection(context, id)
    expect(await jobs()).toEqual([
      {
        id: `inspection-${id}`,
        state: 'waiting',
        data: { inspection: id, inspects: 'tracking', fqdn: 'hotel.test', web_id },
      },
    ])
    await expect(requestInspection(context, tools, 'tracking', web_id)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'A tracking audit of this web is already waiting or running.',
    })
    expect(await run(id)).toBe('over')
    expect(await requestInspection(context, tools, 'tracking', web_id)).toBeGreaterThan(id)
  })

  test('is refused for an unknown web', async () => {
    const [gone = 0] = await addWebs(listed('gone.test', { deleted_at: new Date() }))
    for (const web of [gone, 2_000_000_000])
      await expect(requestInspection(context, tools, 'tracking', web)).rejects.toMatchObject({
        kind: 'not-found',
      })
  })

  test('reports its progress', async () => {
    const id = await asked()
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
    expect(await run(id)).toBe('over')
  })

  test('fails with a reason when it throws', async () => {
    const id = await asked()
    const problem = 'Kustos itself failed: oh'
    const breaking = inspectors(() => Promise.reject(new Error('oh')))
    expect(await run(id, breaking)).toEqual({ failed: problem })
    expect(await stateOf(id)).toEqual({ state: 'failed', problems: [problem] })
  })

  test('waits again when its worker stops', async () => {
    const id = await asked()
    const stop = new AbortController()
    const stopping = inspectors((_, __, signal) => {
      stop.abort()
      return Promise.reject(signal.reason)
    })
    expect(await run(id, stopping, stop.signal)).toEqual({ retryInMs: 0 })
    expect(await stateOf(id)).toEqual({ state: 'waiting', problems: [] })
    expect(await run(id)).toBe('over')
    expect(await stateOf(id)).toMatchObject({ state: 'succeeded' })
  })

  test('is not taken from a live worker, whatever its clock says', async () => {
    const id = await asked()
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let looks = 0
    const slow = inspectors(async () => {
      looks += 1
      begun.resolve()
      await goOn.promise
      return { state: 'succeeded', problems: [] }
    })
    const first = run(id, slow)
    await begun.promise
    clock += 60 * minute
    expect(await run(id, slow)).toEqual({ retryInMs: 5_000 })
    clock -= 120 * minute
    expect(await run(id, slow)).toEqual({ retryInMs: 5_000 })
    goOn.resolve()
    expect(await first).toBe('over')
    expect(looks).toBe(1)
    expect(await stateOf(id)).toEqual({ state: 'succeeded', problems: [] })
  })

  test('waits again when the database goes down', async () => {
    const id = await asked()
    const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
    expect(
      await run(
        id,
        inspectors(() => Promise.reject(lost)),
      ),
    ).toEqual({ retryInMs: 5_000 })
    expect(await stateOf(id)).toEqual({ state: 'waiting', problems: [] })
    expect(await run(id)).toBe('over')
    expect(await stateOf(id)).toMatchObject({ state: 'succeeded' })
  })

  test.each([
    ['a deadlock', '40P01'],
    ['a clash of transactions', '40001'],
    ['a lock that is not to be had', '55P03'],
    ['a statement that took too long', '57014'],
    ['a full disk', '53100'],
  ])('waits again after %s', async (_, code) => {
    const id = await asked()
    const hindered = Object.assign(new Error('not now'), { code })
    expect(
      await run(
        id,
        inspectors(() => Promise.reject(hindered)),
      ),
    ).toEqual({ retryInMs: 5_000 })
    expect(await stateOf(id)).toEqual({ state: 'waiting', problems: [] })
  })

  test('starts again when its worker dies, at most three times', async () => {
    const id = await asked()
    const dying = () =>
      db.update(inspections).set({ state: 'running', ended_at: null }).where(eq(inspections.id, id))
    const counted: number[] = []
    const counting = inspectors(async () => {
      counted.push(clock)
      return { state: 'succeeded', problems: [] }
    })
    await dying()
    for (let death = 0; death < 2; death++) {
      await run(id, counting)
      await dying()
      // What the dead one wrote is what it had when it began.
      await db.update(inspections).set({
        problems: Array.from(
          { length: death + 1 },
          () => 'Its worker stopped before the end; it was restarted.',
        ),
      })
    }
    expect(await run(id, counting)).toBe('over')
    expect(counted).toHaveLength(2)
    expect(await stateOf(id)).toEqual({
      state: 'failed',
      problems: ['It was started 3 times, and each time its worker stopped before the end.'],
    })
  })
})

describe('the sweeper', () => {
  test('enqueues inspections without a job and those that lost their worker', async () => {
    const [a = 0, b = 0] = await addWebs(listed('a.test'), listed('b.test'))
    const lost = await requestInspection(context, away, 'tracking', a)
    const dead = await requestInspection(context, away, 'tracking', b)
    await db
      .update(inspections)
      .set({ state: 'running', started_at: new Date(start - 5_000) })
      .where(eq(inspections.id, dead))
    expect(await held(lost)).toBe(false)
    expect(await sweepInspections(context, tools)).toEqual({ handedOver: 2 })
    expect([await held(lost), await held(dead)]).toEqual([true, true])
    expect(await sweepInspections(context, tools)).toBeNull()
  })

  test('keeps finished ones for a month', async () => {
    const id = await asked()
    await run(id)
    clock += 29 * 24 * 60 * minute
    expect(await purgeInspections(context)).toEqual({ inspections: 0 })
    clock += 2 * 24 * 60 * minute
    expect(await purgeInspections(context)).toEqual({ inspections: 1 })
  })
})

describe('daily audits', () => {
  const look = () => scheduleAudits(context, tools, '.intern.')
  const audited = (web: number, at: number) =>
    db
      .insert(webFacts)
      .values({ web_id: web, fact: 'tracking', seen_at: new Date(at), tried_at: new Date(at) })
  const underWay = async () => {
    const rows = await db.select().from(inspections).orderBy(asc(inspections.id))
    return rows.map(({ web_id }) => web_id)
  }

  test('cover the tracking list one by one, the oldest first', async () => {
    const [fresh = 0, old = 0, never = 0] = await addWebs(
      listed('fresh.test'),
      listed('old.test', { monitoring_web_active: false }),
      listed('never.test'),
      listed('x.intern.test'),
      listed('extern.test', { domain_status: 2 }),
      listed('off.test', { status: 16 }),
      listed('gone.test', { deleted_at: new Date() }),
    )
    await audited(fresh, start - 23 * 60 * minute)
    await audited(old, start - 25 * 60 * minute)
    expect(await look()).toEqual({ requested: 1 })
    expect(await look()).toEqual({ requested: 1 })
    expect(await look()).toBeNull()
    expect(await underWay()).toEqual([never, old])
    clock += 2 * 60 * minute
    expect(await look()).toEqual({ requested: 1 })
    expect(await underWay()).toEqual([never, old, fresh])
    for (const { id } of await db.select().from(inspections)) expect(await held(id)).toBe(true)
  })

  test('of many webs are spread and not duplicated by a second worker', async () => {
    const webIds = await addWebs(...Array.from({ length: 1_500 }, (_, index) => listed(`w${index}.test`)))
    const both = await Promise.all([look(), look(), look()])
    expect(both).toEqual([{ requested: 3 }, { requested: 3 }, { requested: 3 }])
    expect(await underWay()).toEqual(webIds.slice(0, 9))
  })

  test('skip webs that staff audited meanwhile', async () => {
    const id = await asked()
    expect(await look()).toBeNull()
    await run(id)
    // This run tried nothing of the web: its turn still comes, but not at once.
    expect(await look()).toBeNull()
    clock += 61 * minute
    expect(await look()).toEqual({ requested: 1 })
  })
})
