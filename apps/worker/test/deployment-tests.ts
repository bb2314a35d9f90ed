import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { deploymentLines, deployments, logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { cancelDeployment, readDeployment, requestAction, retryDeployment } from '@kustos/domain/deployment'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import {
  adminContext,
  createNodes,
  end,
  insertWebs,
  isAlive,
  openWorkerEnvironment,
  waitForState,
} from './worker-environment.ts'

/** A command that appends a line to the journal of its node at its end. */
const journalStep = (name: string, seconds: string) => ({
  name,
  place: 'node',
  argv: ['sh', '-c', `sleep ${seconds}; echo "$1" >> journal`, 'sh', `{deployment} ${name}`],
  timeout: 30,
})

const recipes = {
  updateWeb: [journalStep('first', '0.05'), journalStep('second', '0.05')],
  backupWeb: [journalStep('one', '0.2'), journalStep('two', '0.3'), journalStep('three', '0.2')],
  exportDatabase: [
    {
      name: 'hang',
      place: 'node',
      argv: ['sh', '-c', 'echo started; sleep 300 & echo $! > child; wait', 'sh'],
      timeout: 60,
    },
  ],
  exportDatabaseKick: [
    journalStep('before', '0'),
    {
      name: 'fails at first',
      place: 'node',
      argv: ['sh', '-c', 'test -e "repaired-$1" || { echo "no such database" >&2; exit 3; }', 'sh', '{web}'],
      timeout: 10,
    },
    journalStep('after', '0'),
  ],
  importDatabase: [{ name: 'too long', place: 'node', argv: ['sleep', '60'], timeout: 1 }],
}

/** Opens a database with nodes, and an environment whose workers run these recipes. */
export async function openDeployments(redisUrl?: string) {
  const database = await testDatabase()
  const context = await adminContext(database)
  const environment = await openWorkerEnvironment(database, { redisUrl, recipes })
  const nodeIds = await createNodes(database, 10)
  return {
    database,
    context,
    environment,
    nodeIds,
    createWebs: (count: number) => insertWebs(database, nodeIds, count),
    readJournal: async (node: string) => (await environment.file(`nodes/${node}/journal`)).split('\n'),
  }
}

/** Defines the tests of deployments. The queue is in Postgres, or in Redis if its URL is passed. */
export async function testDeployments(redisUrl?: string): Promise<void> {
  const { database, context, environment, createWebs, readJournal } = await openDeployments(redisUrl)
  const { db } = database
  const { tools } = environment
  let worker: ChildProcess
  beforeAll(async () => {
    worker = await environment.startWorker()
  })
  const createWeb = async () => (await createWebs(1))[0] ?? 0
  const readLines = (id: number) =>
    db
      .select()
      .from(deploymentLines)
      .where(eq(deploymentLines.deployment_id, id))
      .orderBy(deploymentLines.number)

  test('finish with steps, lines and audit entries', async () => {
    const web = await createWeb()
    const id = await requestAction(context, tools, 'updateWeb', { id: web })
    await waitForState(database, id, ['succeeded'])
    const read = await readDeployment(context, id)
    expect(read.steps.map((step) => [step.name, step.state])).toEqual([
      ['pre-flight', 'succeeded'],
      ['first', 'succeeded'],
      ['second', 'succeeded'],
    ])
    for (const step of read.steps) {
      expect(Date.parse(step.ended_at ?? '')).toBeGreaterThanOrEqual(Date.parse(step.started_at ?? ''))
    }
    const lines = await readLines(id)
    expect(lines.map((line) => line.number)).toEqual(lines.map((_, index) => index + 1))
    expect(await readJournal('n1')).toEqual([`${id} first`, `${id} second`, ''])
    const entries = await db
      .select()
      .from(logEntries)
      .where(and(eq(logEntries.subject_type, 'web'), eq(logEntries.subject_id, web)))
      .orderBy(desc(logEntries.id))
    expect(entries.map((entry) => entry.description)).toEqual(['updateWeb succeeded', 'updateWeb requested'])
  })

  test('fail with a reason and resume at the failed step when retried', async () => {
    const web = await createWeb()
    const id = await requestAction(context, tools, 'exportDatabaseKick', { id: web })
    const failed = await waitForState(database, id, ['failed'])
    expect(failed.error).toBe('fails at first: no such database (exit code 3)')

    await writeFile(`${environment.folder}/nodes/n1/repaired-${web}`, '')
    await retryDeployment(context, tools, id)
    await waitForState(database, id, ['succeeded'])
    const journal = (await readJournal('n1')).filter((line) => line.startsWith(`${id} `))
    expect(journal).toEqual([`${id} before`, `${id} after`])
  })

  test('are cancelled with their commands, which lets waiting ones start', async () => {
    const web = await createWeb()
    const id = await requestAction(context, tools, 'exportDatabase', { id: web })
    await waitForState(database, id, ['running'])
    while (!(await readLines(id)).some((line) => line.text === 'started')) await sleep(30)
    const next = await requestAction(context, tools, 'updateWeb', { id: web })
    await expect
      .poll(() => readDeployment(context, next), { timeout: 30_000 })
      .toMatchObject({
        state: 'waiting',
        waits_for: `exportDatabase (deployment ${id}) of the same web is running.`,
        place: 1,
      })
    const child = Number(await environment.file('nodes/n1/child'))
    expect(await isAlive(child)).toBe(true)
    const cancelledAt = Date.now()
    await cancelDeployment(context, tools, id)
    await waitForState(database, id, ['cancelled'])
    expect(Date.now() - cancelledAt).toBeLessThan(9_000)
    expect(await isAlive(child)).toBe(false)
    await waitForState(database, next, ['succeeded'], 10_000)
  })

  test('fail when a command exceeds its timeout', async () => {
    const id = await requestAction(context, tools, 'importDatabase', { id: await createWeb() })
    const failed = await waitForState(database, id, ['failed'])
    expect(failed.error).toBe('too long: The command took longer than 1 s and was stopped.')
  })

  test('are released within 10 s when the worker stops', async () => {
    const id = await requestAction(context, tools, 'exportDatabase', { id: await createWeb() })
    await waitForState(database, id, ['running'])
    expect(await end(worker, 'SIGTERM')).toBeLessThan(10_000)
    // It waits again if its command had not started, and keeps its place if the command runs.
    expect((await waitForState(database, id, ['waiting', 'running'])).holder).toBeNull()
    worker = await environment.startWorker()
    await waitForState(database, id, ['running'])
    await cancelDeployment(context, tools, id)
    await waitForState(database, id, ['cancelled'])
  })

  test('run one at a time per web and two per node until all have succeeded', async () => {
    const ids: number[] = []
    const webIds = await createWebs(15)
    for (const id of webIds) {
      ids.push(await requestAction(context, tools, 'updateWeb', { id }))
      ids.push(await requestAction(context, tools, 'backupWeb', { id }))
    }
    let maxOnNode = 0
    let maxOnWeb = 0
    for (;;) {
      const rows = await db
        .select({ state: deployments.state, node: deployments.node_id, web: deployments.web_id })
        .from(deployments)
        .where(inArray(deployments.id, ids))
      const running = rows.filter((row) => row.state === 'running')
      const maxGroup = (key: 'node' | 'web') =>
        Math.max(
          0,
          ...Object.values(Object.groupBy(running, (row) => String(row[key]))).map(
            (group) => group?.length ?? 0,
          ),
        )
      maxOnNode = Math.max(maxOnNode, maxGroup('node'))
      maxOnWeb = Math.max(maxOnWeb, maxGroup('web'))
      if (rows.every((row) => row.state === 'succeeded')) break
      expect(rows.filter((row) => row.state === 'failed')).toEqual([])
      await sleep(50)
    }
    expect(maxOnNode).toBe(2)
    expect(maxOnWeb).toBe(1)
  }, 240_000)
}
