import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { incidents, probeRounds, statistics, webs } from '@kustos/database/tables'
import { type TestDatabase, testDatabase, testRedis } from '@kustos/database/testing'
import { asc, count, isNotNull, isNull } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { end, openWorkerEnvironment, skipRefreshes } from './worker-environment.ts'

/** Long enough that a busy machine begins each round in time. */
const intervalSeconds = 4
const intervalMs = intervalSeconds * 1000
/** The longest time until others take over the jobs of a killed worker (docs/faults.md). */
const recoveryMs = 15_000
const webCount = 24

/** The hosts that respond with 503. */
const broken = new Set<string>()
const server = createServer((request, response) => {
  response.statusCode = broken.has((request.headers.host ?? '').split(':')[0] ?? '') ? 503 : 200
  response.end('<title>A web</title>')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise((resolve) => server.close(resolve)))
const { port } = server.address() as AddressInfo

async function openMonitoring(database: TestDatabase, redisUrl?: string) {
  const rows = await database.db
    .insert(webs)
    .values(
      Array.from({ length: webCount }, (_, index) => ({
        fqdn: `watched${index}.test`,
        fqdn_ascii: `watched${index}.test`,
        customer: 'ALPEN',
        configured_ip: '192.0.2.1',
        status: 0,
        domain_status: 1,
      })),
    )
    .returning({ id: webs.id })
  // A refresh would find that none of them exists and end their monitoring.
  await skipRefreshes(
    database,
    rows.map(({ id }) => id),
  )
  return openWorkerEnvironment(database, {
    redisUrl,
    variables: {
      PROBE_INTERVAL: String(intervalSeconds),
      CONNECT_TO: `:443:127.0.0.1:1,:80:127.0.0.1:${port}`,
    },
  })
}

/** Waits for a number of evaluated rounds. @returns them with their number of probes, the oldest first */
async function waitForRounds(
  { db }: TestDatabase,
  minCount: number,
): Promise<{ at: Date; probes: number }[]> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(200)) {
    const rounds = await db
      .select()
      .from(probeRounds)
      .where(isNotNull(probeRounds.judged_at))
      .orderBy(asc(probeRounds.round_at))
    if (rounds.length < minCount) continue
    const rows = await db
      .select({ at: statistics.round_at, probes: count() })
      .from(statistics)
      .groupBy(statistics.round_at)
    const probes = new Map(rows.map((row) => [row.at.getTime(), row.probes]))
    return rounds.map(({ round_at }) => ({ at: round_at, probes: probes.get(round_at.getTime()) ?? 0 }))
  }
  throw new Error(`There were no ${minCount} evaluated rounds within a minute`)
}

/** @returns the times in milliseconds at which a round should have begun between others and did not */
function missingRounds(rounds: readonly { readonly at: Date }[]): number[] {
  const begun = new Set(rounds.map(({ at }) => at.getTime()))
  const first = Math.min(...begun)
  const steps = (Math.max(...begun) - first) / intervalMs
  const due = Array.from({ length: steps }, (_, index) => first + index * intervalMs)
  return due.filter((at) => !begun.has(at))
}

const database = await testDatabase()
const { startWorker } = await openMonitoring(database)
const redis = await testRedis()
const other = await testDatabase()
const onRedis = await openMonitoring(other, redis?.url)

test('two workers probe every web once per round, even if one is killed', async () => {
  const [first] = await Promise.all([startWorker(), startWorker()])
  await waitForRounds(database, 2)
  broken.add('watched3.test')
  await sleep(700)
  const killedAt = Date.now()
  await end(first, 'SIGKILL')
  await startWorker()
  const rounds = await waitForRounds(database, 8)
  // The killed worker may have been about to begin one, which another takes over.
  const isExcused = (at: number) => at > killedAt - intervalMs && at < killedAt + recoveryMs
  expect(missingRounds(rounds).filter((at) => !isExcused(at))).toEqual([])
  expect(rounds.map(({ probes }) => probes)).toEqual(rounds.map(() => webCount))
  expect(await database.db.select().from(incidents)).toMatchObject([
    { status: 503, reason: 'the server responded with status 503', ended_at: null },
  ])
  broken.clear()
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(200)) {
    if ((await database.db.select().from(incidents).where(isNull(incidents.ended_at))).length === 0) break
  }
  const [incident] = await database.db.select().from(incidents)
  expect(incident?.ended_at).not.toBeNull()
}, 90_000)

test.skipIf(redis === null)(
  'two workers probe every web once per round with the queue in Redis',
  async () => {
    await Promise.all([onRedis.startWorker(), onRedis.startWorker()])
    const rounds = await waitForRounds(other, 3)
    expect(rounds.map(({ probes }) => probes)).toEqual(rounds.map(() => webCount))
  },
)
