import { setTimeout as sleep } from 'node:timers/promises'
import { nodeActionNames } from '@kustos/contract/deployment'
import { testRedis } from '@kustos/database/testing'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployer, request } from './deploying.ts'
import { dataFolder, end, freePort, pidOf, type Sandbox, startSandbox, visitor } from './system.ts'

const redis = await testRedis()

describe.runIf(redis !== null)('with the jobs in Redis', async () => {
  const folder = await dataFolder()
  const port = await freePort()
  const admin = visitor(`http://127.0.0.1:${port}`)
  const { ask, ended, webOnCloud, webs } = deployer(admin)
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({
      PORT: port,
      HOST: '127.0.0.1',
      KUSTOS_DATA_DIR: folder.path,
      REDIS_URL: redis?.url ?? '',
    })
    await admin.signIn('admin@kustos.test', 'kustos-sandbox')
  })
  afterAll(async () => {
    await end(sandbox, 'SIGTERM')
    await folder.remove()
  })

  test('carries out every node action', async () => {
    const { id } = await webOnCloud()
    for (const action of nodeActionNames) {
      expect(await ended(await ask(action, { id })), action).toMatchObject({ state: 'succeeded' })
    }
  })

  test('creates webs from a request, a trial-day request and a fork', async () => {
    expect(await ended(await ask('newWeb', request('ganz-neu.test')))).toMatchObject({ state: 'succeeded' })
    const name = 'schnuppertag-murmel'
    const trial = { bnName: name, futureDomain: name, customer: 'AGENTUR' }
    expect(
      await ended(await ask('newWeb', { ...trial, sourceRepo: 'schnuppertag-kickstarter' })),
    ).toMatchObject({ state: 'succeeded' })
    expect(
      await ended(await ask('newWeb', request('gabel.test', { sourceRepo: 'web134-ganz-neu.test' }))),
    ).toMatchObject({ state: 'failed', error: expect.stringMatching(/kick dump/i) })
  })

  test('loses nothing when Redis is flushed and the worker killed', async () => {
    const some = (await webs()).filter((web) => web.node?.includes('cloud')).slice(5, 25)
    const asked = await Promise.all(some.map(({ id }) => ask('backupWeb', { id })))
    await sleep(500)
    const client = new Redis(redis?.url ?? '')
    await client.flushall()
    client.disconnect()
    process.kill((await pidOf(folder.path, 'worker')) ?? 0, 'SIGKILL')
    for (const answer of asked) {
      expect(await ended(answer, 90_000)).toMatchObject({ state: 'succeeded', error: null })
    }
  })
})
