import { testDatabase } from '@kustos/database/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRepositoryList } from '../src/bitbucket/index.ts'
import { away, openWorkspace } from './workspace.ts'

const database = await testDatabase()
const { state, bitbucket, openPatient, three, context, pass, refresh, syncOf, hold } =
  await openWorkspace(database)

describe('the list of repositories', () => {
  const errors: Error[] = []
  function open(from: typeof bitbucket | null = bitbucket) {
    errors.length = 0
    const list = openRepositoryList(from, (error) => errors.push(error))
    onTestFinished(() => list.close())
    return { ...list, ask: () => list.listRepositories(context) }
  }

  test('is fetched from Bitbucket if there has never been one', async () => {
    const { ask } = open()
    expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: null })
    expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: null })
    expect(state.asked).toBe(1)
  })

  test('is refused if there has never been one and Bitbucket is down, then retried after seconds', async () => {
    state.failure = { status: 401, page: 0 }
    const { ask } = open()
    const refused = {
      kind: 'upstream',
      message: expect.stringMatching(/^Bitbucket does not accept the token/),
    }
    await expect(ask()).rejects.toMatchObject(refused)
    await expect(ask()).rejects.toMatchObject(refused)
    expect(state.asked).toBe(1)
    pass(6)
    state.failure = null
    expect((await ask()).repositories).toHaveLength(3)
  })

  test('is served from the cache while Bitbucket hangs, with one refresh for all requests', async () => {
    await refresh()
    pass(61)
    const letGo = hold()
    state.repositories = [...three, { name: 'four' }]
    const patient = openPatient()
    onTestFinished(() => patient.close())
    const { ask } = open(patient)
    for (let i = 0; i < 20; i++)
      expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: null })
    await vi.waitFor(() => expect(state.asked).toBe(2))
    letGo()
    await vi.waitFor(async () => expect((await ask()).repositories).toHaveLength(4))
    expect(state.asked).toBe(2)
  })

  test('is refreshed at most once a minute', async () => {
    await refresh()
    pass(59)
    await open().ask()
    expect(state.asked).toBe(1)
  })

  test('shows its age while Bitbucket is down', async () => {
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

  test('without a configured Bitbucket is the last one, or a sentence', async () => {
    const { ask } = open(null)
    await expect(ask()).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringMatching(/^Bitbucket is not configured: set BITBUCKET_WORKSPACE/),
    })
    await refresh()
    pass(3600)
    expect(await ask()).toMatchObject({ repositories: { length: 3 }, staleFor: 3600 })
  })

  test('aborts the refresh under way on close without recording a failure', async () => {
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
