import { deployments, logEntries, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { readRepositories, rememberRepository } from '../src/bitbucket/index.ts'
import { collectNotifications } from './collect-notifications.ts'
import { serverError, startTestBitbucket } from './workspace.ts'

const database = await testDatabase()
const { db, pool } = database
const {
  state,
  initialRepositories,
  context,
  now,
  advanceSeconds,
  refresh,
  listNames,
  readSync,
  delayResponses,
} = await startTestBitbucket(database)

describe('a refresh', () => {
  test('replaces the whole cached list without an audit entry', async () => {
    expect(await refresh()).toEqual({ repositories: 3, added: 3, changed: 0, removed: 0 })
    expect(await listNames()).toEqual(['one', 'three', 'two'])
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

  test('takes no text that reverses what follows it', async () => {
    state.repositories = [{ name: 'one', project: 'T\u202eP', description: 'a \u2067b' }]
    await refresh()
    expect(await readRepositories(context)).toMatchObject([
      { project: { key: 'TP', name: 'Project TP' }, description: 'a b' },
    ])
  })

  test('writes and announces only differences', async () => {
    await refresh()
    const versions = async () =>
      (await pool.query('select name, xmin::text from repositories order by name')).rows
    const before = await versions()
    expect(await collectNotifications(database, refresh)).toEqual([])
    expect(await versions()).toEqual(before)
    state.repositories = [{ name: 'one', description: 'new' }, ...initialRepositories.slice(1)]
    expect(await collectNotifications(database, refresh)).toEqual(['{"list" : "repositories"}'])
    expect((await versions()).slice(1)).toEqual(before.slice(1))
  })

  /** What needs attention changes with it. */
  const outcomeChanged = ['{"list" : "attention"}', '{"list" : "repositories"}']

  test('that fails keeps the list and stores the error until one succeeds', async () => {
    await refresh()
    const succeeded = now()
    advanceSeconds(100)
    state.failure = serverError
    const failing = () =>
      expect(refresh()).rejects.toMatchObject({
        kind: 'upstream',
        message: expect.stringMatching(/^Bitbucket /),
      })
    expect(await collectNotifications(database, failing)).toEqual(outcomeChanged)
    expect(await readSync()).toMatchObject({
      succeeded_at: succeeded,
      failed_at: now(),
      error: expect.stringMatching(/^Bitbucket /),
      error_code: 'bitbucket_out_of_order',
    })
    expect(await listNames()).toHaveLength(3)
    advanceSeconds(100)
    expect(await collectNotifications(database, failing)).toEqual([])
    state.failure = null
    expect(await collectNotifications(database, refresh)).toEqual(outcomeChanged)
    expect(await readSync()).toMatchObject({ succeeded_at: now(), error: null })
  })

  test('replaces the list although the last refresh is stored for later, by a program whose clock was ahead', async () => {
    advanceSeconds(3_600)
    await refresh()
    advanceSeconds(-3_600)
    state.repositories = [{ name: 'one' }, { name: 'two' }, { name: 'four' }]
    expect(await refresh()).toMatchObject({ added: 1 })
    expect(await listNames()).toContain('four')
    expect(await readSync()).toMatchObject({ succeeded_at: now() })
  })

  test('that fails on its second page changes nothing', async () => {
    await refresh()
    state.repositories = [{ name: 'four' }, { name: 'five' }, { name: 'six' }]
    state.failure = { status: 500, page: 1 }
    await expect(refresh()).rejects.toMatchObject({ kind: 'upstream' })
    expect(await listNames()).toEqual(['one', 'three', 'two'])
  })

  test('does not replace a list with an empty one, but accepts an empty first list', async () => {
    state.repositories = []
    expect(await refresh()).toMatchObject({ repositories: 0 })
    state.repositories = initialRepositories
    await refresh()
    state.repositories = []
    await expect(refresh()).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringMatching(/BITBUCKET_TOKEN/),
    })
    expect(await listNames()).toHaveLength(3)
    expect(await readSync()).toMatchObject({
      error: expect.stringMatching(/BITBUCKET_TOKEN/),
      error_code: 'bitbucket_empty',
    })
  })

  test('keeps a fork that was created while Bitbucket responded', async () => {
    const release = delayResponses()
    const refreshing = refresh()
    await expect.poll(() => state.listRequests).toBe(1)
    advanceSeconds(2)
    await rememberRepository(db, {
      name: 'fork',
      project: { key: 'TP', name: 'Project TP' },
      description: '',
      fork_policy: null,
      html_url: 'https://bitbucket.test/agency/fork',
      clone_url: 'https://bitbucket.test/agency/fork.git',
      parent: 'agency/one',
      created_on: now(),
      updated_on: now(),
    })
    release()
    await refreshing
    expect(await listNames()).toEqual(['fork', 'one', 'three', 'two'])
    // A later refresh removes it if Bitbucket does not list it.
    advanceSeconds(120)
    await refresh()
    expect(await listNames()).toEqual(['one', 'three', 'two'])
  })

  test('that started earlier does not overwrite a newer one', async () => {
    const release = delayResponses()
    state.repositories = [{ name: 'old' }]
    const earlier = refresh()
    await expect.poll(() => state.listRequests).toBe(1)
    advanceSeconds(1)
    Object.assign(state, { held: null, repositories: [{ name: 'new' }] })
    await refresh()
    release()
    await earlier
    expect(await listNames()).toEqual(['new'])
    expect((await readSync())?.succeeded_at).toEqual(now())
  })

  test('may run concurrently', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => refresh()))
    expect(outcomes.map(({ added }) => added).toSorted()).toEqual([0, 0, 0, 0, 3])
    expect(await listNames()).toHaveLength(3)
  })
})

