import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deploymentSteps, deployments, logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { readDeployment, requestAction, retryDeployment } from '@kustos/domain/deployment'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import {
  adminContext,
  createNodes,
  end,
  insertWebs,
  openWorkerEnvironment,
  waitForState,
} from './worker-environment.ts'

const database = await testDatabase()
const context = await adminContext(database)
const { tools, startWorker } = await openWorkerEnvironment(database, {
  recipes: {
    updateWeb: [{ name: 'pull', place: 'node', argv: ['true'], timeout: 10 }],
    backupWeb: [{ name: 'pack', place: 'node', argv: ['true'], timeout: 10 }],
    newWeb: [],
  },
  variables: {
    BITBUCKET_URL: `http://127.0.0.1:${await listenAsBitbucket()}/`,
    BITBUCKET_WORKSPACE: 'kustos',
    BITBUCKET_TOKEN: 'someone@kustos.test:token',
  },
})
/** @returns the port of a Bitbucket that refuses everything */
async function listenAsBitbucket(): Promise<number> {
  const server = createServer((_, response) =>
    response.writeHead(400).end(JSON.stringify({ error: { message: 'no\u0000pe' } })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  return (server.address() as AddressInfo).port
}

const nodeIds = await createNodes(database, 1)

test('a deployment that another system refuses with NUL fails with its words, and so does its job', async () => {
  const worker = await startWorker()
  const request = {
    bnName: 'bn1',
    customer: 'ALPEN',
    sourceRepo: 'web134-source.test',
    futureDomain: 'new.test',
  }
  const now = new Date()
  const [row] = await database.db
    .insert(deployments)
    .values({
      kind: 'newWeb',
      fqdn: 'new.test',
      node_id: nodeIds[0] ?? null,
      request,
      repository: 'web134-new.test',
      created_at: now,
      updated_at: now,
    })
    .returning({ id: deployments.id })
  const id = row?.id ?? 0
  await database.db
    .insert(deploymentSteps)
    .values({ deployment_id: id, step: 0, name: 'pre-flight', place: 'builtin' })
  const failure = 'pre-flight: Bitbucket refuses this (400: no\ufffdpe).'
  expect((await waitForState(database, id, ['failed'])).error).toBe(failure)
  const jobOf = async () => (await tools.queues.list()).find((job) => job.id === `deployment-${id}`)
  await expect.poll(jobOf, { timeout: 30_000 }).toMatchObject({ state: 'failed', failedReason: failure })
  await end(worker, 'SIGTERM')
}, 150_000)

test('a deployment that cannot be executed fails the third time, and lets the next one of its web run', async () => {
  const worker = await startWorker()
  const [web = 0] = await insertWebs(database, nodeIds, 1)
  const id = await requestAction(context, tools, 'updateWeb', { id: web })
  // Whatever Postgres refuses, this deployment can never succeed.
  await database.owner.db.execute(
    sql.raw(`
      create function refuse_end() returns trigger language plpgsql as
        $$ begin raise exception 'refused with secret'; end $$;
      create trigger refuse_end before update on deployments for each row
        when (new.id = ${id} and new.state = 'succeeded') execute function refuse_end()`),
  )
  const next = await requestAction(context, tools, 'backupWeb', { id: web })
  const { error } = await waitForState(database, id, ['failed'], 90_000)
  expect(error).toBe(
    `It was executed 3 times, and each time it failed unexpectedly. Internal error. See the log under deployment-${id}.`,
  )
  await waitForState(database, next, ['succeeded'])
  expect(await database.db.select().from(logEntries)).toContainEqual(
    expect.objectContaining({ description: 'updateWeb failed', subject_id: web }),
  )

  await database.owner.db.execute(sql`drop trigger refuse_end on ${deployments}`)
  await retryDeployment(context, tools, id)
  await waitForState(database, id, ['succeeded'])
  expect(await readDeployment(context, id)).toMatchObject({ attempts: 2, error: null })
  await end(worker, 'SIGTERM')
}, 150_000)
