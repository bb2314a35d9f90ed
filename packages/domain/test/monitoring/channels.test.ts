import { alertChannelStates, alertChannels, alerts, rotas, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { listAlertChannels } from '../../src/alert-channels/index.ts'
import { readAlerts } from '../../src/incidents/timeline-alerts.ts'
import { toEvent } from '../../src/monitoring/alerts/alert-event.ts'
import { endFormerRefusals, sweepAlerts, writeAlerts } from '../../src/monitoring/alerts/index.ts'
import { slackOk } from './alert-environment.ts'
import { openChannels } from './channel-kit.ts'

const database = await testDatabase()
const { db } = database
const {
  alerting,
  addChannel,
  addIncident,
  endIncident,
  write,
  waiting,
  run,
  fail,
  recover,
  posted,
  titlesTo,
  reset,
} = await openChannels(database)
const { tools, context, slack } = alerting
beforeEach(reset)

describe('the targets of an alert', () => {
  const about = (channels: ('slack' | 'mail')[]) =>
    writeAlerts(db, [{ content: { title: 'x', lines: [] }, channels, incidents: [] }], tools, alerting.now())
  const targets = async () =>
    (await db.select().from(alerts).orderBy(asc(alerts.id))).map(({ channel, channel_id, recipient }) =>
      [channel, channel_id ?? recipient ?? ''].join(' ').trim(),
    )

  test('are those of the configuration as long as no channel takes their place', async () => {
    await about(['slack', 'mail'])
    expect(await targets()).toEqual(['slack', 'mail oncall@agency.test'])
  })

  test('are the channels that users have chosen for them, of any kind, each once', async () => {
    const teams = await addChannel('teams', { default_for: 'slack' })
    await writeAlerts(
      db,
      [{ content: { title: 'x', lines: [] }, channels: ['slack'], to: [teams], incidents: [] }],
      tools,
      alerting.now(),
    )
    expect(await targets()).toEqual([`channel ${teams}`])
  })

  test('a channel of the configuration leads to where it leads without a row', async () => {
    const mail = await addChannel('mail', { origin: 'configuration' })
    await write('x', [mail])
    expect(await targets()).toEqual(['mail oncall@agency.test'])
  })
})

test('machines read the incidents of a message in the payload of a webhook', async () => {
  const hook = await addChannel('webhook')
  const incident = await addIncident('a.test')
  const web = { id: 7, fqdn: 'a.test', customer: 'ALPEN', node: { id: 1, name: 'n1' }, channels: [] }
  const startedAt = alerting.now()
  const fields = { outage: null, host: '1', startedAt, status: 503, reason: 'timed out' }
  const event = toEvent('opened', [{ incident, kind: 'down', web, ...fields }], 'https://kustos.test')
  const content = { title: 'a.test is down', lines: ['Customer: ALPEN'] }
  await writeAlerts(
    db,
    [{ content, channels: [], to: [hook], incidents: [incident], event }],
    tools,
    alerting.now(),
  )
  recover()
  await run()
  const [{ headers, body } = { headers: {}, body: {} }] = posted('webhook')
  expect(headers).toMatchObject({
    'webhook-id': expect.stringMatching(/^kustos-alert-\d+$/),
    'webhook-timestamp': expect.stringMatching(/^\d+$/),
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]+=*$/),
  })
  expect(body).toMatchObject({
    version: 1,
    type: 'alert.opened',
    data: {
      title: 'a.test is down',
      severity: 'critical',
      incidents: [
        {
          incident,
          kind: 'down',
          node: 'n1',
          web: { fqdn: 'a.test', customer: 'ALPEN' },
          url: `https://kustos.test/monitoring/incidents/${incident}`,
        },
      ],
    },
  })
})

