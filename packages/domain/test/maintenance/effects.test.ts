import { newMaintenanceWindow } from '@kustos/contract/maintenance'
import {
  customers,
  incidents,
  maintenanceOccurrences,
  maintenanceScopes,
  maintenanceWindows,
  nodes,
  plannedDowntimes,
  probeRounds,
  rolledUpDays,
  statistics,
  tags,
  uptimeDays,
  users,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { listAttention } from '../../src/attention/index.ts'
import {
  deleteWindow,
  editWindow,
  endMaintenance,
  endWindow,
  extendOccurrences,
  noticeOccurrences,
  planWindow,
  readWebsInMaintenance,
} from '../../src/maintenance/index.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { listIncidents } from '../../src/monitoring/incidents.ts'
import { rollUp } from '../../src/monitoring/roll-up.ts'
import { listUptime } from '../../src/monitoring/uptime.ts'
import { collectChangedLists } from '../collect-notifications.ts'
import { openRounds, type Seen, settings } from '../monitoring/rounds.ts'

const database = await testDatabase()
const { db } = database
const rounds = await openRounds(database)
const { addRound, addWebs, alerts } = rounds

let planner = 0
let [a, b] = [0, 0]
beforeAll(async () => {
  const row = { email: 'planner@kustos.test', name: 'Planner', password_hash: '' }
  planner = (await db.insert(users).values(row).returning())[0]?.id ?? 0
})
beforeEach(async () => {
  for (const table of [maintenanceWindows, maintenanceScopes, incidents, statistics, probeRounds])
    await db.delete(table)
  for (const table of [uptimeDays, rolledUpDays, webs, nodes, customers, tags]) await db.delete(table)
  ;[a = 0, b = 0] = await addWebs('a.test', 'b.test')
})

/** The day of the tests, on which Rome is an hour ahead of UTC. */
const at = (time: string) => `2026-11-20T${time}Z`
const actor = () => ({
  id: planner,
  email: 'planner@kustos.test',
  name: 'Planner',
  roles: [{ id: 1, name: 'admin' }],
  permissions: [],
})
const contextAt = (time: string) => ({ ...rounds.at(at(time)), actor: actor() as never })

const parse = (input: z.input<typeof newMaintenanceWindow>) => newMaintenanceWindow.parse(input)
const once = (starts: string, ends: string, more: Partial<z.input<typeof newMaintenanceWindow>> = {}) =>
  parse({ reason: 'Kernel', webs: [a], repeats: 'once', starts_at: at(starts), ends_at: at(ends), ...more })
const plan = async (when: string, input: ReturnType<typeof parse>) =>
  (await planWindow(contextAt(when), input)).id

async function round(time: string, seen: Readonly<Record<number, Seen>>) {
  await addRound(at(time), { [b]: 'up', ...seen })
  return evaluateRound(rounds.at(new Date(Date.parse(at(time)) + 100_000).toISOString()), alerts, settings)
}
const announced = async () =>
  (await listIncidents(contextAt('23:00:00'), { web: a })).map((i) => i.alerted_at)
const maintained = async (time: string) =>
  [...(await readWebsInMaintenance(db, new Date(at(time)))).keys()].sort()

describe('alerts', () => {
  test('are held back while a window runs and sent once after it, and only for what is still down', async () => {
    await plan('09:00:00', once('10:00:00', '10:05:00'))
    await round('10:00:00', { [a]: 'down' })
    await round('10:01:00', { [a]: 'down' })
    expect(await announced()).toEqual([null])
    await round('10:04:00', { [a]: 'down' })
    expect((await announced())[0]).not.toBeNull()
    const sent = await announced()
    await round('10:05:00', { [a]: 'down' })
    expect(await announced()).toEqual(sent)
  })

  test('of an incident that ended within the window are never sent', async () => {
    await plan('09:00:00', once('10:00:00', '10:05:00'))
    await round('10:00:00', { [a]: 'down' })
    await round('10:02:00', { [a]: 'up' })
    await round('10:10:00', { [a]: 'up' })
    expect(await announced()).toEqual([null])
  })

  test('are sent again once a window was ended early', async () => {
    const id = await plan('09:00:00', once('10:00:00', '12:00:00'))
    await round('10:00:00', { [a]: 'down' })
    await endWindow(contextAt('10:02:00'), id)
    await round('10:02:00', { [a]: 'down' })
    expect((await announced())[0]).not.toBeNull()
  })

  test('of a web that was taken out of a window are sent, those of others are not', async () => {
    await plan('09:00:00', once('10:00:00', '12:00:00', { webs: [a, b] }))
    await endMaintenance(contextAt('10:01:00'), a)
    expect(await maintained('10:02:00')).toEqual([b])
    await expect(endMaintenance(contextAt('10:02:00'), a)).rejects.toThrow('a.test is not in maintenance.')
  })

  /** Ends the maintenance of a web while a change of a window has locked that. */
  async function endDuring(change: () => Promise<void>): Promise<void> {
    const { db: owner } = database.owner
    const running = await owner.transaction(async (tx) => {
      // The change has the window then, and waits for the audit log.
      await tx.execute(sql`lock table log_entries in exclusive mode`)
      const changing = change()
      await expect.poll(database.waitingStatements).toHaveLength(1)
      const ending = endMaintenance(contextAt('10:01:01'), a)
      await expect.poll(database.waitingStatements).toHaveLength(2)
      return { promise: Promise.all([changing, ending]) }
    })
    await running.promise
  }

  test('of a web that was taken out of a window while that was edited are sent', async () => {
    const id = await plan('09:00:00', once('10:00:00', '12:00:00', { webs: [a, b] }))
    const [seen] = await db.select().from(maintenanceWindows)
    const edited = once('10:00:00', '13:00:00', { webs: [a, b] })
    const updated_at = seen?.updated_at.toISOString() ?? ''
    await endDuring(() => editWindow(contextAt('10:01:00'), id, { ...edited, updated_at }))
    expect(await maintained('10:02:00')).toEqual([b])
  })

  test('of a web that was taken out of its windows while one of them was deleted are sent', async () => {
    const deleted = await plan('09:00:00', once('10:00:00', '12:00:00', { webs: [a, b] }))
    await plan('09:00:00', once('10:00:00', '12:00:00', { webs: [a, b] }))
    await endDuring(() => deleteWindow(contextAt('10:01:00'), deleted))
    expect(await maintained('10:02:00')).toEqual([b])
  })

  test('need no attention until the window ends', async () => {
    await plan('09:00:00', once('10:00:00', '10:30:00'))
    await round('10:00:00', { [a]: 'down' })
    const listAt = (time: string) => listAttention(contextAt(time), settings, { kind: 'web_down' } as never)
    const during = await listAt('10:10:00')
    expect(during.data).toEqual([])
    expect(new Date(during.changes_at ?? '').toISOString()).toBe('2026-11-20T10:30:00.000Z')
    expect((await listAt('10:30:00')).data).toMatchObject([{ subject: 'a.test' }])
  })
})

describe('downtime', () => {
  const day = async (now = '23:30:00') =>
    (await listUptime(contextAt(now), { web: a, begin: '2026-11-20', end: '2026-11-20' }))[0]

  test('within windows is planned, that of overlapping windows once', async () => {
    await plan('09:00:00', once('10:02:00', '10:04:00'))
    await plan('09:00:00', once('10:03:00', '10:06:00'))
    for (let minute = 0; minute < 10; minute++) await round(`10:0${minute}:00`, { [a]: 'down' })
    await round('10:10:00', { [a]: 'up' })
    expect(await day('11:00:00')).toMatchObject({ downtime: 600, planned: 240 })
    expect(await listIncidents(contextAt('11:00:00'), { web: a })).toMatchObject([
      { downtime: 600, planned: 240 },
    ])
    // 11 monitored minutes, of which 10 down and 4 of these planned.
    expect((await day('11:00:00'))?.uptime).toBeCloseTo((100 * 5) / 11)
  })

  test('stays planned after the window was edited or deleted, and after the day was rolled up', async () => {
    const edited = await plan('09:00:00', once('10:00:00', '10:30:00'))
    for (const minute of ['00', '01', '02']) await round(`10:${minute}:00`, { [a]: 'down' })
    await editWindow(contextAt('10:03:00'), edited, once('10:00:00', '10:30:00', { webs: [b] }))
    await round('10:03:00', { [a]: 'down' })
    await round('10:04:00', { [a]: 'up' })
    await deleteWindow(contextAt('10:05:00'), edited)
    expect(await day('11:00:00')).toMatchObject({ downtime: 240, planned: 180 })
    await rollUp(rounds.at('2026-11-20T23:10:00Z'))
    await db.delete(plannedDowntimes)
    expect(await day()).toMatchObject({ downtime: 240, planned: 180 })
    expect(await db.select().from(uptimeDays).where(eq(uptimeDays.web_id, a))).toMatchObject([
      { downtime: 240, planned: 180 },
    ])
  })

  test('of a web whose monitoring is turned off within a window is planned to its end', async () => {
    await plan('09:00:00', once('09:59:00', '10:30:00'))
    await round('10:00:00', { [a]: 'down' })
    await addRound(at('10:01:00'), { [a]: 'down', [b]: 'up' })
    await db.update(webs).set({ monitoring_web_active: false }).where(eq(webs.id, a))
    await evaluateRound(rounds.at(at('10:02:40')), alerts, settings)
    expect(await day('11:00:00')).toMatchObject({ downtime: 120, planned: 120, uptime: 100 })
  })

  test('after an early end counts again, to the second', async () => {
    const id = await plan('09:00:00', once('10:00:00', '10:30:00'))
    await round('10:00:00', { [a]: 'down' })
    await round('10:01:00', { [a]: 'down' })
    await endWindow(contextAt('10:01:50'), id)
    await round('10:02:00', { [a]: 'down' })
    await round('10:03:00', { [a]: 'up' })
    expect(await day('11:00:00')).toMatchObject({ downtime: 180, planned: 110 })
  })
})

describe('coverage', () => {
  test('is of webs, nodes, customers and tags, with or without a value', async () => {
    const node = await rounds.addNode('n1')
    const [c = 0, d = 0, e = 0, f = 0] = await addWebs('c.test', 'd.test', 'e.test', 'f.test')
    await db.insert(tags).values({ name: 'contract', type: 'text' })
    await db.update(webs).set({ customer: 'BERG' }).where(eq(webs.id, b))
    await db.update(webs).set({ node_id: node }).where(eq(webs.id, c))
    await db
      .update(webs)
      .set({ tags: ['contract:gold'] })
      .where(eq(webs.id, d))
    await db
      .update(webs)
      .set({ tags: ['contract:silver'] })
      .where(eq(webs.id, e))
    const covers = { webs: [], nodes: [], customers: [], tags: [] }
    const all = [
      [{ webs: [a] }, [a]],
      [{ customers: ['BERG'] }, [b]],
      [{ nodes: ['n1'] }, [c]],
      [{ tags: ['contract:gold'] }, [d]],
      [{ tags: ['contract'] }, [d, e]],
      [{ webs: [f], nodes: ['n1'], tags: ['contract:silver'] }, [c, e, f]],
    ] as const
    for (const [targets, expected] of all) {
      const id = await plan('09:00:00', once('10:00:00', '11:00:00', { ...covers, ...(targets as object) }))
      expect(await maintained('10:00:00')).toEqual(expected)
      expect(await maintained('11:00:00')).toEqual([])
      await deleteWindow(contextAt('09:00:00'), id)
      expect(await maintained('10:00:00')).toEqual([])
    }
  })
})

describe('occurrences', () => {
  const weekly = (more: object = {}) =>
    parse({
      reason: 'Updates',
      webs: [a],
      repeats: 'weekly',
      weekdays: [5],
      start_time: '22:00',
      duration_minutes: 60,
      ...more,
    })
  const times = async () =>
    (await db.select().from(maintenanceOccurrences).orderBy(maintenanceOccurrences.starts_at)).map((one) => [
      one.starts_at.toISOString(),
      one.ends_at.toISOString(),
    ])
  const first = ['2026-11-20T21:00:00.000Z', '2026-11-20T22:00:00.000Z']
  const second = ['2026-11-27T21:00:00.000Z', '2026-11-27T22:00:00.000Z']
  const third = ['2026-12-04T21:00:00.000Z', '2026-12-04T22:00:00.000Z']

  test('are stored two weeks ahead, extended by workers and purged later', async () => {
    await plan('12:00:00', weekly())
    expect(await times()).toEqual([first, second])
    expect(await extendOccurrences(contextAt('13:00:00'))).toBeNull()
    expect(await extendOccurrences(rounds.at('2026-11-21T00:00:00Z'))).toEqual({ planned: 1, removed: 0 })
    expect(await times()).toEqual([first, second, third])
    expect(await extendOccurrences(rounds.at('2026-12-21T00:00:00Z'))).toMatchObject({ removed: 1 })
  })

  test('that run go on after an edit, unless they were ended early', async () => {
    const id = await plan('12:00:00', weekly())
    await editWindow(contextAt('21:30:00'), id, weekly({ duration_minutes: 120 }))
    expect((await times()).slice(0, 2)).toEqual([
      ['2026-11-20T21:00:00.000Z', '2026-11-20T21:30:00.000Z'],
      ['2026-11-20T21:30:00.000Z', '2026-11-20T23:00:00.000Z'],
    ])
    await endWindow(contextAt('21:40:00'), id)
    await editWindow(contextAt('21:45:00'), id, weekly({ duration_minutes: 180 }))
    expect(await maintained('21:50:00')).toEqual([])
    expect((await times())[2]).toEqual(['2026-11-27T21:00:00.000Z', '2026-11-28T00:00:00.000Z'])
  })

  test('that were moved to now run, also if what ran before was ended early', async () => {
    const id = await plan('12:00:00', weekly())
    await endWindow(contextAt('21:40:00'), id)
    await editWindow(contextAt('21:44:00'), id, weekly({ weekdays: [5, 6] }))
    expect(await maintained('21:44:30')).toEqual([])
    await editWindow(contextAt('21:45:00'), id, weekly({ start_time: '22:30', duration_minutes: 240 }))
    expect(await maintained('21:50:00')).toEqual([a])
    expect((await times())[1]).toEqual(['2026-11-20T21:45:00.000Z', '2026-11-21T01:30:00.000Z'])
  })

  test('notify screens when they begin and end, and at no other time', async () => {
    await plan('12:00:00', weekly())
    // Or every open screen would reload each time that workers look for them.
    const before = await collectChangedLists(database, () => noticeOccurrences(contextAt('20:59:59')))
    expect(before).toEqual([])
    expect(await noticeOccurrences(contextAt('20:59:59'))).toBeNull()
    const lists = await collectChangedLists(database, () => noticeOccurrences(contextAt('21:00:00')))
    expect(lists).toEqual(expect.arrayContaining(['maintenance_windows', 'attention']))
    expect(await noticeOccurrences(contextAt('21:00:05'))).toBeNull()
    expect(await noticeOccurrences(contextAt('22:00:00'))).toEqual({ occurrences: 1 })
  })
})
