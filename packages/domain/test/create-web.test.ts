import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BitbucketRepository, SlugTakenError } from '@kustos/clients/bitbucket'
import {
  customers,
  deploymentSteps,
  deployments,
  nodes,
  repositories,
  revisions,
  webs,
} from '@kustos/database/tables'
import { testDatabase } from '@kustos/database/testing'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { executeDeployment } from '../src/deployment/index.ts'
import { readConfiguration } from '../src/platform/configuration/index.ts'
import { createContext } from '../src/platform/context.ts'
import { openWorkerServices } from '../src/services.ts'
import { addWeb } from './web-row.ts'

const database = await testDatabase()
const { db } = database
const context = createContext(database)
const folder = await mkdtemp(join(tmpdir(), 'kustos-create-web-'))
const read = readConfiguration({
  DATABASE_URL: database.url,
  LOCAL_NODES_DIR: folder,
  KUSTOS_DATA_DIR: folder,
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

const step = { name: 'Web', place: 'builtin', do: 'create-web' } as const
const probe = { name: 'Probe', place: 'builtin', do: 'first-probe' } as const
const tools = {
  ...services.deployments,
  recipes: { ...services.deployments.recipes, newWeb: [step, probe] },
}
const [node] = await db
  .insert(nodes)
  .values({ name: 'n1', plesk_fqdn: 'n1.plesk.test', address: '192.0.2.1', cloud_enabled: true })
  .returning()

/** A Bitbucket with all sources, and without the repositories of requests. */
function fakeBitbucket() {
  const forks: string[] = []
  const bitbucket = {
    list: () => Promise.reject(new Error('The list is not needed')),
    find: (slug: string) => Promise.resolve(slug === 'web134-base' ? ({} as never) : null),
    fork: (_: string, { name }: { name: string }) => {
      forks.push(name)
      return Promise.reject(new Error('A fork is not needed'))
    },
  } satisfies NonNullable<typeof tools.bitbucket>
  return { bitbucket, forks }
}

/** Stores an accepted request with the first step only. @returns its id */
async function addRequest(
  fqdn: string,
  bnName: string,
  more: Partial<typeof deployments.$inferInsert> = {},
): Promise<number> {
  const request = { sourceRepo: 'web134-base', bnName, futureDomain: fqdn, customer: 'ALPEN' }
  const now = new Date()
  const [row] = await db
    .insert(deployments)
    .values({
      kind: 'newWeb',
      fqdn,
      node_id: node?.id ?? null,
      request,
      repository: `web134-${fqdn}`,
      created_at: now,
      updated_at: now,
      ...more,
    })
    .returning()
  if (!row) throw new Error('The deployment was not stored')
  await db
    .insert(deploymentSteps)
    .values({ deployment_id: row.id, step: 0, name: step.name, place: step.place, state: 'pending' })
  return row.id
}
const execute = (id: number) => executeDeployment(context, tools, id, new AbortController().signal)
const listCreatedWebs = () => db.select().from(webs).where(eq(webs.sysuser, 'bn7'))

test('creates one web for two simultaneous requests with one system user', async () => {
  const ids = [await addRequest('eins.test', 'bn7'), await addRequest('zwei.test', 'bn7')]
  const results = await Promise.all(ids.map(execute))
  expect(await listCreatedWebs()).toHaveLength(1)
  expect(results).toContain('done')
  expect(results).toContainEqual({
    failed: expect.stringMatching(
      /^Web: (eins|zwei)\.test has the system user bn7 on n1\. Request it again with a different TP number\.$/,
    ),
  })
})

test('frees a system user when its web is deleted', async () => {
  await db.update(webs).set({ deleted_at: new Date() })
  expect(await execute(await addRequest('drei.test', 'bn7'))).toBe('done')
  expect((await listCreatedWebs()).map(({ fqdn }) => fqdn)).toContain('drei.test')
})

test('creates a web with the code into which its customer was merged since the request', async () => {
  const id = await addRequest('vier.test', 'bn8')
  await db.delete(customers)
  await db.insert(customers).values({ code: 'ALPEN GMBH', spellings: ['ALPEN'] })
  expect(await execute(id)).toBe('done')
  expect(await db.select().from(webs).where(eq(webs.sysuser, 'bn8'))).toMatchObject([
    { customer: 'ALPEN GMBH' },
  ])
  expect(await db.$count(customers)).toBe(1)
})

test.each([
  {
    what: 'name',
    fqdn: 'vergeben.test',
    web: { fqdn: 'vergeben.test', sysuser: null },
    reason: 'There is already a web vergeben.test.',
  },
  {
    what: 'system user',
    fqdn: 'frei.test',
    web: { fqdn: 'eingelesen.test', sysuser: 'bn11' },
    reason: 'eingelesen.test has the system user bn11 on n1. Request it again with a different TP number.',
  },
])(
  'forks no repository if another web has taken the $what since the request',
  async ({ fqdn, web, reason }) => {
    const fork = { name: 'Fork', place: 'builtin', do: 'fork-repository' } as const
    const { bitbucket, forks } = fakeBitbucket()
    const id = await addRequest(fqdn, 'bn11')
    await db.update(deploymentSteps).set({ name: fork.name }).where(eq(deploymentSteps.deployment_id, id))
    await addWeb(database, web.fqdn, { node_id: node?.id ?? null, sysuser: web.sysuser })
    const recipes = { ...tools.recipes, newWeb: [fork, step] }
    const signal = new AbortController().signal
    expect(await executeDeployment(context, { ...tools, bitbucket, recipes }, id, signal)).toEqual({
      failed: `Fork: ${reason}`,
    })
    expect(forks).toEqual([])
  },
)

test('makes nothing if the node has something by its names, such as the folder of a deleted web', async () => {
  const { bitbucket } = fakeBitbucket()
  const taken: [string, ...string[]][] = [
    ['id', '-u', '{sysuser}'],
    ['test', '-e', 'webs/{fqdn}'],
  ]
  const preFlight = { name: 'Pre-flight', place: 'builtin', do: 'pre-flight', taken } as const
  const recipes = { ...tools.recipes, newWeb: [preFlight] }
  const executeFor = async (fqdn: string) => {
    const id = await addRequest(fqdn, 'bn12')
    await db
      .update(deploymentSteps)
      .set({ name: preFlight.name })
      .where(eq(deploymentSteps.deployment_id, id))
    return executeDeployment(context, { ...tools, bitbucket, recipes }, id, new AbortController().signal)
  }
  await mkdir(join(folder, 'n1/webs/alt.test'), { recursive: true })
  expect(await executeFor('alt.test')).toEqual({
    failed:
      'Pre-flight: Node n1 already has something by a name of this web, perhaps from a deleted one: “test -e webs/alt.test” finds it. Remove it from the node, or request the web with another name or TP number.',
  })
  expect(await executeFor('neu.test')).toBe('done')
})

test('takes a fork that a worker without the lease has created meanwhile for its own', async () => {
  const fork = { name: 'Fork', place: 'builtin', do: 'fork-repository' } as const
  const id = await addRequest('gegabelt.test', 'bn13')
  await db.update(deploymentSteps).set({ name: fork.name }).where(eq(deploymentSteps.deployment_id, id))
  const name = 'web134-gegabelt.test'
  const created: BitbucketRepository[] = []
  const bitbucket: NonNullable<typeof tools.bitbucket> = {
    ...fakeBitbucket().bitbucket,
    find: () => Promise.resolve(created[0] ?? null),
    fork: (_, { description }) => {
      const [created_on, updated_on] = [new Date(), new Date()]
      const url = `https://bitbucket.test/agency/${name}`
      created.push({
        ...{ name, description, project: { key: 'TP', name: 'TP' }, parent: 'agency/web134-base' },
        ...{ fork_policy: null, html_url: url, clone_url: `${url}.git`, created_on, updated_on },
      })
      const codedMessage = { code: 'bitbucket_name_taken' } as const
      return Promise.reject(new SlugTakenError(400, codedMessage.code, { codedMessage }))
    },
  }
  const recipes = { ...tools.recipes, newWeb: [fork] }
  const signal = new AbortController().signal
  expect(await executeDeployment(context, { ...tools, bitbucket, recipes }, id, signal)).toBe('done')
  expect(await db.select().from(repositories).where(eq(repositories.name, name))).toHaveLength(1)
})

test('waits for a merge of its customer, which does not come back', async () => {
  const id = await addRequest('fuenf.test', 'bn10')
  await db.delete(customers)
  await db.insert(customers).values([{ code: 'ALPEN' }, { code: 'ALPEN GMBH' }])
  const merging = await database.owner.pool.connect()
  await merging.query('begin')
  await merging.query(`delete from customers where code = 'ALPEN'`)
  await merging.query(`update customers set spellings = '{ALPEN}' where code = 'ALPEN GMBH'`)
  const executed = execute(id)
  await expect.poll(database.waitingStatements, { timeout: 10_000 }).not.toHaveLength(0)
  await merging.query('commit')
  merging.release()
  expect(await executed).toBe('done')
  expect(await db.select().from(webs).where(eq(webs.sysuser, 'bn10'))).toMatchObject([
    { customer: 'ALPEN GMBH' },
  ])
  expect((await db.select().from(customers)).map(({ code }) => code)).toEqual(['ALPEN GMBH'])
})

test.each([
  { what: 'increases the revision of the list if', before: 200, moves: true },
  { what: 'leaves the revision of the list alone unless', before: null, moves: false },
])('$what the first probe receives another status', async ({ before, moves }) => {
  const fqdn = `probed-${before}.test`
  const web_id = await addWeb(database, fqdn, { node_id: node?.id ?? null, http_status_code: before })
  const id = await addRequest(fqdn, 'bn9', { web_id })
  await db.update(deploymentSteps).set({ state: 'succeeded' }).where(eq(deploymentSteps.deployment_id, id))
  await db
    .insert(deploymentSteps)
    .values({ deployment_id: id, step: 1, name: probe.name, place: probe.place })
  const readRevision = async () =>
    (await db.select().from(revisions).where(eq(revisions.list, 'webs')))[0]?.revision ?? 0
  const revision = await readRevision()
  expect(await execute(id)).toBe('done')
  expect(await db.select().from(webs).where(eq(webs.id, web_id))).toMatchObject([{ http_status_code: null }])
  expect((await readRevision()) > revision).toBe(moves)
})
