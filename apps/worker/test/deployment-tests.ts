import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { deploymentLines, deploymentSteps, deployments, logEntries } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { cancelDeployment, readDeployment, requestAction, retryDeployment } from '@kustos/domain/deployment'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { adminContext, end, lives, makeNodes, makeWebs, openWorking, reach } from './working.ts'

/** A command that the journal of its node tells of, once at its end. */
const journal = (name: string, seconds: string) => ({
  name,
  place: 'node',
  argv: ['sh', '-c', `sleep ${seconds}; echo "$1" >> journal`, 'sh', `{deployment} ${name}`],
  timeout: 30,
})

const recipes = {
  updateWeb: [journal('first', '0.05'), journal('second', '0.05')],
  backupWeb: [journal('one', '0.2'), journal('two', '0.3'), journal('three', '0.2')],
  exportDatabase: [
    {
      name: 'hang',
      place: 'node',
      argv: ['sh', '-c', 'echo begun; sleep 300 & echo $! > child; wait', 'sh'],
      timeout: 60,
    },
  ],
  exportDatabaseKick: [
    journal('before', '0'),
    {
      name: 'fails at first',
      place: 'node',
      argv: ['sh', '-c', 'test -e "repaired-$1" || { echo "no such database" >&2; exit 3; }', 'sh', '{web}'],
      timeout: 10,
    },
    journal('after', '0'),
  ],
  importDatabase: [{ name: 'too long', place: 'node', argv: ['sleep', '60'], timeout: 1 }],
}

