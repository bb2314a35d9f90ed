import { startBitbucketServer } from '@kustos/clients/testing/bitbucket-server'
import { repositories, repositorySyncs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bitbucketDuties } from '../src/jobs/bitbucket.ts'
import { startWorker } from '../src/worker.ts'

const database = await testDatabase()

test('the list of repositories is refreshed, and a failure is kept without asking again at once', async () => {
  const server = await startBitbucketServer()
  onTestFinished(() => server.stop())
  const [duty] = bitbucketDuties({ bitbucket: server.bitbucket })
  if (!duty) throw new Error('There is no duty')
  const work = () => {
    const log = pino({ level: 'silent' })
    const worker = startWorker({ database, duties: [duty], log, retryAfter: 5 })
    onTestFinished(() => worker.stop())
    return worker
  }
  server.state.repositories = [{ name: 'one' }, { name: 'two' }, { name: 'three' }]
  const first = work()
  await vi.waitFor(async () => expect(await database.db.select().from(repositories)).toHaveLength(3))
  await first.stop()

  server.state.failure = { status: 403, page: 0 }
  const second = work()
  await vi.waitFor(async () => {
    const [sync] = await database.db.select().from(repositorySyncs)
    expect(sync?.error).toMatch(/^Bitbucket does not allow this/)
  })
  await second.stop()
  expect(server.state.asked).toBe(2)
  expect(await database.db.select().from(repositories)).toHaveLength(3)
})

test('there is nothing to do where Bitbucket is not configured', () => {
  expect(bitbucketDuties({ bitbucket: null })).toEqual([])
})
