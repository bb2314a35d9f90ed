import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  alerts,
  batches,
  batchTargets,
  deploymentSteps,
  deployments,
  nodes,
  users,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { executeDeployment } from '../src/deployment/index.ts'
import type { CommandStep } from '../src/deployment/recipes.ts'
import { readConfiguration } from '../src/platform/configuration/index.ts'
import { createContext } from '../src/platform/context.ts'
import { openWorkerServices } from '../src/services.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const folder = await mkdtemp(join(tmpdir(), 'kustos-deployment-ends-'))
await mkdir(join(folder, 'n1'))
const read = readConfiguration({
  DATABASE_URL: database.url,
  LOCAL_NODES_DIR: folder,
  KUSTOS_DATA_DIR: folder,
  PUBLIC_URL: 'https://kustos.test/',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'kustos@kustos.test',
})
if (!read.ok) throw new Error(read.sentence)
const services = await openWorkerServices(read.configuration, {
  databaseUrl: database.url,
  onError: () => undefined,
})
afterAll(async () => {
  await services.close()
  await rm(folder, { recursive: true, force: true })
})
const context = { ...createContext(database), mail: services.mail }
const [node] = await db
  .insert(nodes)
  .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
  .returning()

const steps: Readonly<Record<'succeeded' | 'failed', CommandStep>> = {
  succeeded: { name: 'Work', place: 'node', argv: ['true'], timeout: 10 },
  failed: {
    name: 'Work',
    place: 'node',
    argv: ['sh', '-c', 'echo "The disk is full." >&2; exit 3'],
    timeout: 10,
  },
} as const

async function addUser(email: string, deployment_mail_subscription: boolean, deleted_at: Date | null = null) {
  const values = { email, name: email, password_hash: '', deployment_mail_subscription, deleted_at }
  const [row] = await db.insert(users).values(values).returning()
  return row?.id ?? 0
}

/** @returns the ids of the deployment and its web */
async function addDeployment(fqdn: string, requested_by: number | null, batch_id: number | null = null) {
  const web_id = await addWeb(database, fqdn, { node_id: node?.id ?? null })
  const now = new Date()
  const [row] = await db
    .insert(deployments)
    .values({
      kind: 'backupWeb',
      fqdn,
      web_id,
      node_id: node?.id ?? null,
      requested_by,
      batch_id,
      created_at: now,
      updated_at: now,
    })
    .returning()
  const id = row?.id ?? 0
  await db.insert(deploymentSteps).values({ deployment_id: id, step: 0, name: 'Work', place: 'node' })
  return { id, web_id }
}

async function execute(id: number, end: keyof typeof steps): Promise<void> {
  const tools = {
    ...services.deployments,
    recipes: { ...services.deployments.recipes, backupWeb: [steps[end]] },
  }
  await executeDeployment(context, tools, id, new AbortController().signal)
  const [ended] = await db.select().from(deployments).where(eq(deployments.id, id))
  expect(ended?.state).toBe(end)
}

/** @returns the id of the deployment */
async function deploy(fqdn: string, end: keyof typeof steps, requested_by: number | null): Promise<number> {
  const { id } = await addDeployment(fqdn, requested_by)
  await execute(id, end)
  return id
}

const mailsTo = async (email: string) =>
  (await db.select().from(alerts).where(eq(alerts.recipient, email))).map(({ content }) => content)

test('a user who wants it gets a mail for each own deployment that succeeds or fails', async () => {
  const email = 'anna@kustos.test'
  const anna = await addUser(email, true)
  const succeeded = await deploy('gut.test', 'succeeded', anna)
  const failed = await deploy('schlecht.test', 'failed', anna)
  expect(await mailsTo(email)).toEqual([
    { title: 'Backup · gut.test: succeeded', lines: [], url: `https://kustos.test/queue/${succeeded}` },
    {
      title: 'Backup · schlecht.test: failed',
      lines: [expect.stringContaining('The disk is full.')],
      url: `https://kustos.test/queue/${failed}`,
    },
  ])
})

test('nobody else gets one', async () => {
  await deploy('eins.test', 'succeeded', await addUser('bert@kustos.test', false))
  await deploy('zwei.test', 'failed', await addUser('gone@kustos.test', true, new Date()))
  await deploy('drei.test', 'failed', null)
  const written = await db.select().from(alerts)
  expect(written.map(({ recipient }) => recipient)).toEqual(['anna@kustos.test', 'anna@kustos.test'])
})

test('a web of an ended batch takes the success of its deployment, which was retried individually', async () => {
  const [at, requested_by] = [new Date(), await addUser('carla@kustos.test', true)]
  const times = { created_at: at, updated_at: at, ended_at: at }
  const limits = { parallel: 1, stop_above: 0 }
  const [batch] = await db
    .insert(batches)
    .values({ action: 'backupWeb', state: 'failed', requested_by, ...limits, ...times })
    .returning()
  const batch_id = batch?.id ?? 0
  const retried = [
    await addDeployment('vier.test', requested_by, batch_id),
    await addDeployment('fünf.test', requested_by, batch_id),
  ]
  await db.insert(batchTargets).values(
    retried.map(({ id, web_id }, position) => ({
      ...{ batch_id, position, web_id, deployment_id: id },
      ...{ state: 'failed', error: 'The disk is full.', ended_at: at },
    })),
  )
  const read = async () => ({
    state: (await db.select().from(batches))[0]?.state,
    targets: (await db.select().from(batchTargets).orderBy(batchTargets.position)).map(({ state, error }) => [
      state,
      error,
    ]),
  })
  const [first, second] = retried.map(({ id }) => id)
  await execute(first ?? 0, 'failed')
  const failed = ['failed', 'The disk is full.']
  expect(await read()).toEqual({ state: 'failed', targets: [failed, failed] })
  expect(await mailsTo('carla@kustos.test')).toEqual([])
  await db
    .update(deployments)
    .set({ state: 'waiting', ended_at: null, attempts: 2 })
    .where(eq(deployments.id, first ?? 0))
  await db
    .update(deploymentSteps)
    .set({ state: 'pending' })
    .where(eq(deploymentSteps.deployment_id, first ?? 0))
  await execute(first ?? 0, 'succeeded')
  expect(await read()).toEqual({ state: 'failed', targets: [['succeeded', null], failed] })
  expect(await mailsTo('carla@kustos.test')).toMatchObject([{ title: 'Backup · vier.test: succeeded' }])
  await execute(second ?? 0, 'succeeded')
  const succeeded = ['succeeded', null]
  expect(await read()).toEqual({ state: 'succeeded', targets: [succeeded, succeeded] })
})
