import { setTimeout as sleep } from 'node:timers/promises'
import { inspections, leases, logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { executeInspection, type Inspectors } from '../src/inspections/index.ts'
import { withAudit } from '../src/platform/audit.ts'
import { createContext } from '../src/platform/context.ts'
import { withLease } from '../src/platform/lease.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database)
const noAbort = new AbortController().signal

beforeEach(async () => {
  await db.delete(leases)
})

const takeOver = (name: string) => db.update(leases).set({ holder: 'another' }).where(eq(leases.name, name))
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

describe('a lease', () => {
  test('is held by one at a time and released when the work ends', async () => {
    const started = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const first = withLease(context, 'web 1', noAbort, async () => {
      started.resolve()
      await finish.promise
      return 'first'
    })
    await started.promise
    expect(await withLease(context, 'web 1', noAbort, async () => 'second')).toBeNull()
    expect(await withLease(context, 'web 2', noAbort, async () => 'other')).toBe('other')
    finish.resolve()
    expect(await first).toBe('first')
    expect(await withLease(context, 'web 1', noAbort, async () => 'third')).toBe('third')
    expect(await db.select().from(leases)).toEqual([])
  })

  test('is released when the work throws', async () => {
    const failing = withLease(context, 'web 1', noAbort, () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect(await db.select().from(leases)).toEqual([])
  })

  test('is renewed while the work runs', async () => {
    const expiry = async () => (await db.select().from(leases))[0]?.expires_at.getTime() ?? 0
    await withLease(context, 'web 1', noAbort, async () => {
      const before = await expiry()
      await expect.poll(expiry).toBeGreaterThan(before)
    })
  })

  test('of a holder that died is taken over once it has expired', async () => {
    await db.insert(leases).values({ name: 'web 1', holder: 'dead', expires_at: sql`clock_timestamp()` })
    await sleep(5)
    expect(await withLease(context, 'web 1', noAbort, async () => 'taken over')).toBe('taken over')
  })

  test('that is taken over aborts the work, which writes nothing more and keeps the new lease', async () => {
    const refusals: string[] = []
    const recordRefusal = (error: Error) => refusals.push(error.name)
    const run = await withLease(context, 'web 1', noAbort, async (leased, signal) => {
      await takeOver('web 1')
      await untilAborted(signal)
      await withAudit(leased, (tx) => tx.record({ log: 'webs', description: 'updated' })).catch(recordRefusal)
      await leased.db.transaction(async (tx) => leased.assertLease?.(tx)).catch(recordRefusal)
      return 'done'
    })
    expect(run).toBe('done')
    expect(refusals).toEqual(['LeaseLostError', 'LeaseLostError'])
    expect(await db.select().from(logEntries)).toEqual([])
    expect(await db.select().from(leases)).toMatchObject([{ name: 'web 1', holder: 'another' }])
  })

  test('of an inspection that is taken over leaves the row to the new holder', async () => {
    const web = await addWeb(database, 'hotel.test')
    const [row] = await db
      .insert(inspections)
      .values({ web_id: web, kind: 'tracking', created_at: new Date() })
      .returning()
    const id = row?.id ?? 0
    const inspect: Inspectors['tracking'] = async (_, __, signal) => {
      await takeOver(`inspection ${id}`)
      await untilAborted(signal)
      return { state: 'succeeded', problems: [] }
    }
    const inspectors = {
      refresh: inspect,
      tracking: inspect,
      connection: inspect,
      discovery: inspect,
      onError: (error: Error) => expect.fail(error.message),
    }
    expect(await executeInspection(context, inspectors, id, noAbort)).toEqual({ retryInMs: 5_000 })
    expect(await db.select().from(inspections)).toMatchObject([{ state: 'running', ended_at: null }])
  })
})
