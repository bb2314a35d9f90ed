import { readDeployment } from '@kustos/domain/deployment'
import { describe, expect, test } from 'vitest'
import { openHandOver, testFollowing } from './hand-over-tests.ts'
import { end, waitForState } from './worker-environment.ts'

// faults/hand-over.test.ts has the other endings, and the workers that are killed.

const handOver = await openHandOver()
const { database, context, environment, start, letGo, waitForLine } = handOver

describe('a deployment whose worker gets SIGTERM', () => testFollowing(handOver, 'SIGTERM'))

test('a worker that stops hands its lease over at once, and keeps the place of its deployment', async () => {
  const { worker, id } = await start('importDatabase')
  await waitForLine(id, 'out 20')
  await end(worker, 'SIGTERM')
  const row = await waitForState(database, id, ['running'])
  expect(row.holder).toBeNull()
  expect(row.held_until?.getTime()).toBeLessThanOrEqual(Date.now())
  expect((await readDeployment(context, id)).steps.at(-1)?.state).toBe('running')
  await letGo(id)
  const second = await environment.startWorker()
  await waitForState(database, id, ['succeeded'], 8_000)
  await end(second, 'SIGTERM')
})
