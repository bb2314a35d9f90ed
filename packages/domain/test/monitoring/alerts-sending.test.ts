import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type QueueWorkers, startQueueWorkers } from '@kustos/clients/queue'
import { openSlack } from '@kustos/clients/slack'
import { alerts } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  enqueueAlerts,
  openAlertSender,
  purgeAlerts,
  sendAlertJob,
  sweepAlerts,
} from '../../src/monitoring/alerts/index.ts'
import { createJobHandler, createQueueWork } from '../../src/platform/jobs.ts'
import { openAlerting, slackTakes } from './alerting.ts'
import { numbers } from './news.ts'

const database = await testDatabase()
const { db } = database
const { tools, context, errors, slack, slackUrl, telegram, mail, now, pass, reset, write, read } =
  await openAlerting(database, { timeoutMs: 1_500 })

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
  test('is sent once and never again after success', async () => {
    const id = await write('slack')
    expect(await sendNow(id)).toBe('over')
    expect(await read(id)).toMatchObject({ sent_at: now(), failed_at: null, attempts: 1, error: null })
    expect(await sendNow(id)).toBe('over')
    expect(await openAlertSender(tools)(context, id, never)).toBe('over')
    expect(slack.posted).toHaveLength(1)
  })

  test('is retried with growing delays until its channel works', async () => {
    const id = await write('slack')
    slack.usual = { status: 503 }
    const waits = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const run = await sendNow(id)
      if (run === 'over' || !('retryInMs' in run))
        throw new Error(`It came to an end: ${JSON.stringify(run)}`)
      waits.push(run.retryInMs / second)
      pass(run.retryInMs)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
    expect(await read(id)).toMatchObject({
      sent_at: null,
      failed_at: null,
      attempts: 8,
      error: 'Slack reported a server error (503).',
    })
    slack.usual = slackTakes
    expect(await sendNow(id)).toBe('over')
    expect(await read(id)).toMatchObject({ sent_at: now(), attempts: 9, error: null })
  })

  test('is retried when its channel asks for it', async () => {
    const id = await write('slack')
    slack.next = [
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 429, headers: { 'retry-after': '999999' } },
    ]
    expect(await sendNow(id)).toEqual({ retryInMs: 3 * second })
    expect(await sendNow(id)).toEqual({ retryInMs: hour })
  })

  test('is given up after a day, with a last attempt', async () => {
    const id = await write('slack')
    slack.usual = { status: 503 }
    pass(24 * hour - 10 * second)
    expect(await sendNow(id)).toEqual({ retryInMs: 10 * second })
    pass(10 * second)
    expect(await sendNow(id)).toEqual({ failed: 'Slack reported a server error (503).' })
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

  test('for a channel that is no longer configured is given up', async () => {
    const id = await write('telegram')
    const without = openAlertSender({ ...tools, channels: { ...tools.channels, telegram: null } })
    expect(await without(context, id, never)).toEqual({ failed: expect.stringMatching(/not configured/) })
  })

  test('that is being sent when the worker stops is handed back without counting an attempt', async () => {
    const id = await write('slack')
    slack.next = ['hang']
    const stop = new AbortController()
    const sending = sender(context, id, stop.signal)
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1))
    stop.abort()
    expect(await sending).toEqual({ retryInMs: 0 })
    expect(await read(id)).toMatchObject({ attempts: 0, sent_at: null, error: null })
    expect(await sendNow(id)).toBe('over')
  })
})