describe('the stored list', () => {
  const addWeb = async (fqdn: string, repository: string | null, deleted_at: Date | null = null) => {
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
    if (!row) throw new Error('The web was not stored')
    return row.id
  }
  const addDeployment = (
    web_id: number,
    kind: string,
    status: string,
    ended: string,
    node_id: number | null = null,
  ) =>
    db.insert(deployments).values({
      node_id,
      kind,
      state: status,
      fqdn: 'one.test',
      web_id,
      created_at: now(),
      updated_at: now(),
      ended_at: new Date(ended),
    })

  test("names a repository's active web and the time of its last kick dump", async () => {
    await refresh()
    await addWeb('gone.test', 'one', now())
    const id = await addWeb('one.test', 'one')
    const other = await addWeb('two.test', 'two')
    await addWeb('none.test', null)
    await addDeployment(id, 'exportDatabaseKick', 'succeeded', '2026-11-01T10:00:00Z')
    await addDeployment(id, 'exportDatabaseKick', 'succeeded', '2026-11-19T10:00:00Z')
    await addDeployment(id, 'exportDatabaseKick', 'failed', '2026-11-20T09:00:00Z')
    await addDeployment(id, 'exportDatabase', 'succeeded', '2026-11-20T09:30:00Z')
    expect(await readRepositories(context)).toMatchObject([
      { name: 'one', web: { id, fqdn: 'one.test' }, kick_dumped_at: '2026-11-19T10:00:00.000Z' },
      { name: 'three', web: null, kick_dumped_at: null },
      { name: 'two', web: { id: other, fqdn: 'two.test' }, kick_dumped_at: null },
    ])
  })

  test('knows no kick dump of a web that was moved away from it', async () => {
    await refresh()
    const [before, after] = await db
      .insert(nodes)
      .values(['n1', 'n2'].map((name) => ({ name, plesk_fqdn: `${name}.test` })))
      .returning({ id: nodes.id })
    const id = await addWeb('one.test', 'one')
    const readKickDump = async () => (await readRepositories(context))[0]?.kick_dumped_at
    const moveTo = (node: { id: number } | undefined) =>
      db
        .update(webs)
        .set({ node_id: node?.id ?? 0 })
        .where(eq(webs.id, id))
    await moveTo(before)
    await addDeployment(id, 'exportDatabaseKick', 'succeeded', '2026-11-19T10:00:00Z', before?.id)
    expect(await readKickDump()).toBe('2026-11-19T10:00:00.000Z')
    await moveTo(after)
    expect(await readKickDump()).toBeNull()
    await addDeployment(id, 'exportDatabaseKick', 'succeeded', '2026-11-18T10:00:00Z', after?.id)
    expect(await readKickDump()).toBe('2026-11-18T10:00:00.000Z')
  })

  test('is assigned to webs by the names of its repositories, which spell umlauts out', async () => {
    const idn = 'xn--mhle-gasthof-dlb.test'
    const ids = [
      await addWeb('www.alpenhof.test', null),
      await addWeb(idn, null),
      await addWeb('another.test', null),
      await addWeb('linked.test', 'one'),
    ]
    state.repositories = [
      ...initialRepositories,
      { name: 'web124-alpenhof.test' },
      { name: 'web134-muehle-gasthof.test' },
      { name: 'web134-linked.test' },
    ]
    await refresh()
    const linked = await db.select().from(webs).orderBy(webs.id)
    expect(linked.map(({ id, repository }) => [id, repository])).toEqual([
      [ids[0], 'web124-alpenhof.test'],
      [ids[1], 'web134-muehle-gasthof.test'],
      [ids[2], null],
      [ids[3], 'one'],
    ])
  })

  test('contains a repository once if two webs name it', async () => {
    await refresh()
    const first = await addWeb('one.test', 'one')
    await addWeb('another-one.test', 'one')
    expect((await readRepositories(context))[0]).toMatchObject({ name: 'one', web: { id: first } })
    expect(await listNames()).toHaveLength(3)
  })

  test('names the web with the newest kick dump if two webs have the same repository', async () => {
    await refresh()
    const first = await addWeb('one.test', 'one')
    const second = await addWeb('another-one.test', 'one')
    await addDeployment(first, 'exportDatabaseKick', 'succeeded', '2026-11-01T10:00:00Z')
    await addDeployment(first, 'exportDatabaseKick', 'failed', '2026-11-20T10:00:00Z')
    await addDeployment(second, 'exportDatabaseKick', 'succeeded', '2026-11-02T10:00:00Z')
    expect((await readRepositories(context))[0]).toMatchObject({
      web: { id: second },
      kick_dumped_at: '2026-11-02T10:00:00.000Z',
    })
  })
})
