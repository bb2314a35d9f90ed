import type { Permission } from '@kustos/contract/permissions'
import {
  alertChannels,
  alertEscalations,
  alertRoutes,
  alerts,
  attentionHandling,
  incidents,
  logEntries,
  maintenanceOccurrences,
  maintenanceScopes,
  maintenanceWindows,
  nodes,
  probeRounds,
  type RouteStep,
  rolePermissions,
  roles,
  rotas,
  statistics,
  userRoles,
  users,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, desc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { sweepAlerts } from '../../src/monitoring/alerts/index.ts'
import { announceIncidents } from '../../src/monitoring/announce-incidents.ts'
import { noteDomainMoved } from '../../src/monitoring/domain-moves.ts'
import { escalateIncidents } from '../../src/monitoring/escalate.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { openIncidents } from '../../src/monitoring/open-incidents.ts'
import { remindOfIncidents } from '../../src/monitoring/remind.ts'
import { addChannel, addRoute as insertRoute } from './add-route.ts'
import { openAlerting } from './alert-environment.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, at } = await openRounds(database)
const { tools, listAlerts } = await openAlerting(database)

let [web, rota, chat, pager, anna, ben] = [0, 0, 0, 0, 0, 0]
const idOf = ([row]: readonly { readonly id: number }[]): number => {
  if (!row) throw new Error('The row was not stored')
  return row.id
}
const ofIds = { id: users.id }

async function addUser(name: string, permission: Permission, more: { deleted_at?: Date } = {}) {
  const role = idOf(await db.insert(roles).values({ name }).returning({ id: roles.id }))
  const row = { email: `${name}@agency.test`, name, password_hash: '', ...more }
  const user = idOf(await db.insert(users).values(row).returning(ofIds))
  await db.insert(userRoles).values({ user_id: user, role_id: role })
  await db.insert(rolePermissions).values({ role_id: role, permission })
  return user
}

const addRoute = (steps: readonly RouteStep[], more: Partial<typeof alertRoutes.$inferInsert> = {}) =>
  insertRoute(db, { steps, ...more })
const step = (after_minutes: number, to: Partial<RouteStep>): RouteStep => ({
  after_minutes,
  channels: [],
  rotas: [],
  ...to,
})

beforeEach(async () => {
  for (const table of [
    alertEscalations,
    alertRoutes,
    rotas,
    alerts,
    attentionHandling,
    maintenanceOccurrences,
  ])
    await db.delete(table)
  for (const table of [maintenanceWindows, maintenanceScopes]) await db.delete(table)
  await db.delete(incidents).where(isNotNull(incidents.web_id))
  await db.delete(incidents)
  for (const table of [statistics, probeRounds, webs, nodes, alertChannels, userRoles, users])
    await db.delete(table)
  await db.delete(roles).where(ne(roles.name, 'admin'))
  web = idOf(
    await db
      .insert(webs)
      .values(monitoredWeb('a.test', { monitoring_web_reporting_channel: 'slack', customer: 'ALPEN' }))
      .returning({ id: webs.id }),
  )
  anna = await addUser('anna', 'view monitoring web statistic')
  ben = await addUser('ben', 'view monitoring web statistic')
  rota = idOf(
    await db
      .insert(rotas)
      .values({
        name: 'Night',
        user_ids: [anna, ben],
        handover: 'weekly',
        weekday: 1,
        time: '09:00',
        first_day: '2026-11-16',
      })
      .returning({ id: rotas.id }),
  )
  chat = await addChannel(db, 'Chat')
  pager = await addChannel(db, 'Pager')
})

/** On Friday at 11:00 in Rome, when Anna is on call. */
const minute = (minutes: number) =>
  new Date(Date.parse('2026-11-20T10:00:00Z') + minutes * 60_000).toISOString()
/** A round in the given minute, evaluated half a minute after its end. */
const round = async (at_: number, seen: Readonly<Record<number, Seen>>) => {
  await addRound(minute(at_), seen)
  await evaluateRound(at(minute(at_ + 1.6)), tools, settings)
}
const goDown = async (...ids: number[]) => {
  await round(0, Object.fromEntries(ids.map((id) => [id, 'down' as const])))
}
const escalate = (at_: number, broken?: typeof tools) => escalateIncidents(at(minute(at_)), broken ?? tools)
/** By id of its channel, if it is one of the console. */
const sent = async () => {
  const rows = await db.select().from(alerts).orderBy(asc(alerts.id))
  return rows.map(
    ({ channel, channel_id, recipient, content }) =>
      `${channel_id ?? recipient ?? channel}: ${content.title}`,
  )
}
const acknowledge = (id: number, started = minute(0)) =>
  db
    .insert(attentionHandling)
    .values({
      kind: 'web_down',
      subject_id: id,
      since: new Date(started),
      acknowledged_by: anna,
      acknowledged_at: new Date(minute(2)),
      action: 'acknowledged',
      updated_at: new Date(minute(2)),
    })
    .onConflictDoUpdate({
      target: [attentionHandling.kind, attentionHandling.subject_id, attentionHandling.since],
      set: { acknowledged_at: new Date(minute(2)), acknowledged_by: anna },
    })
/** The good web keeps rounds from being unknown. */
const other = async () =>
  idOf(await db.insert(webs).values(monitoredWeb('up.test')).returning({ id: webs.id }))

test('without a route, everything is as the web says', async () => {
  const up = await other()
  await goDown(web)
  expect(await listAlerts()).toEqual(['slack a.test is down: 503'])
  expect(await escalate(120)).toBeNull()
  await round(1, { [web]: 'up', [up]: 'up' })
  expect(await listAlerts()).toEqual(['slack a.test is down: 503', 'slack a.test is up again after 1 min'])
  expect(await db.$count(alertEscalations)).toBe(0)
})

test('the first step is at once, the others follow while nobody acknowledges it, and all are told of its end', async () => {
  await addRoute([
    step(0, { channels: [chat] }),
    step(10, { rotas: [rota] }),
    step(20, { channels: [pager], rotas: [rota] }),
  ])
  await goDown(web)
  expect(await sent()).toEqual(['slack: a.test is down: 503', `${chat}: a.test is down: 503`])
  expect(await escalate(11.5)).toBeNull()
  expect(await escalate(11.7)).toEqual({ escalated: 1 })
  const second = 'anna@agency.test: Not acknowledged: a.test has been down for 11 min'
  expect((await sent()).slice(2)).toEqual([second])
  expect(await escalate(11.8)).toBeNull()
  expect(await escalate(31.6)).toBeNull()
  expect(await escalate(31.8)).toEqual({ escalated: 1 })
  const third = 'Not acknowledged: a.test has been down for 31 min'
  expect((await sent()).slice(3)).toEqual([`${pager}: ${third}`, `anna@agency.test: ${third}`])
  expect(await escalate(600)).toBeNull()
  expect(await remindOfIncidents(at(minute(700)), tools, '1h')).toEqual({ reminded: 1 })
  expect((await sent()).slice(5).map((line) => line.split(':')[0])).toEqual([
    'slack',
    `${chat}`,
    `${pager}`,
    'anna@agency.test',
  ])
  const before = await db.$count(alerts)
  await round(701, { [web]: 'up' })
  expect((await sent()).slice(before).map((line) => line.split(':')[0])).toEqual([
    'slack',
    `${chat}`,
    `${pager}`,
    'anna@agency.test',
  ])
  const entries = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(2)
  expect(entries.toReversed()).toMatchObject([
    {
      description: 'escalated',
      subject_type: 'incident',
      properties: { attributes: { route: 'Night', step: 2, channels: [], on_call: ['anna@agency.test'] } },
    },
    { properties: { attributes: { step: 3, channels: ['Pager'], on_call: ['anna@agency.test'] } } },
  ])
})

test('gives the incident to the user on call, unless somebody has it', async () => {
  await addRoute([step(0, { rotas: [rota] }), step(10, { rotas: [rota] })])
  await goDown(web)
  const handling = async () =>
    (await db.select().from(attentionHandling)).map(({ assigned_to }) => assigned_to)
  expect(await handling()).toEqual([anna])
  await db.update(users).set({ deleted_at: new Date() }).where(eq(users.id, anna))
  await escalate(12)
  expect(await handling()).toEqual([ben])
  await db.update(attentionHandling).set({ updated_by: ben })
  await db.update(users).set({ deleted_at: null }).where(eq(users.id, anna))
  await db.update(alertEscalations).set({ done: 1, due_at: new Date(minute(13)) })
  await escalate(14)
  expect(await handling()).toEqual([ben])
})

test('those who were told hear of the end as long as they may see incidents', async () => {
  await addRoute([step(0, { channels: [chat], rotas: [rota] })])
  await goDown(web)
  await db.delete(userRoles).where(eq(userRoles.user_id, anna))
  const before = await db.$count(alerts)
  await round(1, { [web]: 'up' })
  expect((await sent()).slice(before).map((line) => line.split(':')[0])).toEqual(['slack', `${chat}`])
})

test('reminders of an acknowledged incident name who has it, who alone gets them besides the channels', async () => {
  await addRoute([step(0, { channels: [chat], rotas: [rota] }), step(10, { rotas: [rota] })])
  await goDown(web)
  await db.update(rotas).set({ user_ids: [ben] })
  await escalate(12)
  const remind = async (minutes: number) => {
    const before = await db.$count(alerts)
    await remindOfIncidents(at(minute(minutes)), tools, '1h')
    return (await db.select().from(alerts).orderBy(asc(alerts.id))).slice(before)
  }
  const targetsOf = (rows: Awaited<ReturnType<typeof remind>>) =>
    rows.map(({ channel, channel_id, recipient }) => channel_id ?? recipient ?? channel)
  const unhandled = await remind(70)
  expect(targetsOf(unhandled)).toEqual(['slack', chat, 'anna@agency.test', 'ben@agency.test'])
  expect(unhandled[0]?.content.lines.at(-1)).toMatch('Reason: ')
  await acknowledge(web)
  const handled = await remind(140)
  expect(targetsOf(handled)).toEqual(['slack', chat, 'ben@agency.test'])
  expect(handled[0]?.content.lines.at(-1)).toBe('Handled by: ben')
  await db.update(attentionHandling).set({ assigned_to: null })
  const unassigned = await remind(210)
  expect(targetsOf(unassigned)).toEqual(['slack', chat])
  expect(unassigned[0]?.content.lines.at(-1)).toBe('Handled by: anna')
})

test('goes on at once where a step reaches nobody', async () => {
  await db.update(users).set({ deleted_at: new Date() })
  await addRoute([step(0, { rotas: [rota] }), step(30, { channels: [chat] })])
  await goDown(web)
  expect(await sent()).toEqual(['slack: a.test is down: 503'])
  expect(await escalate(1.7)).toEqual({ escalated: 1 })
  expect((await sent()).slice(1)).toEqual([`${chat}: Not acknowledged: a.test has been down for 1 min 42 s`])
})

test('goes on at once where the channels of a step are gone or nothing sends its mails', async () => {
  const configured = { name: 'Telegram', kind: 'telegram', origin: 'configuration', settings: {} } as const
  const missing = idOf(await db.insert(alertChannels).values(configured).returning({ id: alertChannels.id }))
  const gone = await addChannel(db, 'Gone')
  await addRoute([
    step(0, { channels: [missing] }),
    step(30, { channels: [gone] }),
    step(30, { rotas: [rota] }),
    step(30, { channels: [chat] }),
  ])
  const channels = { ...tools.channels, telegram: null, mail: null }
  const unconfigured = { ...tools, channels }
  await addRound(minute(0), { [web]: 'down' })
  await evaluateRound(at(minute(1.6)), unconfigured, settings)
  await db.delete(alertChannels).where(eq(alertChannels.id, gone))
  for (const seconds of [1, 2, 3])
    expect(await escalate(1.7 + seconds / 60, unconfigured)).toEqual({ escalated: 1 })
  expect(await escalate(2, unconfigured)).toBeNull()
  expect(await sent()).toEqual([
    'slack: a.test is down: 503',
    `${chat}: Not acknowledged: a.test has been down for 1 min 45 s`,
  ])
})

describe('a step does not follow', () => {
  beforeEach(() => addRoute([step(0, { channels: [chat] }), step(10, { channels: [pager] })]))

  test('once it is acknowledged, but does if that is withdrawn', async () => {
    await goDown(web)
    await acknowledge(web)
    expect(await escalate(30)).toBeNull()
    await db.update(attentionHandling).set({ acknowledged_at: null })
    expect(await escalate(31)).toEqual({ escalated: 1 })
  })

  test('once it is acknowledged, also if the domain turns out to have moved, but does if that is withdrawn', async () => {
    const up = await other()
    await goDown(web)
    await acknowledge(web)
    await noteDomainMoved(db, web, { at: new Date(minute(3)), from: '192.0.2.7', to: '203.0.113.9' })
    await round(3, { [up]: 'up' })
    expect(await escalate(30)).toBeNull()
    const before = await db.$count(alerts)
    await db.update(attentionHandling).set({ acknowledged_at: null })
    expect(await escalate(31)).toEqual({ escalated: 1 })
    expect((await sent()).slice(before)).toEqual([
      `${pager}: Not acknowledged: a.test has been pointing elsewhere for 28 min`,
    ])
  })

  test('once it has ended', async () => {
    await goDown(web)
    await round(1, { [web]: 'up' })
    const before = await sent()
    expect(await escalate(30)).toBeNull()
    expect(await sent()).toEqual(before)
    expect(await db.select().from(alertEscalations)).toMatchObject([{ due_at: null }])
  })

  test('during maintenance, but after it', async () => {
    await goDown(web)
    await plan(web, 5, 60)
    expect(await escalate(30)).toBeNull()
    expect(await escalate(60)).toEqual({ escalated: 1 })
  })
})

/** Plans maintenance of a web from one minute to another. */
async function plan(id: number, from: number, to: number) {
  const scope = { web_ids: [id], node_ids: [], customers: [], tags: [] }
  const scope_id = idOf(
    await db.insert(maintenanceScopes).values(scope).returning({ id: maintenanceScopes.id }),
  )
  const times = { starts_at: new Date(minute(from)), ends_at: new Date(minute(to)) }
  const window = { reason: 'x', scope_id, ...times, weekdays: [], month_days: [], planned_by: anna }
  const window_id = idOf(
    await db
      .insert(maintenanceWindows)
      .values({ ...window, repeats: 'once' })
      .returning({ id: maintenanceWindows.id }),
  )
  await db.insert(maintenanceOccurrences).values({ window_id, scope_id, ...times })
}

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
    // One that joins is told of with the outage's next step.
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

test('a route may take the place of the channels of the web, also for the end', async () => {
  await addRoute([step(0, { channels: [chat] })], { replaces_channels: true })
  await goDown(web)
  await round(1, { [web]: 'up' })
  expect(await sent()).toEqual([`${chat}: a.test is down: 503`, `${chat}: a.test is up again after 1 min`])
})

test('a route takes the place of the channels of the web only if it reaches somebody, also for the end', async () => {
  await db.update(users).set({ deleted_at: new Date() })
  await addRoute([step(0, { rotas: [rota] })], { replaces_channels: true })
  await goDown(web)
  await db.update(users).set({ deleted_at: null })
  await round(1, { [web]: 'up' })
  expect(await sent()).toEqual(['slack: a.test is down: 503', 'slack: a.test is up again after 1 min'])
})

test.each(['flapping', 'down'] as const)(
  'the channels of a web that were told of a flapping web or of its death hear of its end, if the route of %s replaces them',
  async (severity) => {
    const told = (minutes: number) => ({
      web_id: web,
      started_at: new Date(minute(minutes)),
      ended_at: new Date(minute(minutes + 1)),
      last_failed_at: new Date(minute(minutes)),
      watched_until: new Date(minute(minutes + 1)),
      alerted_at: new Date(minute(minutes)),
      reason: 'x',
    })
    await db.insert(incidents).values([-30, -20, -10].map(told))
    await addRoute([step(0, { channels: [chat] })], { severities: [severity], replaces_channels: true })
    for (let at_ = 0; at_ <= 10; at_++) await round(at_, { [web]: 'down' })
    const [flapping, down] = ['a.test is flapping: 503', 'a.test is down: 503']
    expect(await sent()).toEqual(
      severity === 'flapping'
        ? [`${chat}: ${flapping}`, `slack: ${down}`]
        : [`slack: ${flapping}`, `${chat}: ${down}`],
    )
    await round(11, { [web]: 'up' })
    expect((await sent()).slice(2)).toEqual(
      ['slack', chat].map((channel) => `${channel}: a.test is up again after 11 min`),
    )
  },
)

test('a step that fails holds up no other, and one that is missing ends its escalation', async () => {
  const insert = (fqdn: string) => db.insert(webs).values(monitoredWeb(fqdn)).returning({ id: webs.id })
  const [broken, ended] = [idOf(await insert('b.test')), idOf(await insert('c.test'))]
  const up = await other()
  await addRoute([step(0, { channels: [chat] }), step(10, { channels: [pager] })])
  await round(0, { [web]: 'down', [broken]: 'down', [ended]: 'down', [up]: 'up' })
  const change = async (id: number, steps: readonly unknown[]) => {
    const [incident] = await db.select().from(incidents).where(eq(incidents.web_id, id))
    await db
      .update(alertEscalations)
      .set({ steps: steps as RouteStep[] })
      .where(eq(alertEscalations.incident_id, incident?.id ?? 0))
  }
  await change(broken, [step(0, {}), {}])
  await change(ended, [step(0, {})])
  const failures: Error[] = []
  const watched = { ...tools, onError: (error: Error) => void failures.push(error) }
  const before = (await sent()).length
  expect(await escalate(12, watched)).toEqual({ escalated: 1 })
  expect((await sent()).slice(before)).toEqual([
    `${pager}: Not acknowledged: a.test has been down for 12 min`,
  ])
  expect(failures).toHaveLength(1)
  const due = await db.select().from(alertEscalations).where(isNotNull(alertEscalations.due_at))
  expect(due).toMatchObject([{ done: 1, steps: [{}, {}] }])
})

test('many incidents with the same step are told of in one message, as far as a run takes them', async () => {
  const names = ['b.test', 'c.test', 'd.test', 'e.test']
  const rows = names.map((fqdn) => monitoredWeb(fqdn, { customer: 'ALPEN' }))
  const more = (await db.insert(webs).values(rows).returning({ id: webs.id })).map(({ id }) => id)
  const up = await other()
  await addRoute([step(0, {}), step(10, { channels: [pager], rotas: [rota] })])
  await round(0, { ...Object.fromEntries([web, ...more].map((id) => [id, 'down' as const])), [up]: 'up' })
  const before = (await sent()).length
  const escalateSome = () => escalateIncidents(at(minute(12)), tools, 4)
  expect(await escalateSome()).toEqual({ escalated: 4 })
  const title = 'Not acknowledged: 4 webs have been down for up to 12 min'
  expect((await sent()).slice(before)).toEqual([`${pager}: ${title}`, `anna@agency.test: ${title}`])
  const [message] = await db.select().from(alerts).where(eq(alerts.channel_id, pager))
  expect(message).toMatchObject({
    content: {
      lines: [
        'Customer: ALPEN',
        'By node: no node 4',
        'a.test (ALPEN)',
        'b.test (ALPEN)',
        'c.test (ALPEN)',
        'd.test (ALPEN)',
      ],
      url: 'https://kustos.test/monitoring/incidents',
    },
    incidents: { length: 4 },
  })
  expect((await db.select().from(attentionHandling)).map((row) => row.assigned_to)).toEqual(
    Array(4).fill(anna),
  )
  const entries = await db.select().from(logEntries).orderBy(desc(logEntries.id)).limit(4)
  expect(entries.map(({ description }) => description)).toEqual(Array(4).fill('escalated'))
  expect(await escalateSome()).toEqual({ escalated: 1 })
  expect((await sent()).at(-1)).toBe('anna@agency.test: Not acknowledged: e.test has been down for 12 min')
  expect(await escalateSome()).toBeNull()
})

test('a worker that dies after the step is stored neither repeats nor forgets it', async () => {
  await addRoute([step(0, {}), step(10, { channels: [pager] })])
  await goDown(web)
  const lost: Error[] = []
  const queues = { ...tools.queues, addAll: () => Promise.reject(new Error('killed')) }
  await escalate(12, {
    ...tools,
    queues: { ...queues } as typeof tools.queues,
    onError: (error) => lost.push(error),
  })
  expect(lost).toMatchObject([{ message: 'killed' }])
  expect(await escalate(13)).toBeNull()
  expect((await sent()).slice(1)).toHaveLength(1)
  expect(await sweepAlerts(at(minute(14)), tools)).toMatchObject({ enqueued: expect.any(Number) })
})

test('a worker that dies amid a step leaves nothing of it, and another one takes it', async () => {
  await addRoute([step(0, {}), step(10, { channels: [pager] })])
  await goDown(web)
  const dying = { ...at(minute(12)), assertLease: () => Promise.reject(new Error('killed')) }
  await expect(escalateIncidents(dying, tools)).rejects.toThrow('killed')
  expect(await sent()).toEqual(['slack: a.test is down: 503'])
  const [first, second] = await Promise.all([escalate(12), escalate(12)])
  expect([first, second]).toContainEqual({ escalated: 1 })
  expect((await sent()).slice(1)).toHaveLength(1)
})
