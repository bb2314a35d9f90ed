import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type QueueWorkers, startQueueWorkers } from '@kustos/clients/queue'
import { openSlack } from '@kustos/clients/slack'
import { alerts } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  enqueueAlerts,
  openAlertSender,
  purgeAlerts,
  sendAlertJob,
  sweepAlerts,
} from '../../src/monitoring/alerts/index.ts'
import { createQueueWork } from '../../src/platform/jobs.ts'
import { openAlerting, slackOk } from './alert-environment.ts'
import { numbers } from './round-news.ts'

const database = await testDatabase()
const { db } = database
const {
  tools,
  context,
  errors,
  slack,
  slackUrl,
  telegram,
  mail,
  now,
  advanceMs,
  reset,
  addAlert,
  readAlert,
} = await openAlerting(database, { timeoutMs: 1_500 })

const sender = openAlertSender(tools)
const noAbort = new AbortController().signal
const sendNow = (id: number) => sender(context, id, noAbort)

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
    const id = await addAlert('slack')
    expect(await sendNow(id)).toBe('done')
    expect(await readAlert(id)).toMatchObject({ sent_at: now(), failed_at: null, attempts: 1, error: null })
    expect(await sendNow(id)).toBe('done')
    expect(await openAlertSender(tools)(context, id, noAbort)).toBe('done')
    expect(slack.posted).toHaveLength(1)
  })

  test('is reported as sent once, with its age', async () => {
    const sent: [channel: string, seconds: number][] = []
    const send = openAlertSender(tools, (...of) => sent.push(of))
    const id = await addAlert('slack')
    slack.next = [{ status: 503 }]
    await send(context, id, noAbort)
    advanceMs(30 * second)
    await send(context, id, noAbort)
    await send(context, id, noAbort)
    expect(sent).toEqual([['slack', 30]])
  })

  test('is retried with growing delays until its channel works', async () => {
    const id = await addAlert('slack')
    slack.usual = { status: 503 }
    const waits = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const run = await sendNow(id)
      if (run === 'done' || !('retryInMs' in run))
        throw new Error(`The alert is not retried: ${JSON.stringify(run)}`)
      waits.push(run.retryInMs / second)
      advanceMs(run.retryInMs)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
    expect(await readAlert(id)).toMatchObject({
      sent_at: null,
      failed_at: null,
      attempts: 8,
      error: 'Slack reported a server error (503).',
    })
    slack.usual = slackOk
    expect(await sendNow(id)).toBe('done')
    expect(await readAlert(id)).toMatchObject({ sent_at: now(), attempts: 9, error: null })
  })

  test('keeps a secret link until it is sent', async () => {
    const id = await addAlert('slack')
    const before = await readAlert(id)
    if (!before) throw new Error('There is no alert')
    const url = 'https://kustos.example/settings#email-change=secret'
    const content = { ...before.content, url, isUrlSecret: true as const }
    await db.update(alerts).set({ content }).where(eq(alerts.id, id))
    slack.next = [{ status: 503 }]
    expect(await sendNow(id)).toEqual({ retryInMs: 30 * second })
    expect((await readAlert(id))?.content.url).toBe(url)
    expect(await sendNow(id)).toBe('done')
    expect(JSON.stringify(slack.posted.at(-1))).toContain(url)
    expect((await readAlert(id))?.content).not.toHaveProperty('url')
  })

  test('is retried after the time that its channel requests', async () => {
    const id = await addAlert('slack')
    slack.next = [
      { status: 429, headers: { 'retry-after': '3' } },
      { status: 429, headers: { 'retry-after': '999999' } },
    ]
    expect(await sendNow(id)).toEqual({ retryInMs: 3 * second })
    expect(await sendNow(id)).toEqual({ retryInMs: hour })
  })

  test('is not repeated without a pause because its channel names a time that has come', async () => {
    const id = await addAlert('slack')
    const past = new Date(Date.now() - hour).toUTCString()
    slack.next = [
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 503, headers: { 'retry-after': past } },
      { status: 503, headers: { 'retry-after': '600' } },
    ]
    expect(await sendNow(id)).toEqual({ retryInMs: second })
    expect(await sendNow(id)).toEqual({ retryInMs: 30 * second })
    expect(await sendNow(id)).toEqual({ retryInMs: minute })
    expect(await sendNow(id)).toEqual({ retryInMs: 10 * minute })
  })

  test('is given up after a day, with a last attempt', async () => {
    const id = await addAlert('slack')
    slack.usual = { status: 503 }
    advanceMs(24 * hour - 10 * second)
    expect(await sendNow(id)).toEqual({ retryInMs: 10 * second })
    advanceMs(10 * second)
    expect(await sendNow(id)).toEqual({ failed: 'Slack reported a server error (503).' })
    expect(await readAlert(id)).toMatchObject({ sent_at: null, failed_at: now(), attempts: 2 })
    expect(await sendNow(id)).toBe('done')
    expect(slack.posted).toHaveLength(2)
  })

  test.each([
    [
      'is refused permanently',
      'slack',
      () => Object.assign(slack, { usual: { status: 404, body: 'no_service' } }),
      /no_service/,
    ],
    [
      'has an unknown recipient',
      'mail',
      () => mail.refusals.push({ responseCode: 550, message: 'no such user' }),
      /550 no such user/,
    ],
  ] as const)('that %s is given up at once', async (_, channel, refuse, sentence) => {
    refuse()
    const id = await addAlert(channel)
    expect(await sendNow(id)).toEqual({ failed: expect.stringMatching(sentence) })
    expect(await readAlert(id)).toMatchObject({
      sent_at: null,
      failed_at: now(),
      error: expect.stringMatching(sentence),
    })
  })

  test('for a channel that is no longer configured is given up', async () => {
    const id = await addAlert('telegram')
    const without = openAlertSender({ ...tools, channels: { ...tools.channels, telegram: null } })
    expect(await without(context, id, noAbort)).toEqual({
      failed: expect.stringMatching(/no longer configured/),
    })
  })

  test('that is being sent when the worker stops is handed back without counting an attempt', async () => {
    const id = await addAlert('slack')
    slack.next = ['hang']
    const stop = new AbortController()
    const sending = sender(context, id, stop.signal)
    await expect.poll(() => slack.posted).toHaveLength(1)
    stop.abort()
    expect(await sending).toEqual({ retryInMs: 0 })
    expect(await readAlert(id)).toMatchObject({ attempts: 0, sent_at: null, error: null })
    expect(await sendNow(id)).toBe('done')
  })
})

