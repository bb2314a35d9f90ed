import { deployments, logEntries, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { describe, expect, test, vi } from 'vitest'
import { readRepositories, rememberRepository } from '../src/bitbucket/index.ts'
import { told } from './told.ts'
import { away, openWorkspace } from './workspace.ts'

const database = await testDatabase()
const { db, pool } = database
const { state, three, context, now, pass, refresh, names, syncOf, hold } = await openWorkspace(database)

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
    expect(await told(database, refresh)).toEqual([])
    expect(await versions()).toEqual(before)
    state.repositories = [{ name: 'one', description: 'new' }, ...three.slice(1)]
    expect(await told(database, refresh)).toEqual(['{"list" : "repositories"}'])
    expect((await versions()).slice(1)).toEqual(before.slice(1))
  })

  test('that fails leaves the list as it is, and is kept with its sentence until one succeeds', async () => {
    await refresh()
    const succeeded = now()
    pass(100)
    state.failure = away
    const failing = () =>
      expect(refresh()).rejects.toMatchObject({
        code: 'upstream',
        message: expect.stringMatching(/^Bitbucket /),
      })
    expect(await told(database, failing)).toEqual(['{"list" : "repositories"}'])
    expect(await syncOf()).toMatchObject({
      succeeded_at: succeeded,
      failed_at: now(),
      error: expect.stringMatching(/^Bitbucket is out of order/),
    })
    expect(await names()).toHaveLength(3)
    pass(100)
    expect(await told(database, failing)).toEqual([])
    state.failure = null
    expect(await told(database, refresh)).toEqual(['{"list" : "repositories"}'])
    expect(await syncOf()).toMatchObject({ succeeded_at: now(), error: null })
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
      created_on: now(),
      updated_on: now(),
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
    expect((await syncOf())?.succeeded_at).toEqual(now())
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
      created_at: now(),
      updated_at: now(),
      ended_at: new Date(ended),
    })

  test('names the living web of a repository and when its kick dump was last made', async () => {
    await refresh()
    await web('gone.test', 'one', now())
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
