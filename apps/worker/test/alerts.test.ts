import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openQueues } from '@kustos/clients/queue'
import { startHttpReceiver } from '@kustos/clients/testing/channels'
import { queues as queueNames } from '@kustos/contract/queue'
import { alerts, incidents, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { enqueueAnnouncement } from '@kustos/domain/monitoring'
import { expect, onTestFinished, test, vi } from 'vitest'
import { end, untilStarted } from './worker-environment.ts'

const database = await testDatabase()
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

function start(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH ?? '',
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      DATABASE_URL: database.url,
      LOG_LEVEL: 'info',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => void (await end(child, 'SIGKILL')))
  return child
}

test('a worker delivers alerts', async () => {
  const receiver = await startHttpReceiver({ status: 200, body: 'ok' })
  onTestFinished(() => receiver.stop())
  const content = { title: 'a.test is down: 503', lines: ['Customer: ALPEN'] }
  await database.db.insert(alerts).values({ channel: 'slack', content, created_at: new Date() })
  await untilStarted(start({ SLACK_WEBHOOK_URL: `${receiver.origin}/services/T/B/x` }))
  await vi.waitFor(async () => {
    const [row] = await database.db.select().from(alerts)
    expect(row?.sent_at).not.toBeNull()
  }, 15_000)
  expect(receiver.state.posted.map(({ body }) => body.text)).toEqual(['a.test is down: 503\nCustomer: ALPEN'])
})

test('a worker announces incidents that probes have opened, within seconds', async () => {
  const receiver = await startHttpReceiver({ status: 200, body: 'ok' })
  onTestFinished(() => receiver.stop())
  const queues = await openQueues({ databaseUrl: database.url, onError: () => undefined }, queueNames)
  onTestFinished(() => queues.close())
  // Without what is due again and again, which evaluates rounds.
  await untilStarted(
    start({ SLACK_WEBHOOK_URL: `${receiver.origin}/services/T/B/x`, WORKER_QUEUES: 'notification' }),
  )
  const [web] = await database.db
    .insert(webs)
    .values({
      fqdn: 'b.test',
      fqdn_ascii: 'b.test',
      customer: 'ALPEN',
      configured_ip: '192.0.2.1',
      status: 0,
      domain_status: 1,
      monitoring_web_reporting_channel: 'slack',
    })
    .returning({ id: webs.id })
  const at = new Date()
  await database.db.insert(incidents).values({
    web_id: web?.id ?? 0,
    started_at: at,
    last_failed_at: at,
    watched_until: at,
    status: 503,
    reason: 'the server responded with status 503',
  })
  await enqueueAnnouncement({ queues, onError: (error) => expect.fail(error.message) }, at)
  await expect
    .poll(() => receiver.state.posted.map(({ body }) => String(body.text).split('\n')[0]), {
      timeout: 15_000,
    })
    .toEqual(['b.test is down: 503'])
})

test('refuses to start with a half-configured channel', async () => {
  const child = start({ TELEGRAM_BOT_TOKEN: '1:secret' })
  const output: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(Buffer.concat(output).toString()).toBe(
    'TELEGRAM_BOT_TOKEN is set and TELEGRAM_CHAT_ID is missing: no message can be sent.\n',
  )
})