describe('a channel that was down', () => {
  test('for a while is sent what it missed in order, and holds up no other', async () => {
    const hook = await addChannel('webhook')
    await write('1', [hook])
    await write('2', [hook])
    fail()
    slack.next = []
    await run()
    await db.insert(alerts).values({
      channel: 'mail',
      recipient: 'oncall@agency.test',
      content: { title: 'mail', lines: [] },
      created_at: alerting.now(),
      incidents: [],
    })
    await run()
    expect(alerting.mail.mails).toHaveLength(1)
    recover()
    slack.posted = []
    await run()
    expect(titlesTo('webhook')).toEqual(['1', '2'])
  })

  test('for more than ten minutes is sent one summary, with what is open and what was resolved', async () => {
    const hook = await addChannel('webhook')
    const [open, ended] = [await addIncident('open.test'), await addIncident('ended.test')]
    fail()
    await write('open.test is down', [hook], [open])
    await write('ended.test is down', [hook], [ended])
    await run()
    alerting.advanceMs(11 * 60_000)
    await endIncident(ended)
    await write('ended.test is up again', [hook], [ended])
    await write('A certificate ends', [hook])
    await run()
    // The summary failed, too. What comes meanwhile becomes part of it.
    await write('A second certificate ends', [hook])
    alerting.advanceMs(60_000)
    await run()
    recover()
    slack.posted = []
    await run()
    await write('after', [hook])
    await run()
    expect(titlesTo('webhook')).toEqual(['5 alerts while webhook could not be reached', 'after'])
    const data = posted('webhook')[0]?.body.data as { text: string[]; incidents: unknown[] }
    expect(data.text).toEqual([
      'The first of them: 2026/11/20 11:00:00',
      'Still open: 1',
      `open.test (ALPEN): since 2026/11/20 11:00:00, for 12 min https://kustos.test/monitoring/incidents/${open}`,
      'Resolved meanwhile: 1',
      `ended.test (ALPEN): since 2026/11/20 11:00:00, lasted 11 min https://kustos.test/monitoring/incidents/${ended}`,
      'Other messages: 2',
      'A certificate ends',
      'A second certificate ends',
    ])
    expect(data.incidents).toHaveLength(2)
    expect(await waiting()).toEqual([])
  })

  test('has not got what is part of a summary that waits', async () => {
    const hook = await addChannel('webhook')
    const incident = await addIncident('open.test')
    fail()
    await write('open.test is down', [hook], [incident])
    for (const title of ['A certificate ends', 'A second certificate ends']) await write(title, [hook])
    await run()
    alerting.advanceMs(11 * 60_000)
    await run()
    const seen = async () => ({
      waiting: (await listAlertChannels({ db })).map((channel) => channel.waiting),
      ofIncident: (await readAlerts(db, [incident])).find(({ title }) => title === 'open.test is down'),
    })
    const at = new Date('2026-11-20T10:00:00Z').toISOString()
    const { waiting: before, ofIncident } = await seen()
    expect(before).toEqual([3])
    expect(ofIncident).toMatchObject({ state: 'waiting' })
    expect(new Date(ofIncident?.at ?? '').toISOString()).toBe(at)
    recover()
    await run()
    expect(await seen()).toMatchObject({ waiting: [0], ofIncident: { state: 'sent' } })
  })

  test('while more than twenty alerts came is sent one summary, also a chat of the configuration', async () => {
    fail()
    for (let n = 0; n < 22; n++)
      await writeAlerts(
        db,
        [{ content: { title: `${n}`, lines: [] }, channels: ['slack'], incidents: [] }],
        tools,
        alerting.now(),
      )
    await run()
    alerting.advanceMs(60_000)
    slack.usual = slackOk
    slack.posted = []
    await run()
    expect(slack.posted).toHaveLength(1)
    expect(slack.posted[0]?.body.text).toContain('22 alerts while Slack could not be reached')
  })

  test('for more than a day loses nothing that is less than a day old', async () => {
    const hook = await addChannel('webhook')
    fail()
    const written = [0, 1, 23, 26]
    for (let hour = 0; hour < 27; hour++) {
      if (written.includes(hour)) await write(`hour ${hour}`, [hook])
      await run()
      alerting.advanceMs(3_600_000)
    }
    recover()
    slack.posted = []
    await run()
    expect(titlesTo('webhook')).toEqual(['4 alerts while webhook could not be reached'])
    expect(posted('webhook')[0]?.body).toMatchObject({
      data: { text: expect.arrayContaining(['hour 26']) },
    })
    const rows = await db.select().from(alerts)
    expect(rows.map(({ sent_at }) => sent_at)).toEqual(Array.from({ length: 5 }, () => alerting.now()))
  })

  test('and refuses the summary has got nothing of it, which the fallback channel is sent as it is', async () => {
    const hook = await addChannel('webhook', { name: 'Hook' })
    const backup = await addChannel('teams', { fallback: true })
    fail()
    for (const title of ['A certificate ends', 'A second certificate ends']) await write(title, [hook])
    await run()
    alerting.advanceMs(11 * 60_000)
    slack.usual = { status: 202 }
    slack.next = [{ status: 410 }]
    await run()
    const rows = await db.select().from(alerts).orderBy(asc(alerts.id))
    expect(rows.map((row) => [row.channel_id, row.sent_at === null, row.error?.slice(0, 30)])).toEqual([
      ...Array.from({ length: 3 }, () => [hook, true, 'The webhook refuses the messag']),
      [backup, false, undefined],
    ])
    expect(rows.at(-1)?.content).toMatchObject({
      title: '2 alerts while Hook could not be reached',
      lines: expect.arrayContaining(['A certificate ends', 'A second certificate ends']),
    })
  })

  test('never loses or repeats a mail to a user about an account', async () => {
    alerting.mail.refusals.push({ responseCode: 451, message: 'later' })
    for (const title of ['a', 'b'])
      await db.insert(alerts).values({
        channel: 'mail',
        recipient: 'u@agency.test',
        content: { title, lines: [] },
        created_at: alerting.now(),
      })
    await run()
    alerting.advanceMs(3_600_000)
    await run()
    expect(alerting.mail.mails.map(({ headers }) => headers.get('subject'))).toEqual(['a', 'b'])
  })

  test('with too many messages is none that is down', async () => {
    const hook = await addChannel('webhook')
    for (let n = 0; n < 25; n++) await write(`${n}`, [hook])
    slack.usual = { status: 202 }
    slack.next = [{ status: 429, headers: { 'retry-after': '1' } }]
    await run()
    const [state] = await db.select().from(alertChannelStates)
    expect(state ?? null).toBeNull()
    slack.posted = []
    await run()
    expect(titlesTo('webhook')).toHaveLength(25)
  })
})

