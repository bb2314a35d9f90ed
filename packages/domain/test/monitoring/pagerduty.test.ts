import { alertChannels, channelIncidents, incidents } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, isNotNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAlertChannel, editAlertChannel, listAlertChannels } from '../../src/alert-channels/index.ts'
import { updatePagerDuty } from '../../src/monitoring/alerts/index.ts'
import { openChannels } from './channel-kit.ts'

const database = await testDatabase()
const { db } = database
const {
  alerting,
  box,
  addChannel,
  addIncident,
  endIncident,
  failNextInsert,
  write,
  waiting,
  run,
  fail,
  recover,
  reset,
} = await openChannels(database)
const { tools, context, slack } = alerting

beforeEach(reset)

const events = () =>
  slack.posted
    .filter(({ path }) => path === '/v2/enqueue')
    .map(
      ({ body }) => `${String(body.event_action)} ${String(body.dedup_key).replace(/^kustos-incident-/, '')}`,
    )

test('PagerDuty gets each incident of an alert once, and its end', async () => {
  const duty = await addChannel('pagerduty')
  const [one, two] = [await addIncident('a.test'), await addIncident('b.test')]
  recover()
  for (const id of [one, two, one, two]) await write('down', [duty], [id])
  await run()
  await endIncident(two)
  await write('b.test is up again', [duty], [two])
  await run()
  expect(events()).toEqual([`trigger ${one}`, `trigger ${two}`, `resolve ${two}`])
  expect(slack.posted[0]?.body).toMatchObject({
    payload: {
      summary: 'a.test is down: timed out',
      source: 'a.test',
      severity: 'critical',
      group: 'ALPEN',
    },
  })
})

test('PagerDuty gets only what is still open after it was down', async () => {
  const duty = await addChannel('pagerduty')
  const [known, brief, open] = [
    await addIncident('a.test'),
    await addIncident('b.test'),
    await addIncident('c.test'),
  ]
  recover()
  await write('a.test is down', [duty], [known])
  await run()
  fail()
  for (const [title, id] of [
    ['b.test is down', brief],
    ['c.test is down', open],
  ] as const)
    await write(title, [duty], [id])
  await run()
  alerting.advanceMs(3_600_000)
  for (const id of [known, brief]) {
    await endIncident(id)
    await write('up again', [duty], [id])
  }
  recover()
  slack.posted = []
  await run()
  expect(events()).toEqual([`resolve ${known}`, `trigger ${open}`])
  expect(await waiting()).toEqual([])
})

test('PagerDuty gets the end of an incident also if the database was busy when it had accepted the beginning', async () => {
  const duty = await addChannel('pagerduty')
  const id = await addIncident('a.test')
  recover()
  await failNextInsert('channel_incidents')
  await write('a.test is down', [duty], [id])
  await run()
  await endIncident(id)
  await write('a.test is up again', [duty], [id])
  await run()
  expect(events()).toEqual([`trigger ${id}`, `resolve ${id}`])
})

test('PagerDuty gets the end of an incident also if the process died when it had accepted the beginning', async () => {
  const duty = await addChannel('pagerduty')
  const [over, open] = [await addIncident('a.test'), await addIncident('b.test')]
  recover()
  const { pool } = database.owner
  await write('a.test is down', [duty], [over])
  await write('b.test is down', [duty], [open])
  await pool.query('revoke insert on channel_incidents from kustos_application')
  await run().catch(() => undefined)
  await pool.query('grant insert on channel_incidents to kustos_application')
  await endIncident(over)
  await run()
  expect(events()).toEqual([`trigger ${over}`, `trigger ${open}`])
  // Another process may still be opening it.
  expect(await updatePagerDuty(context, tools)).toBeNull()
  alerting.advanceMs(300_001)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  expect(await updatePagerDuty(context, tools)).toBeNull()
  expect(events()).toEqual([`trigger ${over}`, `trigger ${open}`, `resolve ${over}`])
})

