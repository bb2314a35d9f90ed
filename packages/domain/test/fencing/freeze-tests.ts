import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSshServer } from '@kustos/clients/testing/ssh-server'
import { openDatabase } from '@kustos/database/client'
import { deploymentLines, deploymentSteps, deployments, nodes } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { addWeb } from '../web-row.ts'
import { type FreezePoint, needsSsh, unstartedPoints, workerPoints, wrapperPoints } from './freeze-points.ts'
import { journaledStep, openTestExecution } from './open-execution.ts'

const database = await testDatabase()
const { db } = database
const folder = await mkdtemp(join(tmpdir(), 'kustos-fencing-'))
const nodeFolder = join(folder, 'n1')
await mkdir(nodeFolder)
const { port, user, keyFile, knownHostsFile, kill: killSshServer } = await startSshServer(join(folder, 'ssh'))
const ssh = { port, user, keyFile, knownHostsFile }
const settings = { databaseUrl: database.url, folder, ssh }
const second = await openTestExecution(settings)
const administration = openDatabase(database.url, { max: 1, asLogin: true })
const first = fork(new URL('./freezing-execution.ts', import.meta.url), [JSON.stringify(settings)], {
  execArgv: [],
})
await once(first, 'message')
afterAll(async () => {
  const exited = once(first, 'exit')
  first.kill('SIGKILL')
  await exited
  await second.close()
  await administration.close()
  await killSshServer()
  await rm(folder, { recursive: true, force: true })
})
const [node] = await db
  .insert(nodes)
  .values({
    name: 'n1',
    plesk_fqdn: 'n1.plesk.test',
    ssh_host: '127.0.0.1',
    address: '192.0.2.1',
    cloud_enabled: true,
  })
  .returning()

let count = 0
async function addDeployment(): Promise<number> {
  const fqdn = `frozen-${++count}.test`
  const now = new Date()
  const [row] = await db
    .insert(deployments)
    .values({
      kind: 'updateWeb',
      fqdn,
      web_id: await addWeb(database, fqdn, { node_id: node?.id ?? null }),
      node_id: node?.id ?? null,
      created_at: now,
      updated_at: now,
    })
    .returning()
  const { name, place } = journaledStep
  await db.insert(deploymentSteps).values({ deployment_id: row?.id ?? 0, step: 0, name, place })
  return row?.id ?? 0
}

const readJournal = async (id: number) =>
  (await readFile(join(nodeFolder, `journal-${id}`), 'utf8').catch(() => '')).split('\n').filter(Boolean)
const isStopped = async ({ pid }: Pick<ChildProcess, 'pid'>) =>
  /\) T/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
const waitFor = (condition: () => Promise<boolean>, what: string) =>
  vi.waitFor(async () => expect(await condition(), what).toBe(true), { timeout: 30_000, interval: 20 })
const lines = (id: number) =>
  db
    .select({ source: deploymentLines.source, text: deploymentLines.text })
    .from(deploymentLines)
    .where(eq(deploymentLines.deployment_id, id))

const name = ({ file, line, text }: FreezePoint) => `${file.split('/').at(-1)}:${line + 1} ${text}`

/** Ends what the first execution has begun when it froze, as `idle_in_transaction_session_timeout` does after a minute. */
const endOpenTransactions = () =>
  administration.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`)

/** Executes a deployment as soon as its lease, which the test lets expire, can be taken over. */
async function takeOver(id: number, execute = second.execute) {
  for (;;) {
    await db
      .update(deployments)
      .set({ held_until: sql`clock_timestamp() - interval '1 second'` })
      .where(and(eq(deployments.id, id), eq(deployments.state, 'running')))
    const outcome = await execute(id)
    if (outcome === 'done' || 'failed' in outcome) return outcome
  }
}

/** Freezes the first execution at a point, lets another one take over, and wakes the first. */
async function freezeAndTakeOver(
  point: { worker: number; isOverSsh: boolean } | { wrapper: number },
  wakes: 'meanwhile' | 'after',
) {
  const id = await addDeployment()
  const frozenFile = join(nodeFolder, 'frozen')
  await rm(frozenFile, { force: true })
  if ('wrapper' in point) await writeFile(join(nodeFolder, `freeze-${point.wrapper}`), '')
  const ended = once(first, 'message')
  const { worker, isOverSsh } = 'worker' in point ? point : { worker: -1, isOverSsh: false }
  first.send({ deployment: id, point: worker, isOverSsh })
  let wrapper: number | null = null
  if ('wrapper' in point) {
    await waitFor(async () => {
      wrapper = Number(await readFile(frozenFile, 'utf8').catch(() => '')) || null
      return wrapper !== null && (await isStopped({ pid: wrapper }))
    }, 'the wrapper freezes')
    first.kill('SIGSTOP')
  }
  await waitFor(() => isStopped(first), 'the first execution freezes')
  await endOpenTransactions()
  const takeover = takeOver(id, isOverSsh ? second.executeOverSsh : second.execute)
  const wake = async () => {
    if (wrapper !== null) process.kill(wrapper, 'SIGCONT')
    first.kill('SIGCONT')
    await ended
  }
  const finish = async () => {
    await writeFile(join(nodeFolder, `go-${id}`), '')
    return takeover
  }
  // A wrapper that has started its run is followed by the second execution.
  const isFollowed = 'wrapper' in point && point.wrapper >= unstartedPoints.length
  if (isFollowed && wrapper !== null) process.kill(wrapper, 'SIGCONT')
  await waitFor(async () => (await readJournal(id)).length > 0, 'the command starts')
  if (wakes === 'meanwhile') await wake()
  const outcome = await finish()
  if (wakes === 'after') await wake()
  return { id, outcome }
}

async function expectOneRun({ id, outcome }: Awaited<ReturnType<typeof freezeAndTakeOver>>) {
  expect(await readJournal(id)).toEqual(['starts', 'ends'])
  expect(outcome).toBe('done')
  expect(await db.select().from(deployments).where(eq(deployments.id, id))).toMatchObject([
    { state: 'succeeded' },
  ])
  expect((await lines(id)).filter(({ source }) => source !== 'note')).toEqual([
    { source: 'out', text: `${id} runs` },
  ])
}

/** Defines the tests of an execution that freezes at each point and wakes while or after another one runs the command. */
export const testFreezes = (
  wakes: 'meanwhile' | 'after',
  { isTested = () => true }: { readonly isTested?: (point: FreezePoint) => boolean } = {},
) =>
  describe(`an execution that wakes ${wakes} another has taken over`, () => {
    test.each(
      workerPoints.flatMap((point, worker) =>
        isTested(point) ? [[name(point), { worker, isOverSsh: needsSsh(point) }] as const] : [],
      ),
    )('starts no second command: %s', async (_, point) => expectOneRun(await freezeAndTakeOver(point, wakes)))
    test.each(wrapperPoints.map((point, wrapper) => [name(point), wrapper] as const))(
      'starts no second command, with its wrapper: %s',
      async (_, wrapper) => expectOneRun(await freezeAndTakeOver({ wrapper }, wakes)),
    )
  })
