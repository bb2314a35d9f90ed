import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@kustos/database/testing'
import { readDeployment, requestAction } from '@kustos/domain/deployment'
import { expect, test } from 'vitest'
import {
  adminContext,
  createNodes,
  insertWebs,
  openWorkerEnvironment,
  waitForState,
} from './worker-environment.ts'

const database = await testDatabase()
const context = await adminContext(database)
const recipes = { updateWeb: [{ name: 'pull', place: 'node', argv: ['true'], timeout: 10 }] }
const taking = (queues: string) =>
  openWorkerEnvironment(database, { recipes, variables: { WORKER_QUEUES: queues } })
const others = await taking('monitoring, notification, inspection, periodic')
const deploying = await taking('deployment')

test('a worker takes jobs only of the queues that were chosen for it', async () => {
  const [web = 0] = await insertWebs(database, await createNodes(database, 1), 1)
  await others.startWorker()
  const id = await requestAction(context, others.tools, 'updateWeb', { id: web })
  await sleep(2_000)
  expect(await readDeployment(context, id)).toMatchObject({ state: 'waiting' })
  // Both environments have a folder for each node; the job is done in the one of the worker that takes it.
  await deploying.startWorker()
  await waitForState(database, id, ['succeeded'])
})
