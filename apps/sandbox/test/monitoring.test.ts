import { setTimeout as sleep } from 'node:timers/promises'
import type { MonitoredWebList, MonitoringState } from '@kustos/contract/monitoring'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '../src/messages/index.ts'
import { dataFolder, end, freePort, type Sandbox, startSandbox, visitor } from './system.ts'

const folder = await dataFolder()
const port = await freePort()
const admin = visitor(`http://127.0.0.1:${port}`)
/** It comes and goes. */
const flapping = 'www.skischule-sextnerdolomiten.test'
let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({
    PORT: port,
    HOST: '127.0.0.1',
    KUSTOS_DATA_DIR: folder.path,
    PROBE_INTERVAL: '10',
  })
  await admin.signIn('admin@kustos.test', 'kustos-sandbox')
})
afterAll(async () => {
  await end(sandbox, 'SIGTERM')
  await folder.remove()
})

async function read<T>(path: string): Promise<T> {
  const answer = await admin.call('GET', path)
  expect(answer.status).toBe(200)
  return (await answer.json()) as T
}

async function watched() {
  const { data } = await read<MonitoredWebList>('/api/monitoring/webs')
  return data
    .filter(({ fqdn, monitoring_web_active: active }) => active === 1 && fqdn !== flapping)
    .map(({ fqdn, http_status_code, down_since }) => ({ fqdn, http_status_code, down_since }))
}

test('probes match the inventory and its history, without alerts for known incidents', async () => {
  const before = await watched()
  const started = new Date().toISOString()
  expect(before.filter(({ down_since }) => down_since !== null).length).toBe(7)
  for (const until = Date.now() + 90_000; Date.now() < until; await sleep(500)) {
    const { last_round: last } = await read<MonitoringState>('/api/monitoring/state')
    if (last !== null && last.started_at > started) break
  }
  const { last_round: last } = await read<MonitoringState>('/api/monitoring/state')
  expect(last?.started_at.localeCompare(started)).toBe(1)
  expect(last).toMatchObject({ state: 'known', probes: before.length + 1 })
  expect(await watched()).toEqual(before)
  const [, page = ''] = /^Messages that Kustos sends here: (\S+)$/m.exec(sandbox.output()) ?? []
  const messages = (await (await fetch(new URL('/messages.json', page))).json()) as { data: Message[] }
  // A mail's text leaves out what its subject says.
  const texts = messages.data.map(({ subject, text }) => (subject === null ? text : `${subject}\n${text}`))
  for (const title of texts.filter((text) => !text.includes(flapping)))
    expect(title).toMatch(/^The certificate of /)
})
