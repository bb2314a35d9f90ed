import { openQueues, queueConnections, startQueueWorkers } from '@kustos/clients/queue'
import { openDatabase } from '@kustos/database/client'
import { testDatabase } from '@kustos/database/testing'
import { checkConnections, readConnections } from '@kustos/domain/platform/connections'
import { expect, onTestFinished, test } from 'vitest'

const database = await testDatabase()

async function warningsWith(others: number, isPooled = false): Promise<unknown[]> {
  const warnings: unknown[] = []
  await checkConnections(
    { ...database, isPooled },
    { warn: (facts: unknown) => void warnings.push(facts) },
    others,
  )
  return warnings
}

test('warns of connections that Postgres would refuse', async () => {
  expect(await warningsWith(1)).toEqual([])
  const { rows } = await database.pool.query<{ max: number }>(
    "select current_setting('max_connections')::int as max",
  )
  const max = rows[0]?.max ?? 0
  expect(await warningsWith(max)).toMatchObject([
    { needed: database.pool.options.max + max, allowed: expect.any(Number), open: expect.any(Number) },
  ])
  // Those of the pool are not Postgres'.
  expect(await warningsWith(max, true)).toMatchObject([{ needed: max }])
})

test('counts the connections of others, which the role of the application knows little of', async () => {
  const others = openDatabase(database.url, { max: 5 })
  const clients = await Promise.all(Array.from({ length: 5 }, () => others.pool.connect()))
  onTestFinished(async () => {
    for (const client of clients) client.release()
    await others.close()
  })
  expect((await readConnections(database.db)).open).toBeGreaterThanOrEqual(5)
})

test('knows how many connections the queues in Postgres open at most', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const settings = { databaseUrl: database.url, onError: () => undefined }
  const queues = await openQueues(settings, names)
  onTestFinished(() => queues.close())
  let ran = 0
  const workers = await startQueueWorkers(
    settings,
    names.map((queue) => ({
      queue,
      concurrency: 8,
      run: async () => {
        ran++
        return 'done'
      },
    })),
  )
  onTestFinished(() => workers.stop())
  const jobs = names.flatMap((queue) =>
    Array.from({ length: 30 }, (_, index) =>
      queues.add({ queue, name: 'job', id: `job-${index}`, data: {} }),
    ),
  )
  let most = 0
  while (ran < jobs.length) {
    const { rows } = await database.owner.pool.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name not like 'kustos-test%'`,
    )
    most = Math.max(most, rows[0]?.open ?? 0)
  }
  await Promise.all(jobs)
  const known = queueConnections(undefined, names.length)
  expect(most).toBeLessThanOrEqual(known)
  // The one of migrations may have been closed meanwhile.
  expect(most).toBeGreaterThanOrEqual(known - 1)
})