describe('what PagerDuty has of a channel', () => {
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
  const listed = async () => idsOf(await listAlertChannels(context))
  const stored = async () => idsOf(await db.select({ id: alertChannels.id }).from(alertChannels))

  test('is resolved with the key that opened it if the channel gets another one', async () => {
    const duty = await addChannel('pagerduty')
    const [one, two] = [await addIncident('a.test'), await addIncident('b.test')]
    const none = { address: null, chat: null, url: null, default_for: null, fallback: false }
    const setKey = (key: string) =>
      editAlertChannel(context, box, duty, { ...none, name: 'duty', kind: 'pagerduty', key })
    recover()
    await setKey('first'.repeat(6))
    await write('a.test is down', [duty], [one])
    await run()
    await setKey('first'.repeat(6))
    expect(await stored()).toEqual([duty])
    await setKey('other'.repeat(6))
    await write('b.test is down', [duty], [two])
    await run()
    expect(await updatePagerDuty(context, tools)).toBeNull()
    expect(await listed()).toEqual([duty])
    for (const id of [one, two]) await endIncident(id)
    expect(await updatePagerDuty(context, tools)).toEqual({ updated: 2 })
    const keys = slack.posted.map(({ body }) => String(body.routing_key).slice(0, 5))
    expect(events().map((event, index) => `${keys[index]}: ${event}`)).toEqual(
      expect.arrayContaining([
        `first: trigger ${one}`,
        `other: trigger ${two}`,
        `first: resolve ${one}`,
        `other: resolve ${two}`,
      ]),
    )
    expect(keys).toHaveLength(4)
    expect(await stored()).toEqual([duty])
  })

  test.each([
    ['resolved', 202, { updated: 1 }],
    ['left to people if it refuses the key', 400, null],
  ])('is %s after the channel was deleted', async (_, status, done) => {
    const duty = await addChannel('pagerduty')
    const [one, two] = [await addIncident('a.test'), await addIncident('b.test')]
    recover()
    await write('a.test is down', [duty], [one])
    await run()
    await write('b.test is down', [duty], [two])
    await deleteAlertChannel(context, box, duty)
    await run()
    expect([await listed(), await waiting(), (await stored()).length]).toEqual([[], [], 1])
    await expect(deleteAlertChannel(context, box, duty)).rejects.toMatchObject({ kind: 'not-found' })
    await endIncident(one)
    fail(status)
    expect(await updatePagerDuty(context, tools)).toEqual(done)
    expect(events()).toEqual([`trigger ${one}`, `resolve ${one}`])
    expect(await stored()).toEqual([])
  })
})

test('PagerDuty gets no end of an incident whose beginning it has refused', async () => {
  const duty = await addChannel('pagerduty')
  const id = await addIncident('a.test')
  fail()
  await write('a.test is down', [duty], [id])
  await run()
  await endIncident(id)
  alerting.advanceMs(3_600_000)
  slack.posted = []
  recover()
  expect(await updatePagerDuty(context, tools)).toBeNull()
  expect(events()).toEqual([])
})

test('PagerDuty gets an alert of its own for a flapping web that is down, once that is announced', async () => {
  const duty = await addChannel('pagerduty')
  const id = await addIncident('a.test')
  const become = (kind: 'flapping' | 'down') => db.update(incidents).set({ kind }).where(eq(incidents.id, id))
  recover()
  await become('flapping')
  await write('a.test is flapping', [duty], [id])
  await run()
  await become('down')
  expect(await updatePagerDuty(context, tools)).toBeNull()
  for (const title of ['a.test is down', 'a.test is still down']) {
    await write(title, [duty], [id])
    await run()
  }
  await endIncident(id)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  expect(events()).toEqual([`trigger ${id}`, `trigger ${id}-down`, `resolve ${id}`, `resolve ${id}-down`])
  expect(
    slack.posted.flatMap(({ body }) => (body.payload as { severity: string } | undefined)?.severity ?? []),
  ).toEqual(['warning', 'critical'])
})

test('PagerDuty does not page again for a flapping web that goes down once somebody has acknowledged it', async () => {
  const duty = await addChannel('pagerduty')
  const id = await addIncident('a.test')
  recover()
  await db.update(incidents).set({ kind: 'flapping' }).where(eq(incidents.id, id))
  await write('a.test is flapping', [duty], [id])
  await run()
  await acknowledge(id)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  await db.update(incidents).set({ kind: 'down' }).where(eq(incidents.id, id))
  await write('a.test is down', [duty], [id])
  await run()
  expect(events()).toEqual([`trigger ${id}`, `acknowledge ${id}`, `trigger ${id}`])
})

const acknowledge = (incident: number) =>
  database.owner.pool.query(
    `insert into attention_handling (kind, subject_id, since, acknowledged_at, action, updated_at)
     select 'web_down', web_id, started_at, now(), 'acknowledged', now() from incidents where id = ${incident}`,
  )

test('PagerDuty gets acknowledgements, and ends without an alert', async () => {
  const duty = await addChannel('pagerduty')
  const [one, two] = [await addIncident('a.test'), await addIncident('b.test')]
  recover()
  for (const id of [one, two]) await write('down', [duty], [id])
  await run()
  slack.posted = []
  await endIncident(two)
  await acknowledge(one)
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 2 })
  expect(await updatePagerDuty(context, tools)).toBeNull()
  expect(events()).toEqual([`acknowledge ${one}`, `resolve ${two}`])
})

