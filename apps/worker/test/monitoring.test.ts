import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { incidents, probeRounds, statistics, webs } from '@kustos/database/tables'
import { type TestDatabase, testDatabase, testRedis } from '@kustos/database/testing'
import { asc, count, isNotNull, isNull } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { end, leaveAlone, openWorking } from './working.ts'

const interval = 2
const monitored = 24

/** Webs over HTTP on one port; nothing listens on the other one. */
const broken = new Set<string>()
const world = createServer((request, response) => {
  response.statusCode = broken.has((request.headers.host ?? '').split(':')[0] ?? '') ? 503 : 200
  response.end('<title>A web</title>')
})
await new Promise<void>((resolve) => world.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise((resolve) => world.close(resolve)))
const { port } = world.address() as AddressInfo

async function openMonitoring(database: TestDatabase, redisUrl?: string) {
  const rows = await database.db
    .insert(webs)
    .values(
      Array.from({ length: monitored }, (_, index) => ({
        fqdn: `watched${index}.test`,
        fqdn_ascii: `watched${index}.test`,
        customer: 'ALPEN',
        configured_ip: '192.0.2.1',
        status: 0,
        domain_status: 1,
      })),
    )
    .returning({ id: webs.id })
  // A refresh finds that none of them is there, and takes them out of monitoring.
  await leaveAlone(
    database,
    rows.map(({ id }) => id),
  )
  return openWorking(database, {
    redisUrl,
    variables: {
      PROBE_INTERVAL: String(interval),
      CONNECT_TO: `:443:127.0.0.1:1,:80:127.0.0.1:${port}`,
    },
  })
}

/** Waits for a number of rounds that have been judged. @returns how many probes each has, the oldest round first */
async function judgedRounds({ db }: TestDatabase, wanted: number): Promise<{ at: Date; probes: number }[]> {
  for (const patience = Date.now() + 60_000; Date.now() < patience; await sleep(200)) {
    const rounds = await db
      .select()
      .from(probeRounds)
      .where(isNotNull(probeRounds.judged_at))
      .orderBy(asc(probeRounds.round_at))
    if (rounds.length < wanted) continue
    const rows = await db
      .select({ at: statistics.round_at, probes: count() })
      .from(statistics)
      .groupBy(statistics.round_at)
    const probes = new Map(rows.map((row) => [row.at.getTime(), row.probes]))
    return rounds.map(({ round_at }) => ({ at: round_at, probes: probes.get(round_at.getTime()) ?? 0 }))
  }
  throw new Error(`There were no ${wanted} judged rounds within a minute`)
}

const database = await testDatabase()
const { startWorker } = await openMonitoring(database)
const redis = await testRedis()
const other = await testDatabase()
const onRedis = await openMonitoring(other, redis?.url)

test('two workers and schedulers probe every web once a round, even if one is killed', async () => {
  const [first] = await Promise.all([startWorker(), startWorker()])
  await judgedRounds(database, 2)
  broken.add('watched3.test')
  await sleep(700)
  await end(first, 'SIGKILL')
  await startWorker()
  const rounds = await judgedRounds(database, 10)
  // One round after the other, from the first to the last.
  expect(rounds.map(({ at }) => (at.getTime() - (rounds[0]?.at.getTime() ?? 0)) / 1000)).toEqual(
    rounds.map((_, index) => index * interval),
  )
  expect(rounds.map(({ probes }) => probes)).toEqual(rounds.map(() => monitored))
  expect(await database.db.select().from(incidents)).toMatchObject([
    { status: 503, reason: 'the server answers with status 503', ended_at: null },
  ])
  broken.clear()
  for (const patience = Date.now() + 20_000; Date.now() < patience; await sleep(200)) {
    if ((await database.db.select().from(incidents).where(isNull(incidents.ended_at))).length === 0) break
  }
  const [incident] = await database.db.select().from(incidents)
  expect(incident?.ended_at).not.toBeNull()
}, 90_000)

test.skipIf(redis === null)('does the same with the queue on Redis', async () => {
  await Promise.all([onRedis.startWorker(), onRedis.startWorker()])
  const rounds = await judgedRounds(other, 3)
  expect(rounds.map(({ probes }) => probes)).toEqual(rounds.map(() => monitored))
})
