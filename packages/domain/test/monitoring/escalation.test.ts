import {
  alertChannels,
  alertEscalations,
  alerts,
  attentionHandling,
  incidents,
  logEntries,
  type RouteStep,
  rotas,
  userRoles,
  users,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, desc, eq, isNotNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { sweepAlerts } from '../../src/monitoring/alerts/index.ts'
import { noteDomainMoved } from '../../src/monitoring/domain-moves.ts'
import { escalateIncidents } from '../../src/monitoring/escalate.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { remindOfIncidents } from '../../src/monitoring/remind.ts'
import { addChannel } from './add-route.ts'
import { idOf, openEscalation, step } from './escalation-kit.ts'
import { monitoredWeb, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const {
  addRound,
  at,
  tools,
  listAlerts,
  addRoute,
  reset,
  minute,
  round,
  goDown,
  escalate,
  sent,
  acknowledge,
  other,
  plan,
} = await openEscalation(database)

let [web, rota, chat, pager, anna, ben] = [0, 0, 0, 0, 0, 0]
beforeEach(async () => {
  ;({ web, rota, chat, pager, anna, ben } = await reset())
})

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

test('reminders of an acknowledged or snoozed incident name who has it, and only that user and the channels get them', async () => {
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
  const snooze = { acknowledged_at: null, snoozed_by: ben, snoozed_until: new Date(minute(300)) }
  await db.update(attentionHandling).set(snooze)
  const snoozed = await remind(280)
  expect(targetsOf(snoozed)).toEqual(['slack', chat])
  expect(snoozed[0]?.content.lines.at(-1)).toBe('Handled by: ben')
  expect(targetsOf(await remind(350))).toEqual(['slack', chat, 'anna@agency.test', 'ben@agency.test'])
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

  test.each([
    ['snoozed', null],
    ['acknowledged, and then snoozed', new Date(minute(2))],
  ])('while it is %s, but does once the snooze is over', async (_, acknowledged_at) => {
    await goDown(web)
    await acknowledge(web)
    const snooze = { acknowledged_at, snoozed_by: ben, snoozed_until: new Date(minute(60)) }
    await db.update(attentionHandling).set(snooze)
    expect(await escalate(59)).toBeNull()
    expect(await escalate(61)).toEqual({ escalated: 1 })
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
