import { type RepositoryFixture, startBitbucketServer } from '@kustos/clients/testing/bitbucket-server'
import { deployments, repositories, repositorySyncs, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach } from 'vitest'
import { readRepositories, refreshRepositories } from '../src/bitbucket/index.ts'
import { type Context, createContext } from '../src/platform/context.ts'

const initialRepositories: readonly RepositoryFixture[] = [
  { name: 'one' },
  { name: 'two', project: 'EXT' },
  { name: 'three' },
]

/** Starts a Bitbucket with three repositories; before each test, our list is empty. Call it at the top of a file. */
export async function startTestBitbucket(database: TestDatabase) {
  const { db, owner } = database
  const { state, bitbucket, open, stop } = await startBitbucketServer()
  afterAll(stop)
  beforeEach(async () => {
    await owner.db.execute(sql`truncate ${repositories}, ${repositorySyncs}, ${deployments}, ${webs} cascade`)
    Object.assign(state, { repositories: initialRepositories, failure: null, held: null, listRequests: 0 })
  })
  let now = new Date('2026-11-20T10:00:00Z')
  const context: Context = createContext(database, null, () => now)
  return {
    state,
    bitbucket,
    /** A client that waits for delayed responses. */
    openPatientClient: () => open(60_000),
    initialRepositories,
    context,
    now: () => now,
    advanceSeconds(seconds: number): void {
      now = new Date(now.getTime() + seconds * 1000)
    },
    refresh: () => refreshRepositories(context, bitbucket),
    listNames: async () => (await readRepositories(context)).map(({ name }) => name),
    readSync: async () => (await db.select().from(repositorySyncs))[0],
    /** Delays Bitbucket's responses until the returned function is called. */
    delayResponses(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.held = promise
      return resolve
    },
  }
}

export const serverError = { status: 503, page: 0 }