describe('what a channel refuses for good', () => {
  test('goes to the fallback channel with the reason, and marks the channel until it accepts something', async () => {
    const teams = await addChannel('teams', { name: 'On call' })
    await addChannel('webhook', { fallback: true, name: 'Backup' })
    slack.usual = { status: 202 }
    slack.next = [{ status: 404, body: '{"error":{"code":"WorkflowNotFound","message":"It is gone"}}' }]
    await write('a.test is down', [teams])
    await run()
    const data = posted('webhook')[0]?.body.data as { title: string; text: string[] }
    expect(data.title).toBe('a.test is down')
    expect(data.text).toEqual([
      expect.stringMatching(/^On call did not accept this message: Teams .*404: It is gone/),
    ])
    const state = async () =>
      (await db.select().from(alertChannelStates).where(eq(alertChannelStates.channel_id, teams)))[0]
    expect(await state()).toMatchObject({
      refusing_since: alerting.now(),
      error: expect.stringMatching(/It is gone/),
    })
    await write('b.test is down', [teams])
    await run()
    expect(await state()).toMatchObject({ refusing_since: null, error: null })
  })

  test('and the fallback channel, too, goes nowhere else', async () => {
    const teams = await addChannel('teams')
    await addChannel('webhook', { fallback: true })
    slack.usual = { status: 410 }
    await write('a.test is down', [teams])
    await run()
    expect(slack.posted).toHaveLength(2)
    expect(await waiting()).toEqual([])
  })

  test('goes to the fallback channel once, also if it has got the message itself or several mailboxes refuse it', async () => {
    const backup = await addChannel('webhook', { fallback: true, name: 'Backup' })
    recover()
    const mails = ['gone@agency.test', 'lost@agency.test']
    const refuse = () =>
      alerting.mail.refusals.push(...mails.map(() => ({ responseCode: 550, message: 'no such user' })))
    const message = (title: string, to: readonly number[]) =>
      writeAlerts(
        db,
        [{ content: { title, lines: [] }, channels: [], to, mails, isRoutedOnly: true, incidents: [] }],
        tools,
        alerting.now(),
      )
    refuse()
    await message('a.test is down', [backup])
    await run()
    alerting.advanceMs(60_000)
    refuse()
    await message('b.test is down', [])
    await run()
    expect(titlesTo('webhook')).toEqual(['a.test is down', 'b.test is down'])
  })

  test('by a mailbox that gets alerts no more does not mark E-mail for good', async () => {
    const mail = await addChannel('mail', { origin: 'configuration' })
    const state = async () =>
      (await db.select().from(alertChannelStates).where(eq(alertChannelStates.channel_id, mail)))[0]
    const [user] = await db
      .insert(users)
      .values({ email: 'Gone@agency.test', name: 'Gone', password_hash: '' })
      .returning()
    await db.insert(rotas).values({
      name: 'Night',
      user_ids: [user?.id ?? 0],
      handover: 'daily',
      time: '09:00',
      first_day: '2026-11-16',
    })
    alerting.mail.refusals.push({ responseCode: 550, message: 'no such user' })
    await alerting.addAlert('mail', { recipient: 'gone@agency.test' })
    await db.update(alerts).set({ incidents: [] })
    await run()
    expect(await endFormerRefusals(context, tools)).toBeNull()
    expect(await state()).toMatchObject({ refused_recipient: 'gone@agency.test' })
    await db.update(users).set({ deleted_at: alerting.now() })
    expect(await endFormerRefusals(context, tools)).toEqual({ ended: 1 })
    expect(await state()).toMatchObject({ refusing_since: null, refused_recipient: null, error: null })
  })

  test('by a former mailbox does not end one that is stored at that moment', async () => {
    await addChannel('mail', { origin: 'configuration' })
    alerting.mail.refusals.push({ responseCode: 550, message: 'no such user' })
    await alerting.addAlert('mail', { recipient: 'gone@agency.test' })
    await db.update(alerts).set({ incidents: [] })
    await run()
    const stored = { refusing_since: new Date('2026-11-16T12:00:00Z'), refused_recipient: 'new@agency.test' }
    const ending = await db.transaction(async (tx) => {
      await tx.update(alertChannelStates).set(stored)
      const [session] = (await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows
      const promise = endFormerRefusals(context, { mailTo: [] })
      const waiting = sql`select from pg_locks where not granted and ${session?.pid} = any(pg_blocking_pids(pid))`
      await expect.poll(async () => (await db.execute(waiting)).rowCount).toBe(1)
      return { promise }
    })
    expect(await ending.promise).toBeNull()
    expect(await db.select().from(alertChannelStates)).toMatchObject([stored])
  })

  test('by one mailbox marks E-mail until that one accepts something, and then by another one that has refused meanwhile', async () => {
    const mail = await addChannel('mail', { origin: 'configuration' })
    const write = async (recipient: string, isRefused: boolean) => {
      alerting.advanceMs(60_000)
      if (isRefused) alerting.mail.refusals.push({ responseCode: 550, message: `no ${recipient}` })
      const id = await alerting.addAlert('mail', { recipient })
      await db.update(alerts).set({ incidents: [] }).where(eq(alerts.id, id))
      await run()
      const [state] = await db
        .select()
        .from(alertChannelStates)
        .where(eq(alertChannelStates.channel_id, mail))
      return state
    }
    const [first, second, third] = ['a@agency.test', 'b@agency.test', 'c@agency.test'] as const
    const begin = (await write(first, true))?.refusing_since
    for (const [recipient, isRefused] of [
      [second, true],
      [third, true],
      [third, false],
    ] as const)
      expect(await write(recipient, isRefused)).toMatchObject({
        refusing_since: begin,
        refused_recipient: first,
        error: expect.stringContaining('no a@agency.test'),
      })
    expect(await write(first, false)).toMatchObject({
      refusing_since: expect.any(Date),
      refused_recipient: second,
      error: expect.stringContaining('no b@agency.test'),
    })
    await write(first, true)
    expect(await endFormerRefusals(context, { mailTo: [first] })).toEqual({ ended: 1 })
    expect(await write(third, false)).toMatchObject({ refused_recipient: first })
    expect(await write('A@agency.test', false)).toMatchObject({
      refusing_since: null,
      refused_recipient: null,
    })
  })

  test('because it was deleted goes to the fallback channel as well', async () => {
    const teams = await addChannel('teams')
    await addChannel('webhook', { fallback: true })
    recover()
    await write('a.test is down', [teams])
    await db.delete(alertChannels).where(eq(alertChannels.id, teams))
    await run()
    expect(titlesTo('webhook')).toEqual(['a.test is down'])
  })
})

test('a change of a channel does not end what is just being sent to it', async () => {
  const id = await addChannel('webhook')
  const [row] = await db.select().from(alertChannels).where(eq(alertChannels.id, id))
  if (!row) throw new Error('The channel was not stored')
  recover()
  slack.next = ['hang']
  const send = async (version: typeof row, title: string) => {
    const channel = await tools.stored.open(version)
    if (channel.kind !== 'messages') throw new Error('A webhook takes messages')
    await channel.send({ id: title, title, lines: [] })
  }
  const first = send(row, 'first').catch((error: unknown) => error)
  await expect.poll(() => posted('webhook')).toHaveLength(1)
  await send({ ...row, updated_at: new Date(row.updated_at.getTime() + 1) }, 'second')
  // As if nothing had been changed.
  expect(await first).toMatchObject({
    name: 'DeliveryError',
    message: 'The webhook did not respond within 5 s.',
  })
})

test('the sweeper enqueues the first alert of each stream', async () => {
  const [hook, teams] = [await addChannel('webhook'), await addChannel('teams')]
  for (let n = 0; n < 3; n++) await write(`${n}`, [hook, teams])
  expect(await sweepAlerts(context, tools)).toEqual({ enqueued: 2 })
})
