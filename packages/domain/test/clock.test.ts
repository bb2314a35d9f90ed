import { randomUUID } from 'node:crypto'
import { type Job, startQueueWorkers } from '@kustos/clients/queue'
import { deployments, incidents, inspections, probeRounds, users, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { findSession, keepSession, noteUse } from '../src/auth/sessions.ts'
import { claimDeployment } from '../src/deployment/claim.ts'
import { sweepDeployments } from '../src/deployment/sweep.ts'
import { sweepInspections } from '../src/inspections/sweep.ts'
import { evaluateRound } from '../src/monitoring/evaluate-round.ts'
import { scheduleRound } from '../src/monitoring/schedule.ts'
import { createContext } from '../src/platform/context.ts'
import { editWeb } from '../src/webs/index.ts'
import { openRounds, settings } from './monitoring/rounds.ts'

// The machine's clock is an hour off, or is corrected while Kustos runs.

const database = await testDatabase()
const { db } = database
const { addRound, addWebs, alerts, at, queues } = await openRounds(database)
const start = Date.parse('2026-11-20T10:00:00Z')
const hour = 3_600_000
const client = { address: '127.0.0.1', userAgent: 'test' }

test('keeps sessions when the clock moves an hour forward and back', async () => {
  const now = (hours: number) => new Date(start + hours * hour)
  const anna = { email: 'anna@kustos.test', name: 'Anna', password_hash: 'none' }
  const [{ id: userId } = { id: 0 }] = await db.insert(users).values(anna).returning()
  await keepSession(db, 'one', { userId, remembered: false, data: { a: 1 }, client }, now(0))
  for (const hours of [0.9, -1, 0]) {
    const found = (await findSession(db, 'one', now(hours))) ?? expect.fail(`${hours}`)
    expect(found.data).toEqual({ a: 1 })
    await noteUse(db, 'one', { ...found, client, isUnattended: false }, now(hours))
  }
  expect(await findSession(db, 'one', now(0))).not.toBeNull()
})

test('gives each change a later time than the previous one, whatever the clock says', async () => {
  const [id = 0] = await addWebs('zeit.test')
  const times: number[] = []
  for (const [index, hours] of [1, 0, -1].entries()) {
    const context = createContext(database, null, () => new Date(start + hours * hour))
    await editWeb(context, id, {
      fqdn: 'zeit.test',
      customer: 'ALPEN',
      configured_ip: '192.0.2.1',
      framework_name: null,
      framework_version: null,
      comment: `change ${index}`,
    })
    const [row] = await db.select({ at: webs.updated_at }).from(webs).where(eq(webs.id, id))
    times.push(row?.at.getTime() ?? 0)
  }
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(times).size).toBe(3)
})

test('does not let a worker with a clock an hour ahead take a running deployment', async () => {
  const now = new Date(start)
  const values = { kind: 'backupWeb', fqdn: 'held.test', created_at: now, updated_at: now }
  const [row] = await db.insert(deployments).values(values).returning({ id: deployments.id })
  const createClaim = () => ({ holder: randomUUID(), nodeConcurrency: 2 })
  const claimed = await claimDeployment(
    createContext(database, null, () => now),
    row?.id ?? 0,
    createClaim(),
  )
  expect(claimed).toMatchObject({ row: { id: row?.id } })
  for (const hours of [1, -1]) {
    const other = createContext(database, null, () => new Date(start + hours * hour))
    expect(await claimDeployment(other, row?.id ?? 0, createClaim())).toBe('held')
  }
})

test('starts jobs at once that a clock an hour ahead has delayed', async () => {
  const now = new Date(start)
  const [webId = 0] = await addWebs('versetzt.test')
  const values = { kind: 'backupWeb', fqdn: 'versetzt.test', created_at: now, updated_at: now }
  await db.insert(deployments).values(values)
  await db.insert(inspections).values({ web_id: webId, kind: 'refresh', created_at: now })
  const isFromHere = ({ data }: Job) => JSON.stringify(data).includes('versetzt.test')
  const jobs = async () => (await queues.list()).filter(isFromHere)
  const sweep = async () => {
    await sweepDeployments(createContext(database), { queues })
    await sweepInspections({ db }, { queues })
  }
  await sweep()
  // A worker whose clock is ahead delays them by some seconds.
  const settings = { databaseUrl: database.url, onError: () => undefined }
  const run = async () => ({ retryInMs: hour })
  const queueWork = ['deployment', 'inspection'].map((queue) => ({ queue, concurrency: 1, run }))
  const workers = await startQueueWorkers(settings, queueWork)
  const states = async () => (await jobs()).map(({ state }) => state)
  await vi.waitFor(async () => expect(await states()).toEqual(['delayed', 'delayed']), 10_000)
  await workers.stop()
  await sweep()
  expect(await states()).toEqual(['waiting', 'waiting'])
})

test('starts each round once with schedulers an hour apart', async () => {
  await db.delete(probeRounds)
  const clocks = [start, start + hour, start - hour]
  const results = await Promise.all(
    [...clocks, ...clocks].map((clock) =>
      scheduleRound(
        createContext(database, null, () => new Date(clock)),
        { queues },
        settings,
      ),
    ),
  )
  expect(results.filter((round) => round !== null)).toHaveLength(3)
  const rounds = await db.select({ at: probeRounds.round_at }).from(probeRounds)
  expect(rounds.map(({ at: round }) => round.getTime()).toSorted()).toEqual(clocks.toSorted())
})

test('reports no false or negative downtime when the clock is set back', async () => {
  await db.delete(probeRounds)
  const [down = 0, up = 0] = await addWebs('faellt.test', 'steht.test')
  const addAndEvaluate = async (time: string, seen: Parameters<typeof addRound>[1]) => {
    await addRound(time, seen)
    return evaluateRound(at(new Date(Date.parse(time) + 100_000).toISOString()), alerts, settings)
  }
  const [other = 0] = await addWebs('auch.test')
  const othersUp = { [up]: 'up', [other]: 'up' } as const
  await addAndEvaluate('2026-11-20T11:00:00Z', { ...othersUp, [down]: 'down' })
  // The clock is set back by an hour.
  await addAndEvaluate('2026-11-20T10:01:00Z', { ...othersUp, [down]: 'down' })
  const [open] = await db.select().from(incidents).where(eq(incidents.web_id, down))
  expect(open?.last_failed_at).toEqual(new Date('2026-11-20T11:00:00Z'))
  expect(open?.watched_until).toEqual(new Date('2026-11-20T11:01:00Z'))
  await addAndEvaluate('2026-11-20T10:02:00Z', { ...othersUp, [down]: 'up' })
  const all = await db.select().from(incidents)
  expect(all).toMatchObject([{ web_id: down, started_at: open?.started_at, ended_at: open?.started_at }])
  const [web] = await db.select({ since: webs.down_since }).from(webs).where(eq(webs.id, down))
  expect(web?.since).toBeNull()
})
