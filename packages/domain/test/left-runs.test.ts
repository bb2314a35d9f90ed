import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queues } from '@kustos/clients/queue'
import { openSshRunners } from '@kustos/clients/runner'
import { startSshServer } from '@kustos/clients/testing/ssh-server'
import type { CurrentUser } from '@kustos/contract/users'
import { deploymentSteps, deployments, nodes, users } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { cancelDeployment, type DeploymentTools } from '../src/deployment/index.ts'
import type { CommandStep } from '../src/deployment/recipes.ts'
import { createContext } from '../src/platform/context.ts'
import { journaledStep, openTestExecution } from './fencing/open-execution.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const folder = await mkdtemp(join(tmpdir(), 'kustos-left-runs-'))
const nodeFolder = join(folder, 'n1')
await mkdir(nodeFolder)
const { execute, close } = await openTestExecution({ databaseUrl: database.url, folder })
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})
const testNode = { name: 'n1', plesk_fqdn: 'n1.plesk.test', ssh_host: '127.0.0.1' }
const [node] = await db
  .insert(nodes)
  .values({ ...testNode, address: '192.0.2.1', cloud_enabled: true })
  .returning()

/** Executes a deployment until its command runs, which a worker that stops leaves running. */
async function leaveRunning(id: number, runners: ReturnType<typeof openSshRunners>): Promise<void> {
  const stopping = new AbortController()
  const execution = execute(id, { runners, stopping: stopping.signal })
  await waitForJournal(id, 'starts\n')
  stopping.abort()
  await execution
}

let servers = 0
/** Starts an SSH server of the node, and connects to it. */
async function startServer() {
  const { kill, port, user, keyFile, knownHostsFile } = await startSshServer(join(folder, `ssh-${++servers}`))
  const runners = openSshRunners({ port, user, keyFile, knownHostsFile, runsFolder: join(folder, 'runs') })
  const stop = async () => {
    await runners.close()
    await kill()
  }
  return { runners, kill, stop }
}

async function addDeployment(fqdn: string, web_id: number): Promise<number> {
  const at = new Date()
  const [row] = await db
    .insert(deployments)
    .values({ kind: 'updateWeb', fqdn, web_id, node_id: node?.id ?? null, created_at: at, updated_at: at })
    .returning()
  const { name, place } = journaledStep
  await db.insert(deploymentSteps).values({ deployment_id: row?.id ?? 0, step: 0, name, place })
  return row?.id ?? 0
}

const readState = async (id: number) =>
  (await db.select().from(deployments).where(eq(deployments.id, id)))[0]?.state
const readJournal = (id: number) => readFile(join(nodeFolder, `journal-${id}`), 'utf8').catch(() => '')
const waitForJournal = (id: number, text: string) =>
  vi.waitFor(async () => expect(await readJournal(id)).toBe(text), { timeout: 30_000 })
const letGo = (id: number) => writeFile(join(nodeFolder, `go-${id}`), '')

const [admin] = await db
  .insert(users)
  .values({ email: 'admin@kustos.test', name: 'Admin', password_hash: '' })
  .returning({ id: users.id, email: users.email, name: users.name })
const actor = { ...admin, roles: [{ id: 1, name: 'admin' }], permissions: [] } as unknown as CurrentUser
const promoted: string[] = []
const tools: DeploymentTools = {
  queues: {
    add: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    promote: (_, id) => Promise.resolve(void promoted.push(id)),
  } as Partial<Queues> as Queues,
  recipes: {},
  trialDay: null,
  onError: (error) => expect.fail(error.message),
}

test('a waiting deployment that is cancelled ends the command that an earlier execution has left', async () => {
  const fqdn = 'waiting.test'
  const web = await addWeb(database, fqdn, { node_id: node?.id ?? null })
  const id = await addDeployment(fqdn, web)
  const { runners, stop } = await startServer()
  await leaveRunning(id, runners)
  // As after an unexpected error: it is repeated later.
  await db.update(deployments).set({ state: 'waiting', held_until: null }).where(eq(deployments.id, id))
  await cancelDeployment(createContext(database, actor), tools, id)
  expect(promoted).toEqual([`deployment-${id}`])
  await execute(id, { runners })
  expect(await readState(id)).toBe('cancelled')
  expect(await runners.node(testNode).findRunning(`d${id}-1-0`)).toEqual([])
  await stop()
})

test('a command is followed to its end although an upgrade has moved its step in the recipe', async () => {
  const fqdn = 'moved.test'
  const id = await addDeployment(fqdn, await addWeb(database, fqdn, { node_id: node?.id ?? null }))
  await db
    .insert(deploymentSteps)
    .values({ deployment_id: id, step: 1, name: 'later', place: journaledStep.place })
  const { runners, stop } = await startServer()
  await leaveRunning(id, runners)
  const added = { ...journaledStep, name: 'added', argv: ['false'] } satisfies CommandStep
  const recipes = { updateWeb: [added, { ...added, name: journaledStep.name }] }
  const next = execute(id, { runners, recipes })
  await letGo(id)
  // What has not begun is not left out.
  expect(await next).toEqual({
    failed:
      'later: The recipe of updateWeb has changed since this deployment was requested. Request it again.',
  })
  expect(await readJournal(id)).toBe('starts\nends\n')
  await stop()
})

describe.each(['failed', 'cancelled'] as const)('a deployment that %s while its node was away', (state) => {
  test('leaves its command running, beside which no other one of its web starts', async () => {
    const fqdn = `${state}.test`
    const web = await addWeb(database, fqdn, { node_id: node?.id ?? null })
    const id = await addDeployment(fqdn, web)
    const first = await startServer()
    await leaveRunning(id, first.runners)
    await first.kill()
    if (state === 'cancelled')
      await db.update(deployments).set({ cancel_requested_at: new Date() }).where(eq(deployments.id, id))
    // With other steps than before, it only tries to end the command, and gives up at once.
    await execute(id, { runners: first.runners, recipes: { updateWeb: [] } })
    await first.stop()
    expect(await readState(id)).toBe(state)

    const second = await startServer()
    const next = await addDeployment(fqdn, web)
    await letGo(next)
    const reason = `The command of deployment ${id} still runs on the node. Try again once it has ended, or retry that deployment, which ends it.`
    expect(await execute(next, second)).toEqual({ failed: `import: ${reason}` })
    expect(await readJournal(next)).toBe('')

    await letGo(id)
    await waitForJournal(id, 'starts\nends\n')
    // Its wrapper ends a moment later.
    await vi.waitFor(async () =>
      expect(await second.runners.node(testNode).findRunning(`d${id}-1-0`)).toEqual([]),
    )
    const last = await addDeployment(fqdn, web)
    await letGo(last)
    expect(await execute(last, second)).toBe('done')
    expect(await readJournal(last)).toBe('starts\nends\n')
    // So that the node is not asked again.
    expect(
      await db.select().from(deploymentSteps).where(eq(deploymentSteps.deployment_id, id)),
    ).toMatchObject([{ state, run_epoch: null }])
    await second.stop()
  })
})
