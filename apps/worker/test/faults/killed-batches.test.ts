import { setTimeout as sleep } from 'node:timers/promises'
import { batchTargets, deployments, logEntries, webs } from '@kustos/database/tables'
import { createBatch, readBatch } from '@kustos/domain/batches'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDeployments } from '../deployment-tests.ts'
import { end } from '../worker-environment.ts'

const { database, context, environment, nodeIds, createWebs, readJournal } = await openDeployments()
const { db } = database
const kills = 25
const count = 1_000
const common = { parallel: 50, stop_above: 100 }

/** Accepts a batch of as many webs, kills workers until it has ended, and returns it. */
async function runWhileKilling(
  request: Omit<Parameters<typeof createBatch>[1], 'webs' | keyof typeof common>,
) {
  const ids = await createWebs(count)
  const startedAt = performance.now()
  const id = await createBatch(context, { ...request, ...common, webs: ids })
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  for (let kill = 0; kill < kills; kill++) {
    const worker = await environment.startWorker()
    await sleep(50 + ((kill * 137) % 900))
    await end(worker, 'SIGKILL')
  }
  const worker = await environment.startWorker()
  await expect
    .poll(() => readBatch(context, id), { timeout: 240_000, interval: 1_000 })
    .toMatchObject({
      state: 'succeeded',
      counts: { succeeded: count },
    })
  await end(worker, 'SIGTERM')
  return { id, ids }
}

const requestsOf = (batch: number) =>
  db
    .select({ web: logEntries.subject_id })
    .from(logEntries)
    .where(
      sql`${logEntries.properties} #>> '{attributes,batch}' = ${String(batch)} and description <> 'updateWeb succeeded'`,
    )

test('a batch of deployments starts every web once while workers are killed', async () => {
  const { id, ids } = await runWhileKilling({ action: 'updateWeb' })
  const started = await db.select().from(deployments).where(eq(deployments.batch_id, id))
  expect(started.map(({ web_id }) => web_id).toSorted()).toEqual(ids.toSorted())
  expect((await requestsOf(id)).map(({ web }) => web).toSorted()).toEqual(ids.toSorted())
  const journal = (await Promise.all(nodeIds.map((_, index) => readJournal(`n${index + 1}`)))).flat()
  const lines = started.flatMap((one) => [`${one.id} first`, `${one.id} second`])
  expect(journal.filter((line) => line !== '').toSorted()).toEqual(lines.toSorted())
}, 480_000)

test('a batch of edits changes every web once while workers are killed', async () => {
  const { id, ids } = await runWhileKilling({ action: 'edit', edits: { customer: 'BATCHED' } })
  expect(await db.$count(webs, eq(webs.customer, 'BATCHED'))).toBe(count)
  expect((await requestsOf(id)).map(({ web }) => web).toSorted()).toEqual(ids.toSorted())
  expect(await db.$count(batchTargets, eq(batchTargets.batch_id, id))).toBe(count)
}, 480_000)
