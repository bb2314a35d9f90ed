import { startBitbucketServer, type Told } from '@kustos/clients/testing/bitbucket-server'
import { deployments, repositories, repositorySyncs, webs } from '@kustos/database/tables'
import type { TestDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach } from 'vitest'
import { readRepositories, refreshRepositories } from '../src/bitbucket/index.ts'
import { type Context, createContext } from '../src/platform/context.ts'

const three: readonly Told[] = [{ name: 'one' }, { name: 'two', project: 'EXT' }, { name: 'three' }]

/** A Bitbucket with three repositories and an empty list of them, anew for each test of a file, and a clock. To be called at its top. */
export async function openWorkspace(database: TestDatabase) {
  const { db, owner } = database
  const { state, bitbucket, open, stop } = await startBitbucketServer()
  afterAll(stop)
  beforeEach(async () => {
    await owner.db.execute(sql`truncate ${repositories}, ${repositorySyncs}, ${deployments}, ${webs} cascade`)
    Object.assign(state, { repositories: three, failure: null, held: null, asked: 0 })
  })
  let now = new Date('2026-11-20T10:00:00Z')
  const context: Context = createContext(database, null, () => now)
  return {
    state,
    bitbucket,
    /** A client of it that waits for as long as it is held. */
    openPatient: () => open(60_000),
    three,
    context,
    now: () => now,
    /** Moves the clock. */
    pass(seconds: number): void {
      now = new Date(now.getTime() + seconds * 1000)
    },
    refresh: () => refreshRepositories(context, bitbucket),
    names: async () => (await readRepositories(context)).map(({ name }) => name),
    syncOf: async () => (await db.select().from(repositorySyncs))[0],
    /** Keeps Bitbucket's answers back until they are let go. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.held = promise
      return resolve
    },
  }
}

/** A server error of Bitbucket. */
export const away = { status: 503, page: 0 }