/** The tests of deployments; the queue is in Postgres, or in Redis if its URL is given. */
export async function testDeployments(redisUrl?: string): Promise<void> {
  const database = await testDatabase()
  const { db } = database
  const context = await adminContext(database)
  const working = await openWorking(database, { redisUrl, recipes })
  const { tools } = working
  const nodeIds = await makeNodes(database, 10)
  const newWebs = (count: number, from = nodeIds) => makeWebs(database, from, count)
  const newWeb = async () => (await newWebs(1))[0] ?? 0
  const journalOf = async (node: string) => (await working.file(`nodes/${node}/journal`)).split('\n')
  const linesOf = (id: number) =>
    db
      .select()
      .from(deploymentLines)
      .where(eq(deploymentLines.deployment_id, id))
      .orderBy(deploymentLines.number)

  test('finish with steps, lines and audit entries', async () => {
    const worker = await working.startWorker()
    const web = await newWeb()
    const id = await requestAction(context, tools, 'updateWeb', { id: web })
    await reach(database, id, ['succeeded'])
    const read = await readDeployment(context, id)
    expect(read.steps.map((step) => [step.name, step.state])).toEqual([
      ['pre-flight', 'succeeded'],
      ['first', 'succeeded'],
      ['second', 'succeeded'],
    ])
    for (const step of read.steps) {
      expect(Date.parse(step.ended_at ?? '')).toBeGreaterThanOrEqual(Date.parse(step.started_at ?? ''))
    }
    const lines = await linesOf(id)
    expect(lines.map((line) => line.number)).toEqual(lines.map((_, index) => index + 1))
    expect(await journalOf('n1')).toEqual([`${id} first`, `${id} second`, ''])
    const entries = await db
      .select()
      .from(logEntries)
      .where(and(eq(logEntries.subject_type, 'web'), eq(logEntries.subject_id, web)))
      .orderBy(desc(logEntries.id))
    expect(entries.map((entry) => entry.description)).toEqual(['updateWeb succeeded', 'updateWeb requested'])
    await end(worker, 'SIGTERM')
  })

  test('fail with a sentence and resume at the failed step when retried', async () => {
    const worker = await working.startWorker()
    const web = await newWeb()
    const id = await requestAction(context, tools, 'exportDatabaseKick', { id: web })
    const failed = await reach(database, id, ['failed'])
    expect(failed.error).toBe('fails at first: no such database (exit code 3)')

    await writeFile(`${working.folder}/nodes/n1/repaired-${web}`, '')
    await retryDeployment(context, tools, id)
    await reach(database, id, ['succeeded'])
    const ran = (await journalOf('n1')).filter((line) => line.startsWith(`${id} `))
    expect(ran).toEqual([`${id} before`, `${id} after`])
    await end(worker, 'SIGTERM')
  })

  test('are cancelled with their commands, and waiting ones start', async () => {
    const worker = await working.startWorker()
    const web = await newWeb()
    const id = await requestAction(context, tools, 'exportDatabase', { id: web })
    await reach(database, id, ['running'])
    while (!(await linesOf(id)).some((line) => line.text === 'begun')) await sleep(30)
    const next = await requestAction(context, tools, 'updateWeb', { id: web })
    await expect
      .poll(() => readDeployment(context, next), { timeout: 10_000 })
      .toMatchObject({
        state: 'waiting',
        waits_for: `exportDatabase (deployment ${id}) of the same web is running.`,
        place: 1,
      })
    const child = Number(await working.file('nodes/n1/child'))
    expect(await lives(child)).toBe(true)
    const asked = Date.now()
    await cancelDeployment(context, tools, id)
    await reach(database, id, ['cancelled'])
    expect(Date.now() - asked).toBeLessThan(9_000)
    expect(await lives(child)).toBe(false)
    await reach(database, next, ['succeeded'], 10_000)
    await end(worker, 'SIGTERM')
  })

  test('fail when a command exceeds its timeout', async () => {
    const worker = await working.startWorker()
    const id = await requestAction(context, tools, 'importDatabase', { id: await newWeb() })
    const failed = await reach(database, id, ['failed'])
    expect(failed.error).toBe('too long: The command took longer than 1 s and was ended.')
    await end(worker, 'SIGTERM')
  })

  test('are handed back within 10 s when the worker stops', async () => {
    const first = await working.startWorker()
    const id = await requestAction(context, tools, 'exportDatabase', { id: await newWeb() })
    await reach(database, id, ['running'])
    expect(await end(first, 'SIGTERM')).toBeLessThan(10_000)
    expect((await reach(database, id, ['waiting'])).holder).toBeNull()
    const second = await working.startWorker()
    await reach(database, id, ['running'])
    await cancelDeployment(context, tools, id)
    await reach(database, id, ['cancelled'])
    await end(second, 'SIGTERM')
  })

  test('run one at a time per web and two per node, and drain', async () => {
    const worker = await working.startWorker()
    const ids: number[] = []
    const webIds = await newWebs(30)
    for (const id of webIds) {
      ids.push(await requestAction(context, tools, 'updateWeb', { id }))
      ids.push(await requestAction(context, tools, 'backupWeb', { id }))
    }
    let mostOnNode = 0
    let mostOnWeb = 0
    for (;;) {
      const rows = await db
        .select({ state: deployments.state, node: deployments.node_id, web: deployments.web_id })
        .from(deployments)
        .where(inArray(deployments.id, ids))
      const running = rows.filter((row) => row.state === 'running')
      const most = (key: 'node' | 'web') =>
        Math.max(
          0,
          ...Object.values(Object.groupBy(running, (row) => String(row[key]))).map(
            (group) => group?.length ?? 0,
          ),
        )
      mostOnNode = Math.max(mostOnNode, most('node'))
      mostOnWeb = Math.max(mostOnWeb, most('web'))
      if (rows.every((row) => row.state === 'succeeded')) break
      expect(rows.filter((row) => row.state === 'failed')).toEqual([])
      await sleep(50)
    }
    expect(mostOnNode).toBe(2)
    expect(mostOnWeb).toBe(1)
    await end(worker, 'SIGTERM')
  }, 120_000)

  test('survive killed workers without repeating finished steps', async () => {
    const ids: number[] = []
    for (const id of await newWebs(10)) {
      ids.push(await requestAction(context, tools, 'backupWeb', { id }))
    }
    for (let kill = 0; kill < 6; kill++) {
      const worker = await working.startWorker()
      await sleep(100 + ((kill * 137) % 700))
      await end(worker, 'SIGKILL')
    }
    const worker = await working.startWorker()
    for (const id of ids) await reach(database, id, ['succeeded'], 90_000)
    const ran = (await Promise.all(nodeIds.map((_, index) => journalOf(`n${index + 1}`))))
      .flat()
      .filter((line) => ids.some((id) => line.startsWith(`${id} `)))
    expect(ran.toSorted()).toEqual(
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
    'all run after Redis was flushed with 50 waiting',
    async () => {
      const ids: number[] = []
      for (const id of await newWebs(50)) ids.push(await requestAction(context, tools, 'updateWeb', { id }))
      const client = new Redis(redisUrl ?? '')
      await client.flushall()
      client.disconnect()
      const worker = await working.startWorker()
      for (const id of ids) await reach(database, id, ['succeeded'], 60_000)
      await end(worker, 'SIGTERM')
    },
    90_000,
  )
}
