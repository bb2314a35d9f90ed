import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type QueueWorkers, startQueueWorkers } from '@kustos/clients/queue'
import { openSlack } from '@kustos/clients/slack'
import { alerts } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { handle, workOf } from '../../src/jobs.ts'
import {
  handOverAlerts,
  openAlertSender,
  purgeAlerts,
  sendAlertJob,
  sweepAlerts,
} from '../../src/monitoring/alerts/index.ts'
import { openAlerting, slackTakes } from './alerting.ts'
import { numbers } from './news.ts'

const database = await testDatabase()
const { db } = database
const { tools, context, errors, slack, slackUrl, telegram, mail, now, pass, reset, write, read } =
  await openAlerting(database, { timeout: 1_500 })

const sender = openAlertSender(tools)
const never = new AbortController().signal
const sendNow = (id: number) => sender(context, id, never)

beforeEach(async () => {
  reset()
  await db.delete(alerts)
})

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const texts = () => slack.posted.map(({ body }) => String(body.text).split('\n')[0])

describe('an alert', () => {
  test('is sent once, and never again once that is noted', async () => {
    const id = await write('slack')
    expect(await sendNow(id)).toBe('over')
    expect(await read(id)).toMatchObject({ sent_at: now(), failed_at: null, attempts: 1, error: null })
    expect(await sendNow(id)).toBe('over')
    expect(await openAlertSender(tools)(context, id, never)).toBe('over')
    expect(slack.posted).toHaveLength(1)
  })

  test('whose channel is dead is tried again, ever more rarely, until the channel lives', async () => {
    const id = await write('slack')
    slack.usual = { status: 503 }
    const waits = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const run = await sendNow(id)
      if (run === 'over' || !('again' in run)) throw new Error(`It came to an end: ${JSON.stringify(run)}`)
      waits.push(run.again / second)
      pass(run.again)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
    expect(await read(id)).toMatchObject({
      sent_at: null,
      failed_at: null,
      attempts: 8,
      error: 'Slack is out of order (503).',
    })
    slack.usual = slackTakes
    expect(await sendNow(id)).toBe('over')
    expect(await read(id)).toMatchObject({ sent_at: now(), attempts: 9, error: null })
  })

  test('comes again when its channel says so', async () => {
    const id = await write('slack')
    slack.next = [
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 429, headers: { 'retry-after': '999999' } },
    ]
    expect(await sendNow(id)).toEqual({ again: 3 * second })
    expect(await sendNow(id)).toEqual({ again: hour })
  })

  test('is given up after a day, with a last attempt at its end', async () => {
    const id = await write('slack')
    slack.usual = { status: 503 }
    pass(24 * hour - 10 * second)
    expect(await sendNow(id)).toEqual({ again: 10 * second })
    pass(10 * second)
    expect(await sendNow(id)).toEqual({ failed: 'Slack is out of order (503).' })
    expect(await read(id)).toMatchObject({ sent_at: null, failed_at: now(), attempts: 2 })
    expect(await sendNow(id)).toBe('over')
    expect(slack.posted).toHaveLength(2)
  })

  test.each([
    [
      'is refused for good',
      'slack',
      () => Object.assign(slack, { usual: { status: 404, body: 'no_service' } }),
      /no_service/,
    ],
    [
      'has a letter box that is gone',
      'mail',
      () => mail.refusals.push({ responseCode: 550, message: 'no such user' }),
      /550 no such user/,
    ],
  ] as const)('that %s is given up at once', async (_, channel, refuse, sentence) => {
    refuse()
    const id = await write(channel)
    expect(await sendNow(id)).toEqual({ failed: expect.stringMatching(sentence) })
    expect(await read(id)).toMatchObject({
      sent_at: null,
      failed_at: now(),
      error: expect.stringMatching(sentence),
    })
  })

  test('for a channel that is not configured any more is given up', async () => {
    const id = await write('telegram')
    const without = openAlertSender({ ...tools, channels: { ...tools.channels, telegram: null } })
    expect(await without(context, id, never)).toEqual({ failed: expect.stringMatching(/not configured/) })
  })

  test('that is on its way when the worker stops is handed back, and counts no attempt', async () => {
    const id = await write('slack')
    slack.next = ['hang']
    const stop = new AbortController()
    const sending = sender(context, id, stop.signal)
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1))
    stop.abort()
    expect(await sending).toEqual({ again: 0 })
    expect(await read(id)).toMatchObject({ attempts: 0, sent_at: null, error: null })
    expect(await sendNow(id)).toBe('over')
  })
})

