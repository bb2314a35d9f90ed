import { deployments, nodes } from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { claimDeployment } from '../src/deployment/claim.ts'
import { createContext } from '../src/platform/context.ts'
import { lockInTransaction } from '../src/platform/locks.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database)

async function addNode(name: string): Promise<number> {
  const [row] = await db
    .insert(nodes)
    .values({ name, plesk_fqdn: `${name}.plesk.test`, cloud_enabled: true })
    .returning()
  return row?.id ?? 0
}
const [node, elsewhere] = [await addNode('n1'), await addNode('n2')]

beforeEach(() => db.delete(deployments))

let webCount = 0
async function addDeployment(kind: string, repository: string | null, node_id = node): Promise<number> {
  const fqdn = `web${++webCount}.test`
  const web_id = await addWeb(database, fqdn, { node_id, repository })
  const at = new Date()
  const [row] = await db
    .insert(deployments)
    .values({ kind, fqdn, web_id, node_id, created_at: at, updated_at: at })
    .returning()
  return row?.id ?? 0
}
/** @returns why it waits; null if it was claimed */
async function claim(id: number): Promise<string | null> {
  const claimed = await claimDeployment(context, id, { holder: 'a worker', nodeConcurrency: 2 })
  if (typeof claimed !== 'string') return null
  const [row] = await db.select().from(deployments).where(eq(deployments.id, id))
  return row?.waits_for ?? claimed
}
const end = (id: number) => db.update(deployments).set({ state: 'succeeded' }).where(eq(deployments.id, id))

test('webs of one repository export its kick dump on their node one after the other', async () => {
  const first = await addDeployment('exportDatabaseKick', 'web134-hotel.test')
  const second = await addDeployment('exportDatabaseKick', 'web134-hotel.test')
  const reason = `Deployment ${first} recreates the same kick dump first.`
  // In the order of the requests.
  expect(await claim(second)).toBe(reason)
  expect(await claim(first)).toBeNull()
  expect(await claim(second)).toBe(reason)
  await end(first)
  expect(await claim(second)).toBeNull()
})

test('a deployment that waits for a kick dump keeps nobody from its node', async () => {
  expect(await claim(await addDeployment('exportDatabaseKick', 'web134-hotel.test'))).toBeNull()
  await addDeployment('exportDatabaseKick', 'web134-hotel.test')
  expect(await claim(await addDeployment('updateWeb', 'web134-hotel.test'))).toBeNull()
  expect(await claim(await addDeployment('updateWeb', null))).toBe(
    'Node n1 is at its limit. Its deployments run in order.',
  )
})

test.each([
  ['of another repository', () => addDeployment('exportDatabaseKick', 'web134-alpenhof.test')],
  ['on another node', () => addDeployment('exportDatabaseKick', 'web134-hotel.test', elsewhere)],
  ['of another kind', () => addDeployment('exportDatabase', 'web134-hotel.test')],
])('a deployment %s does not wait for a kick dump', async (_, addOther) => {
  expect(await claim(await addDeployment('exportDatabaseKick', 'web134-hotel.test'))).toBeNull()
  expect(await claim(await addOther())).toBeNull()
})

test('a deployment that has to wait finds that out while another one is being claimed', async () => {
  for (const kind of ['updateWeb', 'backupWeb'])
    expect(await claim(await addDeployment(kind, null))).toBeNull()
  const third = await addDeployment('updateWeb', null)
  await db.transaction(async (rival) => {
    await lockInTransaction(rival, 'deployments')
    expect(await claim(third)).toBe('Node n1 is at its limit. Its deployments run in order.')
  })
})
