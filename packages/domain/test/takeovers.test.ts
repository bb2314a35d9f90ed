import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deploymentSteps, deployments, nodes, webs } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { claimDeployment } from '../src/deployment/claim.ts'
import { createLease } from '../src/deployment/lease.ts'
import { journaledStep, openTestExecution } from './fencing/open-execution.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const folder = await mkdtemp(join(tmpdir(), 'kustos-takeovers-'))
const nodeFolder = join(folder, 'n1')
await mkdir(nodeFolder)
const settings = { databaseUrl: database.url, folder }
const { context, execute, close } = await openTestExecution(settings)
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})
const [node] = await db
  .insert(nodes)
  .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
  .returning()
const { name, place } = journaledStep

let count = 0
async function addDeployment(steps = 1): Promise<number> {
  const fqdn = `taken-over-${++count}.test`
  const at = new Date()
  const web_id = await addWeb(database, fqdn, { node_id: node?.id ?? null })
  const [row] = await db
    .insert(deployments)
    .values({ kind: 'updateWeb', fqdn, web_id, node_id: node?.id ?? null, created_at: at, updated_at: at })
    .returning()
  const deployment_id = row?.id ?? 0
  await db
    .insert(deploymentSteps)
    .values(Array.from({ length: steps }, (_, step) => ({ deployment_id, step, name, place })))
  return deployment_id
}

const claim = async (id: number) => {
  const claimed = await claimDeployment(context, id, { holder: `worker ${count}`, nodeConcurrency: 64 })
  return typeof claimed === 'string' ? expect.fail(claimed) : claimed
}
const expireLease = (id: number) =>
  db
    .update(deployments)
    .set({ held_until: sql`clock_timestamp() - interval '1 second'` })
    .where(eq(deployments.id, id))

/** Lets workers die that have taken the deployment over and ended no step. */
async function dieRepeatedly(id: number, times: number) {
  for (let death = 0; death < times; death++) {
    await claim(id)
    await expireLease(id)
  }
}

const read = async (id: number) => (await db.select().from(deployments).where(eq(deployments.id, id)))[0]
const readJournal = (id: number) => readFile(join(nodeFolder, `journal-${id}`), 'utf8').catch(() => '')

test('ends a deployment whose worker died ten times in one step, with its command, and lets the next one run', async () => {
  const id = await addDeployment()
  const worker = fork(
    new URL('./fencing/freezing-execution.ts', import.meta.url),
    [JSON.stringify(settings)],
    {
      execArgv: [],
    },
  )
  await once(worker, 'message')
  worker.send({ deployment: id, point: -1, isOverSsh: false })
  await vi.waitFor(async () => expect(await readJournal(id)).toBe('starts\n'), { timeout: 30_000 })
  const exited = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exited
  await expireLease(id)
  await dieRepeatedly(id, 9)

  const reason = 'Given up after 10 attempts: the worker stopped before the end of this step each time.'
  expect(await execute(id)).toEqual({ failed: `import: ${reason}` })
  expect(await read(id)).toMatchObject({ state: 'failed', error: `import: ${reason}`, holder: null })
  await writeFile(join(nodeFolder, `go-${id}`), '')
  const { web_id = null, fqdn = '' } = (await read(id)) ?? {}
  const next = await addDeployment()
  await db.update(deployments).set({ web_id, fqdn }).where(eq(deployments.id, next))
  await writeFile(join(nodeFolder, `go-${next}`), '')
  expect(await execute(next)).toBe('done')
  expect(await readJournal(id)).toBe('starts\n')
})

test('ends a deployment that kills its worker even while it is given up', async () => {
  const id = await addDeployment()
  await dieRepeatedly(id, 11)
  const reason = 'Given up after 11 attempts: the worker stopped before the end of this step each time.'
  expect(await execute(id)).toEqual({ failed: reason })
  expect(await readJournal(id)).toBe('')
})

test('continues a deployment whose worker died nine times in each of its steps', async () => {
  const id = await addDeployment(2)
  await writeFile(join(nodeFolder, `go-${id}`), '')
  await dieRepeatedly(id, 9)
  const { row } = await claim(id)
  await createLease(context, row, new AbortController().signal).mark(0, 'succeeded')
  await expireLease(id)
  await dieRepeatedly(id, 8)
  expect(await execute(id)).toBe('done')
})

test('continues a deployment that was handed over many times in one step', async () => {
  const id = await addDeployment()
  await writeFile(join(nodeFolder, `go-${id}`), '')
  for (let time = 0; time < 12; time++) {
    const { row } = await claim(id)
    await createLease(context, row, new AbortController().signal).release()
  }
  expect(await execute(id)).toBe('done')
})

test('does not run the next step on a node that the web has left meanwhile', async () => {
  const id = await addDeployment(2)
  const execution = execute(id)
  await vi.waitFor(async () => expect(await readJournal(id)).toBe('starts\n'), { timeout: 30_000 })
  await db
    .update(webs)
    .set({ node_id: null })
    .where(eq(webs.fqdn, `taken-over-${count}.test`))
  await writeFile(join(nodeFolder, `go-${id}`), '')
  await execution
  expect(await readJournal(id)).toBe('starts\nends\n')
  expect(await read(id)).toMatchObject({
    state: 'failed',
    error: `import: taken-over-${count}.test was moved to another node. Request it again.`,
  })
})