describe('two workers', () => {
  test('never both send one alert', async () => {
    const id = await addAlert('slack')
    slack.next = ['hang']
    const first = sendNow(id)
    await expect.poll(() => slack.posted).toHaveLength(1)
    expect(await openAlertSender(tools)(context, id, noAbort)).toEqual({ retryInMs: expect.any(Number) })
    expect(slack.posted).toHaveLength(1)
    expect(await first).toEqual({ retryInMs: 30 * second })
  })

  test('continue within seconds when one of them is killed while sending', async () => {
    const id = await addAlert('slack')
    slack.next = ['hang']
    const script = fileURLToPath(new URL('alert-sender.ts', import.meta.url))
    const child = spawn(process.execPath, [script, database.url, slackUrl, String(id)], { stdio: 'inherit' })
    await vi.waitFor(() => expect(slack.posted).toHaveLength(1), 10_000)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    // The lease of the killed worker has to expire first.
    await vi.waitFor(async () => expect(await sendNow(id)).toBe('done'), { timeout: 30_000, interval: 200 })
    expect(slack.posted).toHaveLength(2)
    expect(await readAlert(id)).toMatchObject({ attempts: 1, sent_at: now() })
  })

  test('send nothing twice when the database goes down during a delivery', async () => {
    const id = await addAlert('slack')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = {
      ...tools.channels.slack,
      close: async () => undefined,
      send: async (...args: Parameters<NonNullable<typeof tools.channels.slack>['send']>) => {
        await tools.channels.slack?.send(...args)
        await released
      },
    }
    const sending = openAlertSender({ ...tools, channels: { ...tools.channels, slack: slow } })(
      context,
      id,
      noAbort,
    )
    await expect.poll(() => slack.posted).toHaveLength(1)
    await database.owner.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    release()
    expect(await sending).toBe('done')
    expect(await readAlert(id)).toMatchObject({ attempts: 1, sent_at: now() })
    expect(await sendNow(id)).toBe('done')
    expect(slack.posted).toHaveLength(1)
  })
})

describe('alerts to one channel and recipient', () => {
  test('are sent in order, so that no "down" follows an "up again"', async () => {
    const down = await addAlert('slack', { title: 'a.test is down: 503' })
    const up = await addAlert('slack', { title: 'a.test is up again after 5 min' })
    slack.next = [{ status: 503 }]
    expect(await sendNow(up)).toEqual({ retryInMs: expect.any(Number) })
    expect(await sendNow(down)).toEqual({ retryInMs: 30 * second })
    expect(await sendNow(up)).toEqual({ retryInMs: minute })
    expect(await sendNow(down)).toBe('done')
    expect(await sendNow(up)).toBe('done')
    expect(texts().slice(1)).toEqual(['a.test is down: 503', 'a.test is up again after 5 min'])
  })

  test('do not wait for other recipients', async () => {
    await addAlert('slack')
    await addAlert('mail', { recipient: 'slow@agency.test' })
    const others = [await addAlert('mail', { recipient: 'oncall@agency.test' }), await addAlert('telegram')]
    for (const id of others) expect(await sendNow(id)).toBe('done')
    expect(mail.mails.map(({ to }) => to)).toEqual([['oncall@agency.test']])
    expect(telegram.posted).toHaveLength(1)
  })

  test('continue after one is given up', async () => {
    const refused = await addAlert('slack')
    const next = await addAlert('slack')
    slack.next = [{ status: 400, body: 'invalid_payload' }]
    expect(await sendNow(refused)).toEqual({ failed: expect.any(String) })
    expect(await sendNow(next)).toBe('done')
  })
})

