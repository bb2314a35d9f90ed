import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openProber } from '@kustos/clients/probe'
import {
  alerts as alertRows,
  incidents,
  probeRounds,
  probeShards,
  statistics,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openControls } from '../../src/monitoring/controls.ts'
import { dayOf } from '../../src/monitoring/day.ts'
import { evaluateRound } from '../../src/monitoring/evaluate-round.ts'
import { ensurePartition } from '../../src/monitoring/partitions.ts'
import { probeWebs } from '../../src/monitoring/probe-shard.ts'
import { openProbing } from '../../src/monitoring/probing.ts'
import { createContext } from '../../src/platform/context.ts'
import { openAlerting } from './alert-environment.ts'
import { monitoredWeb, openRounds, type Seen, settings } from './rounds.ts'

const database = await testDatabase()
const { db } = database
const { addRound, at } = await openRounds(database)
const { tools, listAlerts, errors, reset } = await openAlerting(database)

/** Hosts that respond; connections to all others are closed. */
const responding = new Set<string>()
const asked: string[] = []
const server = createServer((request, response) => {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  asked.push(host)
  if (responding.has(host)) response.end('well')
  else response.destroy()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const prober = openProber({ connectTo: `:443:127.0.0.1:1,:80:127.0.0.1:${port}`, deadlineMs: 1_500 })
afterAll(async () => {
  await prober.close()
  server.close()
})

beforeEach(async () => {
  responding.clear()
  asked.length = 0
  reset()
  for (const table of [incidents, statistics, probeRounds, alertRows, webs]) await db.delete(table)
})

const addWebs = async (count: number) =>
  (
    await db
      .insert(webs)
      .values(
        Array.from({ length: count }, (_, index) =>
          monitoredWeb(`w${index}.test`, { monitoring_web_reporting_channel: 'slack' }),
        ),
      )
      .returning({ id: webs.id })
  ).map(({ id }) => id)

describe('controls', () => {
  test('respond if one of them does, and are asked once by webs that fail together', async () => {
    responding.add('b.example')
    let now = 0
    const controls = openControls(prober, ['a.example', 'b.example'], () => now)
    expect(await Promise.all([controls?.respond(), controls?.respond()])).toEqual([true, true])
    expect(asked.toSorted()).toEqual(['a.example', 'b.example'])
    responding.clear()
    now = 4_999
    expect(await controls?.respond()).toBe(true)
    now = 5_000
    expect(await controls?.respond()).toBe(false)
  })

  test('are none unless they are configured', () => {
    expect(openControls(prober, [])).toBeNull()
  })
})

describe('a shard in which every web fails', () => {
  const roundAt = new Date(Math.floor(Date.now() / 1000) * 1000)
  const probe = async (hosts: readonly string[]) => {
    await ensurePartition(db, dayOf(roundAt))
    await db.insert(probeRounds).values({ round_at: roundAt, interval_seconds: 60, shards: 1 })
    const shard = { round_at: roundAt.toISOString(), shard: 0, shards: 1, interval: 60, spread: 100 }
    await probeWebs(
      createContext(database),
      openProbing(prober, { confirmAfterMs: 100, controls: openControls(prober, hosts) }),
      settings,
      { ...shard, begins_at: roundAt.toISOString() },
      new AbortController().signal,
    )
    const rows = await db.select({ outcome: statistics.outcome }).from(statistics)
    const [done] = await db.select().from(probeShards)
    return [new Set(rows.map(({ outcome }) => outcome)), done?.controls_responded]
  }

  test('is down if the controls respond', async () => {
    await addWebs(8)
    responding.add('a.example')
    expect(await probe(['a.example'])).toEqual([new Set(['down']), true])
    // Nothing is announced before the evaluation, which has one message.
    expect(await db.select().from(incidents)).toEqual([])
  })

  test('is unknown if they fail, however few webs there are', async () => {
    await addWebs(1)
    expect(await probe(['a.example'])).toEqual([new Set(['unknown']), false])
  })

  test('does not ask them if a web of it responds', async () => {
    await addWebs(3)
    responding.add('w2.test')
    expect(await probe(['a.example'])).toEqual([new Set(['up', 'down']), null])
    expect(asked).not.toContain('a.example')
  })
})

describe('a round in which every web fails', () => {
  const evaluate = async (ids: readonly number[], controls: boolean | null, outcome: Seen = 'down') => {
    const time = '2026-11-20T10:00:00Z'
    await addRound(time, Object.fromEntries(ids.map((id) => [id, outcome])))
    await db
      .insert(probeShards)
      .values({ round_at: new Date(time), shard: 0, webs: ids.length, controls_responded: controls })
    return evaluateRound(at('2026-11-20T10:01:40Z'), tools, settings, heartbeat)
  }
  let beats = 0
  const heartbeat = {
    async beat() {
      beats += 1
      if (beats > 1) throw new Error('The service of HEARTBEAT_URL responded with status 500.')
    },
  }
  beforeEach(() => {
    beats = 0
  })

  test('is an outage of all of them, in one message, if the controls responded', async () => {
    expect(await evaluate(await addWebs(24), true)).toMatchObject({ state: 'known', opened: 24 })
    expect(await listAlerts()).toEqual(['slack All 24 monitored webs are down'])
    expect(beats).toBe(1)
  })

  test('says nothing of them if the controls failed, too', async () => {
    expect(await evaluate(await addWebs(1), false)).toMatchObject({ state: 'unknown', opened: 0 })
    expect(await db.select().from(incidents)).toEqual([])
    expect(beats).toBe(0)
  })

  test('says nothing of three webs without controls', async () => {
    expect(await evaluate(await addWebs(3), null)).toMatchObject({ state: 'unknown', opened: 0 })
  })

  test('is not everything if other webs answered before', async () => {
    const ids = await addWebs(10)
    await addRound('2026-11-20T10:00:00Z', {
      ...Object.fromEntries(ids.map((id) => [id, 'up' as const])),
      ...Object.fromEntries(ids.slice(6).map((id) => [id, ['down', 30] as const])),
    })
    await db.insert(probeShards).values([
      { round_at: new Date('2026-11-20T10:00:00Z'), shard: 0, webs: 6, controls_responded: null },
      { round_at: new Date('2026-11-20T10:00:00Z'), shard: 1, webs: 4, controls_responded: true },
    ])
    await evaluateRound(at('2026-11-20T10:01:40Z'), tools, settings)
    expect(await listAlerts()).toEqual([6, 7, 8, 9].map((web) => `slack w${web}.test is down: 503`))
  })

  test('is unknown and sends no heartbeat if no worker has probed anything', async () => {
    await addWebs(2)
    await addRound('2026-11-20T10:00:00Z', {})
    expect(await evaluateRound(at('2026-11-20T10:01:40Z'), tools, settings, heartbeat)).toMatchObject({
      state: 'unknown',
    })
    expect(beats).toBe(0)
  })

  test('sends none either if the results of a shard are missing', async () => {
    await addRound('2026-11-20T10:00:00Z', Object.fromEntries((await addWebs(2)).map((id) => [id, 'up'])))
    expect(await evaluateRound(at('2026-11-20T10:01:40Z'), tools, settings, heartbeat)).toMatchObject({
      state: 'known',
    })
    expect(beats).toBe(0)
  })

  test('sends a heartbeat if it is known, and reports if that fails', async () => {
    await evaluate(await addWebs(2), null, 'up')
    expect(beats).toBe(1)
    const next = '2026-11-20T10:01:00Z'
    await addRound(next, {})
    await db.insert(probeShards).values({ round_at: new Date(next), shard: 0, webs: 0 })
    expect(await evaluateRound(at('2026-11-20T10:02:40Z'), tools, settings, heartbeat)).toMatchObject({
      state: 'known',
    })
    expect(errors.map(({ message }) => message)).toEqual([
      'The service of HEARTBEAT_URL responded with status 500.',
    ])
  })
})
