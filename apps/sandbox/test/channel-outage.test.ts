import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openQueues } from '@kustos/clients/queue'
import { queues } from '@kustos/contract/queue'
import { alerts, incidents, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { createAlertChannel } from '@kustos/domain/alert-channels'
import {
  type DeliveryTools,
  openAlertChannels,
  openAlertSender,
  writeAlerts,
} from '@kustos/domain/monitoring/alerts'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { createContext } from '@kustos/domain/platform/context'
import { createSecretBox } from '@kustos/domain/platform/secret-box'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { type Message, startMessages } from '../src/messages/index.ts'

/** Of each channel. `KUSTOS_OUTAGE_ALERTS=10000` repeats the measurement of docs/benchmarks.md. */
const missed = Number(process.env.KUSTOS_OUTAGE_ALERTS ?? 120)
const webCount = 30
const key = Buffer.alloc(32, 7).toString('base64')

const folder = await mkdtemp(join(tmpdir(), 'kustos-outage-'))
const messages = await startMessages(folder)
const database = await testDatabase()
const { db } = database
const read = readConfiguration({
  ...messages.mail,
  ...messages.slack,
  ...messages.telegram,
  ...messages.pagerDuty,
  SECRETS_KEY: key,
  PUBLIC_URL: 'https://kustos.test',
})
if (!read.ok) throw new Error(read.sentence)
const { close, ...channels } = openAlertChannels(read.configuration, { connectTo: messages.connectTo })
const open = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queues)
const errors: Error[] = []
const tools: DeliveryTools = { ...channels, queues: open, onError: (error) => errors.push(error) }
afterAll(async () => {
  await Promise.all([close(), open.close()])
  await messages.stop()
  await rm(folder, { recursive: true, force: true })
})

let now = new Date('2026-11-20T10:00:00Z')
const context = createContext(database, null, () => now)
const sender = openAlertSender(tools)
const buildUrl = (path: string) => new URL(path, messages.url.replace('localhost', '127.0.0.1'))
const received = async (channel: string) => {
  const { data } = (await (await fetch(buildUrl('/messages.json'))).json()) as { data: Message[] }
  return data.filter((message) => message.channel === channel).toReversed()
}
const kinds = ['mail', 'slack', 'telegram', 'teams', 'discord', 'pagerduty', 'webhook'] as const
const setHealth = (answer: number | 'ok') =>
  Promise.all(
    kinds.map((kind) =>
      fetch(buildUrl(`/health/${kind}`), { method: 'PUT', body: JSON.stringify({ answer }) }),
    ),
  )

/** Lets the first alert of each stream be sent until none gets further. */
async function deliver(): Promise<void> {
  const stuck = new Set<number>()
  for (;;) {
    const heads = await db
      .selectDistinctOn([alerts.channel, alerts.channel_id, alerts.recipient], { id: alerts.id })
      .from(alerts)
      .where(sql`sent_at is null and failed_at is null`)
      .orderBy(asc(alerts.channel), asc(alerts.channel_id), asc(alerts.recipient), asc(alerts.id))
    const due = heads.filter(({ id }) => !stuck.has(id))
    if (due.length === 0) return
    await Promise.all(
      due.map(async ({ id }) => {
        const outcome = await sender(context, id, new AbortController().signal)
        if (typeof outcome === 'object' && 'retryInMs' in outcome) stuck.add(id)
      }),
    )
  }
}

test(`of ${missed} alerts that every channel misses none is lost or sent twice, and each channel gets one summary`, async () => {
  const box = createSecretBox([Buffer.from(key, 'base64')])
  const ids: number[] = []
  for (const kind of ['teams', 'discord', 'pagerduty', 'webhook'] as const) {
    const given = { url: null, key: null, ...messages.channels[kind] }
    const body = { name: kind, kind, address: null, chat: null, default_for: null, fallback: false, ...given }
    ids.push((await createAlertChannel(context, box, body)).id)
  }
  const about = await addIncidents()
  const write = async (count: number, title: string) => {
    const all = Array.from({ length: count }, (_, n) => ({
      content: { title: `${title} ${n}`, lines: [] },
      channels: ['slack', 'mail', 'telegram'] as const,
      to: ids,
      incidents: [about[n % about.length] ?? 0],
    }))
    await writeAlerts(db, all, tools, now)
  }
  const started = performance.now()
  await write(2, 'before')
  await deliver()
  await setHealth(503)
  for (let part = 0; part < 4; part++) {
    await write(missed / 4, `missed ${part}`)
    await deliver()
    now = new Date(now.getTime() + 20 * 60_000)
  }
  // Every second web answers again while nobody can be told.
  const resolved = about.filter((_, index) => index % 2 === 1)
  for (const id of resolved) await db.update(incidents).set({ ended_at: now }).where(eq(incidents.id, id))
  await setHealth('ok')
  await deliver()
  await write(2, 'after')
  await deliver()
  const seconds = (performance.now() - started) / 1000

  const left = await db.select().from(alerts).where(sql`sent_at is null`)
  expect(left).toEqual([])
  for (const kind of kinds.filter((one) => one !== 'pagerduty')) {
    const texts = (await received(kind)).map(({ subject, text }) => subject ?? text.split('\n')[0])
    expect(texts.map((text) => text?.replace(/ while .*/, ''))).toEqual([
      'before 0',
      'before 1',
      `${missed} alerts`,
      'after 0',
      'after 1',
    ])
  }
  const events = (await received('pagerduty')).map(({ recipient, subject }) => `${subject} ${recipient}`)
  const [first, second, ...others] = about.map((id) => `kustos-incident-${id}`)
  const stillOpen = others.filter((_, index) => index % 2 === 0)
  expect(events).toEqual([
    `trigger ${first}`,
    `trigger ${second}`,
    ...[`resolve ${second}`, ...stillOpen.map((one) => `trigger ${one}`)],
  ])
  expect(errors).toEqual([])
  expect(seconds).toBeLessThan(60 + missed / 50)
}, 600_000)

async function addIncidents(): Promise<readonly number[]> {
  const names = Array.from({ length: webCount }, (_, n) => `web${n}.test`)
  const facts = { customer: 'ALPEN', configured_ip: '192.0.2.7' }
  const rows = await db
    .insert(webs)
    .values(names.map((fqdn) => ({ fqdn, fqdn_ascii: fqdn, ...facts })))
    .returning({ id: webs.id })
  const times = { started_at: now, last_failed_at: now, watched_until: now }
  const opened = await db
    .insert(incidents)
    .values(rows.map(({ id }) => ({ web_id: id, ...times, reason: 'timed out' })))
    .returning({ id: incidents.id })
  return opened.map(({ id }) => id)
}
