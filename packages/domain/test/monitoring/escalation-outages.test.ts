import { alertRoutes, attentionHandling, nodes, rotas, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { announceIncidents } from '../../src/monitoring/announce-incidents.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { openIncidents } from '../../src/monitoring/open-incidents.ts'
import { idOf, openEscalation, step } from './escalation-kit.ts'
import { monitoredWeb, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, at, tools, addRoute, reset, minute, round, escalate, sent, acknowledge, other, plan } =
  await openEscalation(database)

let [rota, chat, pager, anna, ben] = [0, 0, 0, 0, 0]
beforeEach(async () => {
  ;({ rota, chat, pager, anna, ben } = await reset())
})

describe('webs of a node that go down together', () => {
  let ids: number[] = []
  beforeEach(async () => {
    const node_id = idOf(
      await db.insert(nodes).values({ name: 'n1', plesk_fqdn: 'n1' }).returning({ id: nodes.id }),
    )
    const row = { node_id, customer: 'ALPEN' }
    const rows = await db
      .insert(webs)
      .values(['w1.test', 'w2.test', 'w3.test'].map((fqdn) => monitoredWeb(fqdn, row)))
      .returning({ id: webs.id })
    ids = rows.map(({ id }) => id)
  })

  test('are an outage for routes, and escalate once', async () => {
    await other()
    await addRoute([step(0, { channels: [chat] })], { severities: ['down'], continues: true })
    await addRoute(
      [step(0, { channels: [pager] }), step(10, { rotas: [rota] }), step(10, { channels: [chat] })],
      {
        position: 2,
        severities: ['outage'],
      },
    )
    const up = await other2()
    await addRound(minute(0), { ...Object.fromEntries(ids.map((id) => [id, 'down' as const])), [up]: 'up' })
    await evaluateRound(at(minute(1.6)), tools, settings)
    expect(await sent()).toEqual([`${pager}: n1: 3 webs are down`])
    expect(await escalate(12)).toEqual({ escalated: 1 })
    expect((await sent()).slice(1)).toEqual([
      'anna@agency.test: Not acknowledged: 3 webs of n1 have been down for 12 min',
    ])
    // The next step of the outage also announces the one that joins.
    const late = idOf(
      await db
        .insert(webs)
        .values(monitoredWeb('w4.test', { node_id: await nodeOf(ids[0] ?? 0), customer: 'ALPEN' }))
        .returning({ id: webs.id }),
    )
    await addRound(minute(13), {
      ...Object.fromEntries([...ids, late].map((id) => [id, 'down' as const])),
      [up]: 'up',
    })
    await evaluateRound(at(minute(14.6)), tools, settings)
    expect((await sent()).slice(2)).toEqual([`${pager}: w4.test is down: 503`])
    expect(await escalate(22)).toEqual({ escalated: 1 })
    expect((await sent()).slice(3)).toEqual([
      `${chat}: Not acknowledged: 4 webs of n1 have been down for 22 min`,
    ])
    expect(await escalate(60)).toBeNull()
  })

  test('take the steps of their outage, also if the route is shortened before one joins', async () => {
    const up = await other2()
    const down = (...all: number[]) => Object.fromEntries(all.map((id) => [id, 'down' as const]))
    await addRoute([
      step(0, { channels: [pager] }),
      step(10, { channels: [pager] }),
      step(10, { channels: [chat] }),
    ])
    await round(0, { ...down(...ids), [up]: 'up' })
    expect(await escalate(12)).toEqual({ escalated: 1 })
    await db.update(alertRoutes).set({ steps: [step(0, { channels: [chat] })] })
    const node_id = await nodeOf(ids[0] ?? 0)
    const late = idOf(
      await db
        .insert(webs)
        .values(monitoredWeb('w4.test', { node_id, customer: 'ALPEN' }))
        .returning({ id: webs.id }),
    )
    await round(13, { ...down(...ids, late), [up]: 'up' })
    expect((await sent()).at(-1)).toBe(`${pager}: w4.test is down: 503`)
    await round(15, {
      ...Object.fromEntries(ids.map((id) => [id, 'up' as const])),
      ...down(late),
      [up]: 'up',
    })
    expect(await escalate(22)).toEqual({ escalated: 1 })
    expect((await sent()).at(-1)).toBe(`${chat}: Not acknowledged: w4.test has been down for 9 min`)
    expect(await escalate(60)).toBeNull()
  })

  test('take none of the steps of a member that has ended', async () => {
    const up = await other2()
    const all = (seen: Seen, ...some: number[]) => Object.fromEntries(some.map((id) => [id, seen]))
    await addRoute([step(0, { channels: [pager] }), step(10, { channels: [chat] })])
    const [first = 0, ...others] = [...ids, await addWeb('w4.test')]
    await round(0, { ...all('down', first, ...others), [up]: 'up' })
    for (const id of others) await acknowledge(id)
    expect(await escalate(12)).toEqual({ escalated: 1 })
    await round(12, { ...all('down', ...others), ...all('up', first, up) })
    const late = await addWeb('w5.test')
    await round(13, { ...all('down', ...others, late), ...all('up', first, up) })
    await db.update(attentionHandling).set({ acknowledged_at: null })
    expect(await escalate(15)).toEqual({ escalated: 1 })
    expect((await sent()).at(-1)).toBe(`${chat}: Not acknowledged: 4 webs of n1 have been down for 15 min`)
  })

  test('hand on who has acknowledged them to one that a route has given to another user before it joins', async () => {
    const up = await other2()
    const down = (...some: number[]) => Object.fromEntries(some.map((id) => [id, 'down' as const]))
    await addRoute([step(0, { rotas: [rota] }), step(10, { channels: [chat] })])
    await round(0, { ...down(...ids), [up]: 'up' })
    for (const id of ids) await acknowledge(id)
    await db.update(rotas).set({ user_ids: [ben] })
    const late = await addWeb('w4.test')
    await addRound(minute(1), { ...down(...ids, late), [up]: 'up' })
    // As a worker does that has confirmed the failure amid the round.
    const running = { at: new Date(minute(1)), intervalMs: 60_000 }
    await db.transaction((tx) => openIncidents(tx, running, settings, sql`s.web_id = ${late}`))
    await announceIncidents(at(minute(1.9)), tools, settings)
    const ofLate = () => db.select().from(attentionHandling).where(eq(attentionHandling.subject_id, late))
    expect(await ofLate()).toMatchObject([{ assigned_to: ben, acknowledged_at: null }])
    await evaluateRound(at(minute(2.6)), tools, settings)
    expect(await ofLate()).toMatchObject([
      { assigned_to: anna, acknowledged_by: anna, acknowledged_at: new Date(minute(2)) },
    ])
    expect(await escalate(30)).toBeNull()
  })

  describe('do not go on early', () => {
    let [one, two, three] = [0, 0, 0]
    beforeEach(async () => {
      ;[one = 0, two = 0, three = 0] = ids
      const up = await other2()
      await addRoute([
        step(0, { channels: [pager] }),
        step(10, { channels: [chat] }),
        step(60, { rotas: [rota] }),
      ])
      await round(0, { ...Object.fromEntries(ids.map((id) => [id, 'down' as const])), [up]: 'up' })
    })
    const second = (count: number, lasts: string) =>
      `${chat}: Not acknowledged: ${count} webs of n1 have been down for ${lasts}`
    const third = (what: string) => `anna@agency.test: Not acknowledged: ${what}`

    test('if one of them was muted meanwhile', async () => {
      await plan(three, 9, 13)
      expect(await escalate(12)).toEqual({ escalated: 1 })
      expect((await sent()).slice(1)).toEqual([second(2, '12 min')])
      expect(await escalate(13)).toBeNull()
      expect(await escalate(70)).toBeNull()
      expect(await escalate(72)).toEqual({ escalated: 1 })
      expect((await sent()).slice(2)).toEqual([third('3 webs of n1 have been down for 1 h 12 min')])
    })

    test('if one of them was acknowledged meanwhile, and stays alone', async () => {
      await acknowledge(three)
      expect(await escalate(12)).toEqual({ escalated: 1 })
      await db.update(attentionHandling).set({ acknowledged_at: null, acknowledged_by: null })
      expect(await escalate(13)).toBeNull()
      await acknowledge(one)
      await acknowledge(two)
      expect(await escalate(70)).toBeNull()
      expect(await escalate(72)).toEqual({ escalated: 1 })
      expect((await sent()).slice(2)).toEqual([third('w3.test has been down for 1 h 12 min')])
    })

    test('if one of them is no longer muted once the others have been acknowledged', async () => {
      await plan(three, 9, 80)
      await escalate(12)
      await acknowledge(one)
      await acknowledge(two)
      expect(await escalate(79)).toBeNull()
      expect(await escalate(80)).toEqual({ escalated: 1 })
      expect((await sent()).slice(2)).toEqual([
        `${chat}: Not acknowledged: w3.test has been down for 1 h 20 min`,
      ])
      expect(await escalate(139)).toBeNull()
      expect(await escalate(140)).toEqual({ escalated: 1 })
    })
  })

  const addWeb = async (fqdn: string) => {
    const row = monitoredWeb(fqdn, { node_id: await nodeOf(ids[0] ?? 0), customer: 'ALPEN' })
    return idOf(await db.insert(webs).values(row).returning({ id: webs.id }))
  }
  const other2 = async () =>
    idOf(await db.insert(webs).values(monitoredWeb('up2.test')).returning({ id: webs.id }))
  const nodeOf = async (id: number) => {
    const [row] = await db.select({ node: webs.node_id }).from(webs).where(eq(webs.id, id))
    return row?.node ?? null
  }
})
