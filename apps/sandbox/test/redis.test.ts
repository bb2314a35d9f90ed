import { nodeActionNames } from '@kustos/contract/deployment'
import { testRedis } from '@kustos/database/testing'
import { describe, expect, test } from 'vitest'
import { createDeployer, newWebRequest } from './deployer.ts'
import { setUpSandbox } from './set-up-sandbox.ts'

const redis = await testRedis()

describe.runIf(redis !== null)('with the jobs in Redis', async () => {
  const { admin } = await setUpSandbox({ REDIS_URL: redis?.url ?? '', TRACKING_BROWSER: '' })
  const { request, waitForDeployment, findCloudWeb } = createDeployer(admin)

  test('runs every node action', async () => {
    const { id } = await findCloudWeb()
    for (const action of nodeActionNames) {
      expect(await waitForDeployment(await request(action, { id })), action).toMatchObject({
        state: 'succeeded',
      })
    }
  })

  test('creates webs from a request, a trial-day request and a fork', async () => {
    expect(await waitForDeployment(await request('newWeb', newWebRequest('ganz-neu.test')))).toMatchObject({
      state: 'succeeded',
    })
    const name = 'schnuppertag-murmel'
    const trial = { bnName: name, futureDomain: name, customer: 'AGENTUR' }
    expect(
      await waitForDeployment(await request('newWeb', { ...trial, sourceRepo: 'schnuppertag-kickstarter' })),
    ).toMatchObject({ state: 'succeeded' })
    expect(
      await waitForDeployment(
        await request('newWeb', newWebRequest('gabel.test', { sourceRepo: 'web134-ganz-neu.test' })),
      ),
    ).toMatchObject({ state: 'failed', error: expect.stringMatching(/kick dump/i) })
  })
})