describe('two workers', () => {
  test('never both send one alert', async () => {
    const id = await write('slack')
    slack.next = ['hang']
    const first = sendNow(id)
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1))
    expect(await openAlertSender(tools)(context, id, never)).toEqual({ retryInMs: expect.any(Number) })
    expect(slack.posted).toHaveLength(1)
    expect(await first).toEqual({ retryInMs: 30 * second })
  })

  test('continue within seconds when one of them is killed while sending', async () => {
    const id = await write('slack')
    slack.next = ['hang']
    const script = fileURLToPath(new URL('alert-sender.ts', import.meta.url))
    const child = spawn(process.execPath, [script, database.url, slackUrl, String(id)], { stdio: 'inherit' })
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1), 10_000)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    // The lease of the killed worker has to expire first.
    await vi.waitFor(async () => expect(await sendNow(id)).toBe('over'), { timeout: 12_000, interval: 200 })
    expect(slack.posted).toHaveLength(2)
    expect(await read(id)).toMatchObject({ attempts: 1, sent_at: now() })
  })

  test('send nothing twice when the database goes down during a delivery', async () => {
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
      where datname = current_database() and pid <> pg_backend_pid()`)
    letGo()
    expect(await sending).toBe('over')
    expect(await read(id)).toMatchObject({ attempts: 1, sent_at: now() })
    expect(await sendNow(id)).toBe('over')
    expect(slack.posted).toHaveLength(1)
  })
})

describe('alerts to one channel and recipient', () => {
  test('are sent in order, so that no "down" follows an "up again"', async () => {
    const down = await write('slack', { title: 'a.test is down: 503' })
    const up = await write('slack', { title: 'a.test is up again after 5 min' })
    slack.next = [{ status: 503 }]
    expect(await sendNow(up)).toEqual({ retryInMs: expect.any(Number) })
    expect(await sendNow(down)).toEqual({ retryInMs: 30 * second })
    expect(await sendNow(up)).toEqual({ retryInMs: minute })
    expect(await sendNow(down)).toBe('over')
    expect(await sendNow(up)).toBe('over')
    expect(texts().slice(1)).toEqual(['a.test is down: 503', 'a.test is up again after 5 min'])
  })

  test('do not wait for other recipients', async () => {
    await write('slack')
    await write('mail', { recipient: 'slow@agency.test' })
    const others = [await write('mail', { recipient: 'oncall@agency.test' }), await write('telegram')]
    for (const id of others) expect(await sendNow(id)).toBe('over')
    expect(mail.mails.map(({ to }) => to)).toEqual([['oncall@agency.test']])
    expect(telegram.posted).toHaveLength(1)
  })

  test('continue after one is given up', async () => {
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
    const jobs = [createJobHandler(sendAlertJob, ({ alert }, signal) => send(context, alert, signal))]
    const workers = await startQueueWorkers(settings, [createQueueWork('notification', 6, jobs)])
    onTestFinished(() => workers.stop())
    return workers
  }

  test('sends many alerts one by one, honouring Retry-After', async () => {
    const ids: number[] = []
    for (const number of numbers(8)) ids.push(await write('slack', { title: `${number}` }))
    slack.next = [slackTakes, slackTakes, { status: 429, headers: { 'retry-after': '1' } }]
    await work()
    await enqueueAlerts(tools, ids)
    await vi.waitFor(() => expect(slack.posted).toHaveLength(9), { timeout: 15_000, interval: 50 })
    expect(texts()).toEqual(['1', '2', '3', ...numbers(6, 3).map(String)])
    await vi.waitFor(async () =>
      expect(await read(ids[7] ?? 0)).toMatchObject({ attempts: 1, sent_at: now() }),
    )
  })

  test('does not let a channel that hangs delay the others', async () => {
    slack.usual = 'hang'
    const patient = openSlack({ url: slackUrl, timeoutMs: 20_000 })
    onTestFinished(() => patient.close())
    const ids: number[] = []
    for (const number of numbers(20)) ids.push(await write('slack', { title: `${number}` }))
    ids.push(await write('mail'), await write('telegram'))
    await work(openAlertSender({ ...tools, channels: { ...tools.channels, slack: patient } }))
    await enqueueAlerts(tools, ids)
    await vi.waitFor(() => {
      expect(mail.mails).toHaveLength(1)
      expect(telegram.posted).toHaveLength(1)
      expect(slack.posted).toHaveLength(1)
    }, 10_000)
  })

  test('finds and sends alerts that have no job', async () => {
    const ids = [await write('slack'), await write('telegram')]
    expect(await sweepAlerts(context, tools)).toEqual({ handedOver: 2 })
    expect(await sweepAlerts(context, tools)).toBeNull()
    await work()
    for (const id of ids) await vi.waitFor(async () => expect((await read(id)).sent_at).not.toBeNull(), 5_000)
    expect(await sweepAlerts(context, tools)).toBeNull()
  })
})

test('logs a failed enqueue and leaves it to the sweeper', async () => {
  const id = await write('slack')
  const broken = { ...tools.queues, addAll: async () => Promise.reject(new Error('Redis is away')) }
  await enqueueAlerts({ ...tools, queues: broken }, [id])
  expect(errors.map(({ message }) => message)).toEqual(['Redis is away'])
})

test('removes sent alerts after 90 days and keeps pending ones', async () => {
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
