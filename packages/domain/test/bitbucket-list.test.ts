import { testDatabase } from '@kustos/database/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRepositoryCache } from '../src/bitbucket/index.ts'
import { serverError, startTestBitbucket } from './workspace.ts'

const database = await testDatabase()
const {
  state,
  bitbucket,
  openPatientClient,
  initialRepositories,
  context,
  advanceSeconds,
  refresh,
  readSync,
  delayResponses,
} = await startTestBitbucket(database)

describe('the list of repositories', () => {
  const errors: Error[] = []
  function open(from: typeof bitbucket | null = bitbucket) {
    errors.length = 0
    const list = createRepositoryCache(from, (error) => errors.push(error))
    onTestFinished(() => list.close())
    return { ...list, request: () => list.listRepositories(context) }
  }

  test('is fetched from Bitbucket if none is stored', async () => {
    const { request } = open()
    expect(await request()).toMatchObject({ repositories: { length: 3 }, staleSeconds: null })
    expect(await request()).toMatchObject({ repositories: { length: 3 }, staleSeconds: null })
    expect(state.listRequests).toBe(1)
  })

  test('fails if none is stored and Bitbucket is down, and is retried after some seconds', async () => {
    state.failure = { status: 401, page: 0 }
    const { request } = open()
    const refused = {
      kind: 'upstream',
      message: expect.stringMatching(/^Bitbucket does not accept the token/),
    }
    await expect(request()).rejects.toMatchObject(refused)
    await expect(request()).rejects.toMatchObject(refused)
    expect(state.listRequests).toBe(1)
    advanceSeconds(6)
    state.failure = null
    expect((await request()).repositories).toHaveLength(3)
  })

  test('is served from the cache while Bitbucket hangs, with one refresh for all requests', async () => {
    await refresh()
    advanceSeconds(61)
    const release = delayResponses()
    state.repositories = [...initialRepositories, { name: 'four' }]
    const patient = openPatientClient()
    onTestFinished(() => patient.close())
    const { request } = open(patient)
    for (let i = 0; i < 20; i++)
      expect(await request()).toMatchObject({ repositories: { length: 3 }, staleSeconds: null })
    await expect.poll(() => state.listRequests).toBe(2)
    release()
    await expect.poll(async () => (await request()).repositories).toHaveLength(4)
    expect(state.listRequests).toBe(2)
  })

  test('is refreshed at most once a minute', async () => {
    await refresh()
    advanceSeconds(59)
    await open().request()
    expect(state.listRequests).toBe(1)
  })

  test('shows its age while Bitbucket is down', async () => {
    await refresh()
    advanceSeconds(90.5)
    state.failure = serverError
    const { request } = open()
    expect((await request()).staleSeconds).toBeNull()
    await expect.poll(async () => (await request()).staleSeconds).toBe(90)
    const before = state.listRequests
    advanceSeconds(30)
    expect(await request()).toMatchObject({ repositories: { length: 3 }, staleSeconds: 120 })
    expect(state.listRequests).toBe(before)
    expect(errors).toEqual([])
  })

  test('is the stored one without a configured Bitbucket, or an explanation', async () => {
    const { request } = open(null)
    await expect(request()).rejects.toMatchObject({
      kind: 'upstream',
      message: expect.stringMatching(/^Bitbucket is not configured: set BITBUCKET_WORKSPACE/),
    })
    await refresh()
    advanceSeconds(3600)
    expect(await request()).toMatchObject({ repositories: { length: 3 }, staleSeconds: 3600 })
  })

  test('aborts a running refresh on close without recording a failure', async () => {
    await refresh()
    advanceSeconds(61)
    const release = delayResponses()
    const { request, close } = open()
    await request()
    await expect.poll(() => state.listRequests).toBe(2)
    await close()
    release()
    expect(await readSync()).toMatchObject({ failed_at: null, error: null })
    expect(errors).toEqual([])
  })
})
