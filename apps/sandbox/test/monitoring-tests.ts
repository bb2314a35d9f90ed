import { setTimeout as sleep } from 'node:timers/promises'
import type { MonitoredWebList, MonitoringState } from '@kustos/contract/monitoring'
import { expect, test } from 'vitest'
import type { Message } from '../src/messages/index.ts'
import type { RunningSandbox } from './set-up-sandbox.ts'

/** Its status alternates. */
const flapping = 'www.skischule-sextnerdolomiten.test'

/** Defines the tests of the monitoring in a sandbox that has just started. */
export function testMonitoring({ admin, output }: RunningSandbox): void {
  async function read<T>(path: string): Promise<T> {
    const response = await admin.call('GET', path)
    expect(response.status).toBe(200)
    return (await response.json()) as T
  }

  async function listMonitored() {
    const { data } = await read<MonitoredWebList>('/api/monitoring/webs')
    return data
      .filter(({ fqdn, monitoring_web_active: active }) => active === 1 && fqdn !== flapping)
      .map(({ fqdn, http_status_code, down_since }) => ({ fqdn, http_status_code, down_since }))
  }

  test('the first probes match the inventory and its history and cause no alerts', async () => {
    const before = await listMonitored()
    const started = new Date().toISOString()
    expect(before.filter(({ down_since }) => down_since !== null).length).toBe(8)
    for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(500)) {
      const { last_round: last } = await read<MonitoringState>('/api/monitoring/state')
      if (last !== null && last.started_at > started) break
    }
    const { last_round: last } = await read<MonitoringState>('/api/monitoring/state')
    expect(last?.started_at.localeCompare(started)).toBe(1)
    expect(last).toMatchObject({ state: 'known', probes: before.length + 1 })
    expect(await listMonitored()).toEqual(before)
    const [, page = ''] = /^Messages that Kustos sends here: (\S+)$/m.exec(output()) ?? []
    const messages = (await (await fetch(new URL('/messages.json', page))).json()) as { data: Message[] }
    // The test's own sign-in is told by mail. The text of a mail does not repeat its subject.
    const texts = messages.data
      .map(({ subject, text }) => (subject === null ? text : `${subject}\n${text}`))
      .filter((text) => !text.startsWith('New sign-in'))
    for (const title of texts.filter((text) => !text.includes(flapping)))
      expect(title).toMatch(/^(The certificate of |Certificates that |Expired certificates: )/)
  })
}