test('PagerDuty gets a snooze as an acknowledgement', async () => {
  const duty = await addChannel('pagerduty')
  const id = await addIncident('a.test')
  recover()
  await write('down', [duty], [id])
  await run()
  slack.posted = []
  await database.owner.pool.query(
    `insert into attention_handling (kind, subject_id, since, snoozed_until, action, updated_at)
     select 'web_down', web_id, started_at, now() + interval '1 hour', 'snoozed', now() from incidents`,
  )
  expect(await updatePagerDuty(context, tools)).toEqual({ updated: 1 })
  expect(events()).toEqual([`acknowledge ${id}`])
})

describe('PagerDuty gets one alert for the incidents of a message', () => {
  let duty = 0
  let ids: [number, number, number] = [0, 0, 0]
  beforeEach(async () => {
    duty = await addChannel('pagerduty')
    ids = [await addIncident('a.test'), await addIncident('b.test'), await addIncident('c.test')]
    recover()
  })
  const update = () => updatePagerDuty(context, tools)
  const summaries = () =>
    slack.posted.flatMap(({ body }) => (body.payload as { summary: string } | undefined)?.summary ?? [])

  test('which is acknowledged and resolved with the last of them', async () => {
    const [one, two, three] = ids
    await write('3 webs are down', [duty], ids)
    await write('3 webs are still affected', [duty], ids)
    await run()
    const key = `kustos-incidents-${one}-down`
    expect(slack.posted.splice(0)).toMatchObject([
      {
        body: {
          event_action: 'trigger',
          dedup_key: key,
          payload: {
            summary: '3 webs are down',
            severity: 'critical',
            group: 'ALPEN',
            custom_details: {
              webs: ['a.test', 'b.test', 'c.test'].map((web) => `${web} (ALPEN): timed out`),
            },
          },
        },
      },
    ])
    await acknowledge(one)
    await endIncident(two)
    expect(await update()).toBeNull()
    await acknowledge(three)
    expect(await update()).toEqual({ updated: 1 })
    await endIncident(one)
    await write('a.test is up again', [duty], [one])
    await run()
    expect(await update()).toBeNull()
    await endIncident(three)
    expect(await update()).toEqual({ updated: 1 })
    expect(events()).toEqual([`acknowledge ${key}`, `resolve ${key}`])
    expect(await db.select().from(channelIncidents)).toEqual([])
  })

  test('also if it could not be sent at first, and under the same key', async () => {
    const [one, two] = ids
    fail()
    await write('2 webs are down', [duty], [one, two])
    await run()
    await endIncident(one)
    recover()
    await run()
    expect(events()).toEqual(Array(2).fill(`trigger kustos-incidents-${one}-down`))
    expect(summaries()).toEqual(['2 webs are down', 'b.test is down: timed out'])
  })

  test('and one that takes its place if they have become another kind', async () => {
    const [one, two, three] = ids
    await db.update(incidents).set({ kind: 'flapping' })
    await write('3 webs are flapping', [duty], ids)
    await run()
    await db.update(incidents).set({ kind: 'down' })
    for (const about of [[one, two], [three]]) {
      await write('down', [duty], about)
      await run()
    }
    expect(events()).toEqual([
      `trigger kustos-incidents-${one}-flapping`,
      `trigger kustos-incidents-${one}-down`,
      `trigger ${three}-down`,
      `resolve kustos-incidents-${one}-flapping`,
    ])
  })

  test('which those share that join the outage later', async () => {
    const [one, two, three] = ids
    await write('2 webs are down', [duty], [one, two])
    await run()
    const at = alerting.now()
    const [outage] = await db
      .insert(incidents)
      .values({ started_at: at, last_failed_at: at, watched_until: at, reason: 'timed out' })
      .returning()
    await db
      .update(incidents)
      .set({ outage_id: outage?.id ?? 0 })
      .where(isNotNull(incidents.web_id))
    await write('c.test is down', [duty], [three])
    await run()
    for (const id of [one, two, three]) {
      await endIncident(id)
      await update()
    }
    const key = `kustos-incidents-${one}-down`
    expect(events()).toEqual([`trigger ${key}`, `trigger ${key}`, `resolve ${key}`])
    expect(summaries()).toEqual(['2 webs are down', 'c.test is down: timed out'])
  })
})
