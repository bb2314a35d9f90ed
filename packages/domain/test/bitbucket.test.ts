import { startBitbucketServer, type Told } from '@kustos/clients/testing/bitbucket-server'
import { deployments, logEntries, repositories, repositorySyncs, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  openRepositoryList,
  readRepositories,
  refreshRepositories,
  rememberRepository,
} from '../src/bitbucket/index.ts'
import { type Context, contextOf } from '../src/context.ts'

const database = await testDatabase()
const { db, pool } = database
const { state, bitbucket, stop } = await startBitbucketServer()
afterAll(stop)

/** Moved by the tests. */
let now = new Date('2026-11-20T10:00:00Z')
const context: Context = contextOf(database, null, () => now)
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

const three: readonly Told[] = [{ name: 'one' }, { name: 'two', project: 'EXT' }, { name: 'three' }]

beforeEach(async () => {
  await database.owner.db.execute(
    sql`truncate ${repositories}, ${repositorySyncs}, ${deployments}, ${webs} cascade`,
  )
  Object.assign(state, { repositories: three, failure: null, held: null, asked: 0 })
})

const names = async () => (await readRepositories(context)).map(({ name }) => name)
const away = { status: 503, page: 0 }
const refresh = (at: Context = context) => refreshRepositories(at, bitbucket)

/** Keeps Bitbucket's answers back until they are let go. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.held = promise
  return resolve
}

/** What open screens are told while something is done. */
async function told(work: () => Promise<unknown>): Promise<string[]> {
  const client = await pool.connect()
  try {
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query('listen kustos')
    await work()
    await client.query('select 1')
    await client.query('unlisten kustos')
    return heard
  } finally {
    client.removeAllListeners('notification')
    client.release()
  }
}

const syncOf = async () => (await db.select().from(repositorySyncs))[0]

describe('a refresh', () => {
  test('puts the whole list in the place of the cached one, without a log entry', async () => {
    expect(await refresh()).toEqual({ repositories: 3, added: 3, changed: 0, removed: 0 })
    expect(await names()).toEqual(['one', 'three', 'two'])
    state.repositories = [{ name: 'two' }, { name: 'three' }, { name: 'four' }]
    expect(await refresh()).toEqual({ repositories: 3, added: 1, changed: 1, removed: 1 })
    expect(await readRepositories(context)).toEqual([
      expect.objectContaining({ name: 'four' }),
      expect.objectContaining({ name: 'three' }),
      {
        name: 'two',
        project: { key: 'TP', name: 'Project TP' },
        description: '',
        created_on: '2025-01-01T00:00:00.000Z',
        updated_on: '2025-06-01T00:00:00.000Z',
        links: { html: { href: 'https://bitbucket.test/agency/two' } },
        web: null,
        kick_dumped_at: null,
      },
    ])
    expect(await db.select().from(logEntries)).toEqual([])
  })

  test('touches only what differs, and screens are told of nothing else', async () => {
    await refresh()
    const versions = async () =>
      (await pool.query('select name, xmin::text from repositories order by name')).rows
    const before = await versions()
    expect(await told(refresh)).toEqual([])
    expect(await versions()).toEqual(before)
    state.repositories = [{ name: 'one', description: 'new' }, ...three.slice(1)]
    expect(await told(refresh)).toEqual(['{"list" : "repositories"}'])
    expect((await versions()).slice(1)).toEqual(before.slice(1))
  })

  test('that fails leaves the list as it is, and is kept with its sentence until one succeeds', async () => {
    await refresh()
    const succeeded = now
    pass(100)
    state.failure = away
    const failing = () =>
      expect(refresh()).rejects.toMatchObject({
        code: 'upstream',
        message: expect.stringMatching(/^Bitbucket /),
      })
    expect(await told(failing)).toEqual(['{"list" : "repositories"}'])
    expect(await syncOf()).toMatchObject({
      succeeded_at: succeeded,
      failed_at: now,
      error: expect.stringMatching(/^Bitbucket is out of order/),
    })
    expect(await names()).toHaveLength(3)
    pass(100)
    expect(await told(failing)).toEqual([])
    state.failure = null
    expect(await told(refresh)).toEqual(['{"list" : "repositories"}'])
    expect(await syncOf()).toMatchObject({ succeeded_at: now, error: null })
  })

  test('whose second page is missing changes nothing', async () => {
    await refresh()
    state.repositories = [{ name: 'four' }, { name: 'five' }, { name: 'six' }]
    state.failure = { status: 500, page: 1 }
    await expect(refresh()).rejects.toMatchObject({ code: 'upstream' })
    expect(await names()).toEqual(['one', 'three', 'two'])
  })

  test('does not take an empty list for an emptied workspace, but begins with one', async () => {
    state.repositories = []
    expect(await refresh()).toMatchObject({ repositories: 0 })
    state.repositories = three
    await refresh()
    state.repositories = []
    await expect(refresh()).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/BITBUCKET_TOKEN/),
    })
    expect(await names()).toHaveLength(3)
    expect(await syncOf()).toMatchObject({ error: expect.stringMatching(/^Bitbucket shows no repository/) })
  })

  test('does not lose a fork that was made while Bitbucket was answering', async () => {
    const letGo = hold()
    const refreshing = refresh()
    await vi.waitFor(() => expect(state.asked).toBe(1))
    pass(2)
    await rememberRepository(db, {
      name: 'fork',
      project: { key: 'TP', name: 'Project TP' },
      description: '',
      fork_policy: null,
      html_url: 'https://bitbucket.test/agency/fork',
      clone_url: 'https://bitbucket.test/agency/fork.git',
      parent: 'agency/one',
      created_on: now,
      updated_on: now,
    })
    letGo()
    await refreshing
    expect(await names()).toEqual(['fork', 'one', 'three', 'two'])
    // Where it has been deleted on Bitbucket, a later refresh sees to it.
    pass(120)
    await refresh()
    expect(await names()).toEqual(['one', 'three', 'two'])
  })

  test('that was asked for earlier and answered later does not undo a newer one', async () => {
    const letGo = hold()
    state.repositories = [{ name: 'old' }]
    const earlier = refresh()
    await vi.waitFor(() => expect(state.asked).toBe(1))
    pass(1)
    Object.assign(state, { held: null, repositories: [{ name: 'new' }] })
    await refresh()
    letGo()
    await earlier
    expect(await names()).toEqual(['new'])
    expect((await syncOf())?.succeeded_at).toEqual(now)
  })

  test('may be made by several at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => refresh()))
    expect(outcomes.map(({ added }) => added).toSorted()).toEqual([0, 0, 0, 0, 3])
    expect(await names()).toHaveLength(3)
  })
})

