import { setTimeout as sleep } from 'node:timers/promises'
import { deploymentSteps } from '@kustos/database/tables'
import { testRedis } from '@kustos/database/testing'
import { requestAction } from '@kustos/domain/deployment'
import { inArray } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { openDeployments } from '../deployment-tests.ts'
import { end, waitForState } from '../worker-environment.ts'

/** Both if possible, or the one that is named (`pnpm test:faults --backend redis`). */
const backend = process.env.KUSTOS_FAULTS_BACKEND
const redis = backend === 'postgres' ? null : await testRedis()

if (backend !== 'redis') describe('deployments on Postgres', () => testKills())
if (redis !== null) describe('deployments on Redis', () => testKills(redis.url))

async function testKills(redisUrl?: string): Promise<void> {
  const { database, context, environment, nodeIds, createWebs, readJournal } = await openDeployments(redisUrl)
  const { db } = database
  const { tools } = environment

  test('survive killed workers without repeating finished steps', async () => {
    const ids: number[] = []
    for (const id of await createWebs(10)) {
      ids.push(await requestAction(context, tools, 'backupWeb', { id }))
    }
    for (let kill = 0; kill < 6; kill++) {
      const worker = await environment.startWorker()
      await sleep(100 + ((kill * 137) % 700))
      await end(worker, 'SIGKILL')
    }
    const worker = await environment.startWorker()
    for (const id of ids) await waitForState(database, id, ['succeeded'], 90_000)
    const journal = (await Promise.all(nodeIds.map((_, index) => readJournal(`n${index + 1}`))))
      .flat()
      .filter((line) => ids.some((id) => line.startsWith(`${id} `)))
    expect(journal.toSorted()).toEqual(
      ids.flatMap((id) => ['one', 'two', 'three'].map((step) => `${id} ${step}`)).toSorted(),
    )
    const steps = await db
      .select({ state: deploymentSteps.state })
      .from(deploymentSteps)
      .where(inArray(deploymentSteps.deployment_id, ids))
    expect(steps.every((step) => step.state === 'succeeded')).toBe(true)
    await end(worker, 'SIGTERM')
  }, 180_000)

  test.runIf(redisUrl !== undefined)(
    'all run even if Redis is flushed while 50 are waiting',
    async () => {
      const ids: number[] = []
      for (const id of await createWebs(50))
        ids.push(await requestAction(context, tools, 'updateWeb', { id }))
      const client = new Redis(redisUrl ?? '')
      await client.flushall()
      client.disconnect()
      const worker = await environment.startWorker()
      for (const id of ids) await waitForState(database, id, ['succeeded'], 60_000)
      await end(worker, 'SIGTERM')
    },
    90_000,
  )
}
