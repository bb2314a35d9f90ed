import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChatChannel, Message as OutgoingMessage } from '@kustos/clients/delivery'
import { openDiscord } from '@kustos/clients/discord'
import { openPagerDuty } from '@kustos/clients/pagerduty'
import { openTeams } from '@kustos/clients/teams'
import { checkDelivery } from '@kustos/clients/testing/delivery'
import { openWebhook } from '@kustos/clients/webhook'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Message, startMessages } from '../src/messages/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-channels-'))
const messages = await startMessages(folder)
afterAll(async () => {
  await messages.stop()
  await rm(folder, { recursive: true, force: true })
})

const buildUrl = (path: string) => new URL(path, messages.url.replace('localhost', '127.0.0.1'))
const list = async () =>
  ((await (await fetch(buildUrl('/messages.json'))).json()) as { data: Message[] }).data.toReversed()
const setHealth = (channel: string, body: object) =>
  fetch(buildUrl(`/health/${channel}`), { method: 'PUT', body: JSON.stringify(body) })
beforeEach(async () => {
  await fetch(buildUrl('/messages'), { method: 'DELETE' })
})

const guard = { connectTo: messages.connectTo }
const { teams, discord, webhook, pagerduty } = messages.channels
const secrets = [teams.url, discord.url, webhook.url, webhook.key, pagerduty.key]

let lastId = 0
const open = {
  teams: (url = teams.url) => openTeams({ url, guard }),
  discord: (url = discord.url) => openDiscord({ url, guard }),
  webhook: (key = webhook.key) => openWebhook({ url: webhook.url, key, guard }),
}

describe.each(['teams', 'discord', 'webhook'] as const)('%s', (kind) => {
  checkDelivery(() => ({
    open() {
      const channel: ChatChannel = open[kind]()
      return {
        send: (message: OutgoingMessage, signal?: AbortSignal) =>
          channel.send({ ...message, id: `${++lastId}` }, signal),
        close: channel.close,
      }
    },
    texts: async () => (await list()).map(({ subject, text }) => `${subject}\n${text}`),
    setHealth: (isHealthy) => setHealth(kind, { answer: isHealthy ? 'ok' : 503 }),
    secrets,
  }))

  test('waits as long as the service asks for', async () => {
    await setHealth(kind, { answer: 429, times: 1, retry_after: 7 })
    const channel = openForTest(open[kind]())
    await expect(channel.send(message())).rejects.toMatchObject({
      isRateLimited: true,
      isPermanent: false,
      retryAfterMs: 7_000,
    })
    await channel.send(message())
    expect(await list()).toHaveLength(1)
  })

  test('retries when the connection breaks', async () => {
    await setHealth(kind, { answer: 'down', times: 1 })
    await expect(openForTest(open[kind]()).send(message())).rejects.toMatchObject({ isPermanent: false })
  })
})

const message = () => ({ id: `${++lastId}`, title: 'a.test is down', lines: ['Reason: 503'] })

function openForTest<Channel extends { close(): Promise<void> }>(channel: Channel): Channel {
  onTestFinished(() => channel.close())
  return channel
}

describe('a wrong address or key', () => {
  test.each([
    [
      'a deleted workflow',
      () => open.teams(teams.url.replace(/workflows\/\w+/, 'workflows/gone')),
      /404.*could not be found/,
    ],
    [
      'a deleted webhook of Discord',
      () => open.discord(discord.url.replace(/\d{19}/, '1')),
      /404: Unknown Webhook/,
    ],
    ['a wrong token of Discord', () => open.discord(`${discord.url}x`), /401: Invalid Webhook Token/],
  ])('of %s is refused for good', async (_, start, words) => {
    const error = await openForTest(start())
      .send(message())
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ isPermanent: true, message: expect.stringMatching(words) })
    for (const secret of secrets) expect(String(error)).not.toContain(secret)
  })

  test.each([
    ['an expired signature of a workflow', () => open.teams(teams.url.replace(/sig=.*/, 'sig=x')), /401/],
    ['another key of a webhook', () => open.webhook(`whsec_${'A'.repeat(32)}`), /401/],
  ])('of %s can be corrected', async (_, start, words) => {
    const error = await openForTest(start())
      .send(message())
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ isPermanent: false, message: expect.stringMatching(words) })
  })
})

test('a webhook that comes twice is recognized by its id', async () => {
  const channel = openForTest(open.webhook())
  const same = message()
  await channel.send(same)
  await channel.send(same)
  expect(await list()).toHaveLength(1)
})

test('Discord accepts five messages in two seconds', async () => {
  const channel = openForTest(open.discord())
  const outcomes: unknown[] = []
  for (let sent = 0; sent < 7; sent++)
    outcomes.push(
      await channel.send(message()).then(
        () => 'sent',
        (reason: unknown) => reason,
      ),
    )
  const limited = outcomes.filter((outcome) => outcome !== 'sent')
  expect(limited.length).toBeGreaterThan(0)
  for (const error of limited)
    expect(error).toMatchObject({ isRateLimited: true, retryAfterMs: expect.any(Number) })
})

test('long messages keep within the limits of each service', async () => {
  const long = {
    ...message(),
    title: '*'.repeat(400),
    lines: Array.from({ length: 400 }, (_, i) => `_${i}_${'x'.repeat(90)}`),
  }
  await openForTest(open.teams()).send(long)
  expect((await list()).map(({ channel }) => channel)).toEqual(['teams'])
  // The messages before may have used up what Discord accepts.
  await expect
    .poll(
      () =>
        openForTest(open.discord())
          .send({ ...long })
          .then(() => 'sent', String),
      { timeout: 4_000, interval: 400 },
    )
    .toBe('sent')
})

describe('PagerDuty', () => {
  const api = (key = pagerduty.key) =>
    openForTest(openPagerDuty({ url: messages.pagerDuty.PAGERDUTY_URL, key }))
  const trigger = {
    summary: `a.test is down: ${'x'.repeat(2_000)}`,
    source: 'a.test',
    severity: 'critical',
    at: new Date(),
    component: 'node7',
    url: 'https://kustos.test/monitoring/incidents/1',
  } as const

  test('opens, acknowledges and resolves an alert by its key, each once', async () => {
    const open = api()
    await open.trigger('incident-1', trigger)
    await open.trigger('incident-1', trigger)
    await open.acknowledge('incident-1')
    await open.resolve('incident-1')
    await open.resolve('incident-1')
    expect((await list()).map(({ recipient, subject }) => `${recipient} ${subject}`)).toEqual([
      'incident-1 trigger',
      'incident-1 acknowledge',
      'incident-1 resolve',
    ])
  })

  test('refuses a wrong key for good, and is retried when it has too many events or fails', async () => {
    const wrong = 'f'.repeat(32)
    const error = await api(wrong)
      .trigger('x', trigger)
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ isPermanent: true, message: expect.stringMatching(/Invalid routing key/) })
    expect(String(error)).not.toContain(wrong)
    await setHealth('pagerduty', { answer: 429, times: 1, retry_after: 60 })
    await expect(api().resolve('x')).rejects.toMatchObject({ isRateLimited: true, retryAfterMs: 60_000 })
    await setHealth('pagerduty', { answer: 500, times: 1 })
    await expect(api().resolve('x')).rejects.toMatchObject({ isPermanent: false })
  })
})

test('no channel posts to a private address', async () => {
  const private_ = openForTest(openWebhook({ url: 'http://127.0.0.1:9/hook', key: webhook.key, guard: {} }))
  await expect(private_.send(message())).rejects.toThrow(/private/)
})
