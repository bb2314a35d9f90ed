import { startBitbucketServer } from '@kustos/clients/testing/bitbucket-server'
import { repositories, repositorySyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bitbucketTasks } from '../src/jobs/bitbucket.ts'
import { startTasks } from './start-tasks.ts'

const database = await testDatabase()

test('refreshes the repositories, and backs off after a failure', async () => {
  const server = await startBitbucketServer()
  onTestFinished(() => server.stop())
  // A worker runs a task at once if its period has changed.
  const startWithPeriod = (moreMs: number) => {
    const tasks = bitbucketTasks({ bitbucket: server.bitbucket })
    return startTasks(
      database,
      tasks.map((task) => ({ ...task, everyMs: task.everyMs + moreMs })),
      { retryAfterMs: 5 },
    )
  }
  server.state.repositories = [{ name: 'one' }, { name: 'two' }, { name: 'three' }]
  const first = await startWithPeriod(0)
  await vi.waitFor(async () => expect(await database.db.select().from(repositories)).toHaveLength(3), 10_000)
  await first.stop()

  server.state.failure = { status: 403, page: 0 }
  const second = await startWithPeriod(1)
  await vi.waitFor(async () => {
    const [sync] = await database.db.select().from(repositorySyncs)
    expect(sync?.error_code).toBe('bitbucket_forbidden')
  }, 10_000)
  await second.stop()
  expect(server.state.listRequests).toBe(2)
  expect(await database.db.select().from(repositories)).toHaveLength(3)
})

test('keeps the list and needs no attention any more once Bitbucket is not configured', async () => {
  await database.db
    .update(repositorySyncs)
    .set({ failing_since: new Date(), error: 'Bitbucket is out of order.' })
  await startTasks(database, bitbucketTasks({ bitbucket: null }))
  await vi.waitFor(async () => {
    expect(await database.db.select().from(repositorySyncs)).toMatchObject([
      { failing_since: null, error: null },
    ])
  }, 10_000)
  expect(await database.db.select().from(repositories)).toHaveLength(3)
})
