import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { deploymentSteps, deployments, logEntries } from '@kustos/database/tables'
import { type TestDatabase, testDatabase, testRedis } from '@kustos/database/testing'
import { jobIdOf, readDeployment, requestAction, retryDeployment } from '@kustos/domain/deployment'
import { createContext } from '@kustos/domain/platform/context'
import { findUserWithPermissions } from '@kustos/domain/users'
import { and, asc, eq } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import {
  adminContext,
  createNodes,
  end,
  insertWebs,
  openWorkerEnvironment,
  skipRefreshes,
  waitForState,
} from './worker-environment.ts'

const folder = await mkdtemp(join(tmpdir(), 'kustos-restored-'))
afterAll(() => rm(folder, { recursive: true }))
const script = fileURLToPath(new URL('../../api/src/kustos.ts', import.meta.url))

/** @returns the standard output of a command */
async function kustos({ url }: TestDatabase, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, DATABASE_URL: url } })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(err)
  return out
}

const step = (name: string) => ({
  name,
  place: 'node',
  argv: ['sh', '-c', 'echo "$1" >> journal', 'sh', `{deployment} ${name}`],
  timeout: 30,
})
const recipes = { updateWeb: [step('first'), step('second')] }

const empty = () => testDatabase({ empty: true })
const sameStep = (id: number, index: number) =>
  and(eq(deploymentSteps.deployment_id, id), eq(deploymentSteps.step, index))

const redis = await testRedis()
const backends = [
  { name: 'Postgres', redisUrl: undefined },
  ...(redis === null ? [] : [{ name: 'Redis', redisUrl: redis.url }]),
]

describe.each(backends)('deployments of a backup, with jobs in $name', async ({ name, redisUrl }) => {
  const [source, ended, resumed] = await Promise.all([testDatabase(), empty(), empty()])
  const file = join(folder, name)
  const [waiting, running] = await prepareBackup()
  const journalOf = async (environment: Awaited<ReturnType<typeof openWorkerEnvironment>>) =>
    (await environment.file('nodes/n1/journal')).split('\n').slice(0, -1)

  /** Leaves a waiting deployment, one that has begun its second step, and the jobs of both. */
  async function prepareBackup() {
    const context = await adminContext(source)
    const { tools } = await openWorkerEnvironment(source, { redisUrl, recipes })
    const webs = await insertWebs(source, await createNodes(source, 1), 3)
    const [first = 0, second = 0] = [
      await requestAction(context, tools, 'updateWeb', { id: webs[0] ?? 0 }),
      await requestAction(context, tools, 'updateWeb', { id: webs[1] ?? 0 }),
    ]
    await source.db
      .update(deployments)
      .set({ state: 'running', holder: 'worker', held_until: new Date(Date.now() + 8_000), epoch: 2 })
      .where(eq(deployments.id, second))
    for (const [index, state] of ['succeeded', 'succeeded', 'running'].entries())
      await source.db.update(deploymentSteps).set({ state }).where(sameStep(second, index))
    await kustos(source, 'backup', file)
    return [first, second] as const
  }

  const readEntries = (database: TestDatabase) =>
    database.db
      .select()
      .from(logEntries)
      .where(eq(logEntries.description, 'updateWeb failed'))
      .orderBy(asc(logEntries.id))

  test('end as failed, and run again only if they are retried', async () => {
    expect(await kustos(ended, 'restore', file)).toContain(
      'Deployments that were waiting or running have failed: 2. Retry those that are still wanted in the console, or restore with --resume-deployments.',
    )
    const context = createContext(ended, await findUserWithPermissions(ended.db, 1))
    for (const id of [waiting, running]) {
      const row = await waitForState(ended, id, ['failed'], 0)
      expect(row).toMatchObject({
        error_code: 'ended_by_restore',
        holder: null,
        held_until: null,
        waits_for: null,
      })
      expect(row.ended_at).not.toBeNull()
    }
    const read = await readDeployment(context, running)
    expect(read.steps.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'failed'])
    expect(await readEntries(ended)).toMatchObject(
      [waiting, running].map((id) => ({
        log_name: 'deployment',
        subject_type: 'web',
        causer_id: null,
        properties: {
          attributes: {
            deployment: id,
            error:
              'A backup was restored in which this deployment had not finished. Check the website before you retry it.',
            by: 'command line',
          },
        },
      })),
    )

    const environment = await openWorkerEnvironment(ended, { redisUrl, recipes })
    // Records of runs after the backup, whose names must not be used again.
    const fresh = running + 1
    for (const run of [`d${running}-3-2`, `d${fresh}-1-1`])
      await mkdir(join(environment.folder, 'nodes/n1/.runs', run), { recursive: true })
    const worker = await environment.startWorker()
    const [web = 0] = await insertWebs(ended, [1], 1)
    const id = await requestAction(context, environment.tools, 'updateWeb', { id: web })
    await waitForState(ended, id, ['succeeded'])
    await expect
      .poll(() => environment.tools.queues.hasPendingJob('deployment', jobIdOf(waiting)), { timeout: 30_000 })
      .toBe(false)
    expect(await journalOf(environment)).toEqual([`${id} first`, `${id} second`])
    await waitForState(ended, waiting, ['failed'], 0)
    await waitForState(ended, running, ['failed'], 0)

    for (const again of [waiting, running]) {
      await retryDeployment(context, environment.tools, again)
      await waitForState(ended, again, ['succeeded'])
    }
    expect((await journalOf(environment)).slice(2)).toEqual([
      `${waiting} first`,
      `${waiting} second`,
      `${running} second`,
    ])
    await end(worker, 'SIGTERM')
  })

  test('continue with --resume-deployments', async () => {
    expect(await kustos(resumed, 'restore', file, '--resume-deployments')).toContain(
      'Deployments in progress: 2',
    )
    expect(await readEntries(resumed)).toEqual([])
    await skipRefreshes(resumed, [1, 2, 3])
    const environment = await openWorkerEnvironment(resumed, { redisUrl, recipes })
    const worker = await environment.startWorker()
    for (const id of [waiting, running]) await waitForState(resumed, id, ['succeeded'])
    expect((await journalOf(environment)).toSorted()).toEqual([
      `${waiting} first`,
      `${waiting} second`,
      `${running} second`,
    ])
    await end(worker, 'SIGTERM')
  })
})