describe('two workers', () => {
  test('never send one message both', async () => {
    const id = await write('slack')
    slack.next = ['hang']
    const first = sendNow(id)
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1))
    expect(await openAlertSender(tools)(context, id, never)).toEqual({ again: expect.any(Number) })
    expect(slack.posted).toHaveLength(1)
    expect(await first).toEqual({ again: 30 * second })
  })

  test('go on at once where one of them is killed amid a message', async () => {
    const id = await write('slack')
    slack.next = ['hang']
    const script = fileURLToPath(new URL('alert-sender.ts', import.meta.url))
    const child = spawn(process.execPath, [script, database.url, slackUrl, String(id)], { stdio: 'inherit' })
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1), 10_000)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    // Postgres has to see the connection's end first.
    await vi.waitFor(async () => expect(await sendNow(id)).toBe('over'), 5_000)
    expect(slack.posted).toHaveLength(2)
    expect(await read(id)).toMatchObject({ attempts: 1, sent_at: now() })
  })

  test('send nothing twice where the database goes away amid a message that is taken', async () => {
    const id = await write('slack')
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const slow = {
      ...tools.channels.slack,
      close: async () => undefined,
      send: async (...given: Parameters<NonNullable<typeof tools.channels.slack>['send']>) => {
        await tools.channels.slack?.send(...given)
        await held
      },
    }
    const sending = openAlertSender({ ...tools, channels: { ...tools.channels, slack: slow } })(
      context,
      id,
      never,
    )
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1))
    await database.owner.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`)
    letGo()
    expect(await sending).toBe('over')
    expect(await read(id)).toMatchObject({ attempts: 1, sent_at: now() })
    expect(await sendNow(id)).toBe('over')
    expect(slack.posted).toHaveLength(1)
  })
})

describe('the messages of one channel and recipient', () => {
  test('go in their order: no web is down after it was up again', async () => {
    const down = await write('slack', { title: 'a.test is down: 503' })
    const up = await write('slack', { title: 'a.test is up again after 5 min' })
    slack.next = [{ status: 503 }]
    expect(await sendNow(up)).toEqual({ again: expect.any(Number) })
    expect(await sendNow(down)).toEqual({ again: 30 * second })
    expect(await sendNow(up)).toEqual({ again: minute })
    expect(await sendNow(down)).toBe('over')
    expect(await sendNow(up)).toBe('over')
    expect(texts().slice(1)).toEqual(['a.test is down: 503', 'a.test is up again after 5 min'])
  })

  test('wait for no one else', async () => {
    await write('slack')
    await write('mail', { recipient: 'slow@agency.test' })
    const others = [await write('mail', { recipient: 'oncall@agency.test' }), await write('telegram')]
    for (const id of others) expect(await sendNow(id)).toBe('over')
    expect(mail.mails.map(({ to }) => to)).toEqual([['oncall@agency.test']])
    expect(telegram.posted).toHaveLength(1)
  })

  test('go on where one of them is given up', async () => {
    const refused = await write('slack')
    const next = await write('slack')
    slack.next = [{ status: 400, body: 'invalid_payload' }]
    expect(await sendNow(refused)).toEqual({ failed: expect.any(String) })
    expect(await sendNow(next)).toBe('over')
  })
})

describe('with workers', () => {
  async function work(send = sender): Promise<QueueWorkers> {
    const settings = { databaseUrl: database.url, onError: tools.onError }
    const jobs = [handle(sendAlertJob, ({ alert }, signal) => send(context, alert, signal))]
    const workers = await startQueueWorkers(settings, [workOf('notification', 6, jobs)])
    onTestFinished(() => workers.stop())
    return workers
  }

  test('many messages arrive one after the other, across a wish to come more slowly', async () => {
    const ids: number[] = []
    for (const number of numbers(8)) ids.push(await write('slack', { title: `${number}` }))
    slack.next = [slackTakes, slackTakes, { status: 429, headers: { 'retry-after': '1' } }]
    await work()
    await handOverAlerts(tools, ids)
    await vi.waitFor(() => expect(slack.posted).toHaveLength(9), { timeout: 15_000, interval: 50 })
    expect(texts()).toEqual(['1', '2', '3', ...numbers(6, 3).map(String)])
    await vi.waitFor(async () =>
      expect(await read(ids[7] ?? 0)).toMatchObject({ attempts: 1, sent_at: now() }),
    )
  })

  test('a channel that never answers does not hold up the others', async () => {
    slack.usual = 'hang'
    const patient = openSlack({ url: slackUrl, timeout: 20_000 })
    onTestFinished(() => patient.close())
    const ids: number[] = []
    for (const number of numbers(20)) ids.push(await write('slack', { title: `${number}` }))
    ids.push(await write('mail'), await write('telegram'))
    await work(openAlertSender({ ...tools, channels: { ...tools.channels, slack: patient } }))
    await handOverAlerts(tools, ids)
    await vi.waitFor(() => {
      expect(mail.mails).toHaveLength(1)
      expect(telegram.posted).toHaveLength(1)
      expect(slack.posted).toHaveLength(1)
    }, 10_000)
  })

  test('what was never handed over, or was forgotten, is found and sent', async () => {
    const ids = [await write('slack'), await write('telegram')]
    expect(await sweepAlerts(context, tools)).toEqual({ handedOver: 2 })
    expect(await sweepAlerts(context, tools)).toBeNull()
    await work()
    for (const id of ids) await vi.waitFor(async () => expect((await read(id)).sent_at).not.toBeNull(), 5_000)
    expect(await sweepAlerts(context, tools)).toBeNull()
  })
})

test('a failed handing over is told of and left to the sweeper', async () => {
  const id = await write('slack')
  const broken = { ...tools.queues, addAll: async () => Promise.reject(new Error('Redis is away')) }
  await handOverAlerts({ ...tools, queues: broken }, [id])
  expect(errors.map(({ message }) => message)).toEqual(['Redis is away'])
})

test('what was told is removed after 90 days, what is still to be told is not', async () => {
  const [old, waiting] = [await write('slack'), await write('telegram')]
  await sendNow(old)
  pass(89 * 24 * hour)
  expect(await purgeAlerts(context)).toBeNull()
  pass(2 * 24 * hour)
  const fresh = await write('mail')
  expect(await purgeAlerts(context)).toEqual({ alerts: 1 })
  const left = await db.select({ id: alerts.id }).from(alerts).orderBy(alerts.id)
  expect(left.map(({ id }) => id)).toEqual([waiting, fresh])
})
