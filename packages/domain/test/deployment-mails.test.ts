import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alerts, deploymentSteps, deployments, nodes, users } from '@kustos/database/tables'
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
const folder = await mkdtemp(join(tmpdir(), 'kustos-deployment-mails-'))
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

/** @returns the id of the deployment */
async function execute(fqdn: string, end: keyof typeof steps, requested_by: number | null): Promise<number> {
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
      created_at: now,
      updated_at: now,
    })
    .returning()
  const id = row?.id ?? 0
  await db.insert(deploymentSteps).values({ deployment_id: id, step: 0, name: 'Work', place: 'node' })
  const tools = {
    ...services.deployments,
    recipes: { ...services.deployments.recipes, backupWeb: [steps[end]] },
  }
  await executeDeployment(context, tools, id, new AbortController().signal)
  const [ended] = await db.select().from(deployments).where(eq(deployments.id, id))
  expect(ended?.state).toBe(end)
  return id
}
const mailsTo = async (email: string) =>
  (await db.select().from(alerts).where(eq(alerts.recipient, email))).map(({ content }) => content)

test('a user who wants it gets a mail for each own deployment that succeeds or fails', async () => {
  const email = 'anna@kustos.test'
  const anna = await addUser(email, true)
  const succeeded = await execute('gut.test', 'succeeded', anna)
  const failed = await execute('schlecht.test', 'failed', anna)
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
  await execute('eins.test', 'succeeded', await addUser('bert@kustos.test', false))
  await execute('zwei.test', 'failed', await addUser('gone@kustos.test', true, new Date()))
  await execute('drei.test', 'failed', null)
  const written = await db.select().from(alerts)
  expect(written.map(({ recipient }) => recipient)).toEqual(['anna@kustos.test', 'anna@kustos.test'])
})