describe('what is read', () => {
  const web = async (fqdn: string, repository: string | null, deleted_at: Date | null = null) => {
    const [row] = await db
      .insert(webs)
      .values({
        fqdn,
        fqdn_ascii: fqdn,
        customer: 'KUNDE',
        configured_ip: '192.0.2.1',
        repository,
        deleted_at,
      })
      .returning()
    if (!row) throw new Error('The web was not kept')
    return row.id
  }
  const deployment = (web_id: number, kind: string, status: string, ended: string) =>
    db.insert(deployments).values({
      kind,
      state: status,
      fqdn: 'one.test',
      web_id,
      created_at: now,
      updated_at: now,
      ended_at: new Date(ended),
    })

  test('names the living web of a repository and when its kick dump was last made', async () => {
    await refresh()
    await web('gone.test', 'one', now)
    const id = await web('one.test', 'one')
    const other = await web('two.test', 'two')
    await web('none.test', null)
    await deployment(id, 'exportDatabaseKick', 'succeeded', '2026-11-01T10:00:00Z')
    await deployment(id, 'exportDatabaseKick', 'succeeded', '2026-11-19T10:00:00Z')
    await deployment(id, 'exportDatabaseKick', 'failed', '2026-11-20T09:00:00Z')
    await deployment(id, 'exportDatabase', 'succeeded', '2026-11-20T09:30:00Z')
    expect(await readRepositories(context)).toMatchObject([
      { name: 'one', web: { id, fqdn: 'one.test' }, kick_dumped_at: '2026-11-19T10:00:00.000Z' },
      { name: 'three', web: null, kick_dumped_at: null },
      { name: 'two', web: { id: other, fqdn: 'two.test' }, kick_dumped_at: null },
    ])
  })

  test('has a repository once that two webs name', async () => {
    await refresh()
    const first = await web('one.test', 'one')
    await web('another-one.test', 'one')
    expect((await readRepositories(context))[0]).toMatchObject({ name: 'one', web: { id: first } })
    expect(await names()).toHaveLength(3)
  })
})

describe('the list for screens', () => {
  const errors: Error[] = []
  function open(from: typeof bitbucket | null = bitbucket) {
    errors.length = 0
    const list = openRepositoryList(from, (error) => errors.push(error))
    onTestFinished(() => list.close())
    return { ...list, ask: () => list.listRepositories(context) }
  }

  test('is asked of Bitbucket where there never was one', async () => {
    const { ask } = open()
    expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: null })
    expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: null })
    expect(state.asked).toBe(1)
  })

  test('is refused where there never was one and Bitbucket is away, which is asked again some seconds later', async () => {
    state.failure = { status: 401, page: 0 }
    const { ask } = open()
    const refused = {
      code: 'upstream',
      message: expect.stringMatching(/^Bitbucket does not accept the token/),
    }
    await expect(ask()).rejects.toMatchObject(refused)
    await expect(ask()).rejects.toMatchObject(refused)
    expect(state.asked).toBe(1)
    pass(6)
    state.failure = null
    expect((await ask()).repositories).toHaveLength(3)
  })

  test('comes from the cache while Bitbucket hangs, and many who ask make one refresh', async () => {
    await refresh()
    pass(61)
    const letGo = hold()
    state.repositories = [...three, { name: 'four' }]
    const { ask } = open()
    for (let i = 0; i < 20; i++)
      expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: null })
    await vi.waitFor(() => expect(state.asked).toBe(2))
    letGo()
    await vi.waitFor(async () => expect((await ask()).repositories).toHaveLength(4))
    expect(state.asked).toBe(2)
  })

  test('is not asked for again within a minute', async () => {
    await refresh()
    pass(59)
    await open().ask()
    expect(state.asked).toBe(1)
  })

  test('says how old it is while Bitbucket is away', async () => {
    await refresh()
    pass(90.5)
    state.failure = away
    const { ask } = open()
    expect((await ask()).staleFor).toBeNull()
    await vi.waitFor(async () => expect((await ask()).staleFor).toBe(90))
    const before = state.asked
    pass(30)
    expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: 120 })
    expect(state.asked).toBe(before)
    expect(errors).toEqual([])
  })

  test('without a Bitbucket is the one that there was, or a sentence', async () => {
    const { ask } = open(null)
    await expect(ask()).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^Bitbucket is not configured: set BITBUCKET_WORKSPACE/),
    })
    await refresh()
    pass(3600)
    expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: 3600 })
  })

  test('ends the refresh under way when it is closed, which is no failure', async () => {
    await refresh()
    pass(61)
    const letGo = hold()
    const { ask, close } = open()
    await ask()
    await vi.waitFor(() => expect(state.asked).toBe(2))
    await close()
    letGo()
    expect(await syncOf()).toMatchObject({ failed_at: null, error: null })
    expect(errors).toEqual([])
  })
})