describe('with workers', () => {
  async function work(send = sender): Promise<QueueWorkers> {
    const settings = { databaseUrl: database.url, onError: tools.onError }
    const alertWork = createQueueWork(sendAlertJob, 6, ({ alert }, signal) => send(context, alert, signal))
    const workers = await startQueueWorkers(settings, [alertWork])
    onTestFinished(() => workers.stop())
    return workers
  }

  test('sends many alerts one by one, honouring Retry-After', async () => {
    const ids: number[] = []
    for (const number of numbers(8)) ids.push(await addAlert('slack', { title: `${number}` }))
    slack.next = [slackOk, slackOk, { status: 429, headers: { 'retry-after': '1' } }]
    await work()
    await enqueueAlerts(tools, ids)
    await vi.waitFor(() => expect(slack.posted).toHaveLength(9), { timeout: 30_000, interval: 50 })
    expect(texts()).toEqual(['1', '2', '3', ...numbers(6, 3).map(String)])
    await expect.poll(() => readAlert(ids[7] ?? 0)).toMatchObject({ attempts: 1, sent_at: now() })
  })

  test('does not let a channel that hangs delay the others', async () => {
    slack.usual = 'hang'
    const patient = openSlack({ url: slackUrl, timeoutMs: 20_000 })
    onTestFinished(() => patient.close())
    const ids: number[] = []
    for (const number of numbers(20)) ids.push(await addAlert('slack', { title: `${number}` }))
    ids.push(await addAlert('mail'), await addAlert('telegram'))
    await work(openAlertSender({ ...tools, channels: { ...tools.channels, slack: patient } }))
    await enqueueAlerts(tools, ids)
    await vi.waitFor(() => {
      expect(mail.mails).toHaveLength(1)
      expect(telegram.posted).toHaveLength(1)
      expect(slack.posted).toHaveLength(1)
    }, 10_000)
  })

  test('finds and sends alerts that have no job', async () => {
    const ids = [await addAlert('slack'), await addAlert('telegram')]
    expect(await sweepAlerts(context, tools)).toEqual({ enqueued: 2 })
    expect(await sweepAlerts(context, tools)).toBeNull()
    await work()
    for (const id of ids) await expect.poll(async () => (await readAlert(id)).sent_at).not.toBeNull()
    expect(await sweepAlerts(context, tools)).toBeNull()
  })
})

test('logs a failed enqueue and leaves it to the sweeper', async () => {
  const id = await addAlert('slack')
  const broken = { ...tools.queues, addAll: async () => Promise.reject(new Error('Redis is down')) }
  await enqueueAlerts({ ...tools, queues: broken }, [id])
  expect(errors.map(({ message }) => message)).toEqual(['Redis is down'])
})

test('removes sent alerts after 90 days and keeps pending ones', async () => {
  const [old, waiting] = [await addAlert('slack'), await addAlert('telegram')]
  await sendNow(old)
  advanceMs(89 * 24 * hour)
  expect(await purgeAlerts(context)).toBeNull()
  advanceMs(2 * 24 * hour)
  const fresh = await addAlert('mail')
  expect(await purgeAlerts(context)).toEqual({ alerts: 1 })
  const left = await db.select({ id: alerts.id }).from(alerts).orderBy(alerts.id)
  expect(left.map(({ id }) => id)).toEqual([waiting, fresh])
})

test('removes messages that were given up like those that were sent', async () => {
  const [refused, waiting] = [await addAlert('slack'), await addAlert('telegram')]
  slack.usual = { status: 404, body: 'no_service' }
  await sendNow(refused)
  expect(await readAlert(refused)).toMatchObject({ sent_at: null, failed_at: expect.any(Date) })
  advanceMs(91 * 24 * hour)
  expect(await purgeAlerts(context)).toEqual({ alerts: 1 })
  expect(await db.select({ id: alerts.id }).from(alerts)).toEqual([{ id: waiting }])
})
