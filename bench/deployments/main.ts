import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openQueues, startQueueWorkers } from '@kustos/clients/queue'
import { kickstarters } from '@kustos/contract/bitbucket'
import { openDatabase } from '@kustos/database/client'
import { startEmbedded } from '@kustos/database/embedded'
import { migrate } from '@kustos/database/migrations'
import { deployments, nodes, repositories, repositorySyncs, webs } from '@kustos/database/tables'
import { executeDeployment, requestWeb, runDeployment } from '@kustos/domain/deployment'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { createContext } from '@kustos/domain/platform/context'
import { createQueueWork } from '@kustos/domain/platform/jobs'
import { openWorkerServices } from '@kustos/domain/services'
import { median } from '../median.ts'

// Measures the time from a request for a new web to the start of its job against a bare BullMQ job on the same backend,
// with 10,000 deployments in the table.

const existingDeployments = 10_000
const rounds = 200

const folder = await mkdtemp(join(tmpdir(), 'kustos-bench-'))
const postgres = await startEmbedded({ folder: join(folder, 'postgres') })
try {
  await migrate(postgres.url)
  const database = openDatabase(postgres.url, { asLogin: true })
  const { db } = database
  const now = new Date()
  const [node] = await db
    .insert(nodes)
    .values({ name: 'n1', plesk_fqdn: 'n1.test', address: '192.0.2.1', cloud_enabled: true })
    .returning()
  const webIds = await db
    .insert(webs)
    .values(
      Array.from({ length: 1000 }, (_, index) => ({
        fqdn: `web${index}.test`,
        fqdn_ascii: `web${index}.test`,
        customer: 'ALPEN',
        configured_ip: '192.0.2.1',
        node_id: node?.id ?? null,
      })),
    )
    .returning({ id: webs.id })
  const [source = ''] = kickstarters
  await db.insert(repositories).values({
    name: source,
    project_key: 'KICK',
    project_name: 'Kickstarters',
    description: '',
    fork_policy: 'allow_forks',
    html_url: 'https://bitbucket.test/kick',
    clone_url: 'https://bitbucket.test/kick.git',
    created_on: now,
    updated_on: now,
  })
  await db.insert(repositorySyncs).values({ succeeded_at: now })
  for (let done = 0; done < existingDeployments; done += 1000) {
    await db.insert(deployments).values(
      Array.from({ length: 1000 }, (_, index) => ({
        kind: 'backupWeb',
        state: 'succeeded',
        fqdn: `web${index % webIds.length}.test`,
        web_id: webIds[index % webIds.length]?.id ?? null,
        node_id: node?.id ?? null,
        created_at: now,
        updated_at: now,
        started_at: now,
        ended_at: now,
      })),
    )
  }
  await database.pool.query('vacuum analyze')

  await mkdir(join(folder, 'nodes'))
  const preFlight = { name: 'pre-flight', place: 'builtin', do: 'pre-flight' }
  await writeFile(join(folder, 'recipes.json'), JSON.stringify({ newWeb: [preFlight] }))
  const read = readConfiguration({
    DATABASE_URL: postgres.url,
    LOCAL_NODES_DIR: join(folder, 'nodes'),
    RECIPES_FILE: join(folder, 'recipes.json'),
    ...(process.env.REDIS_URL && { REDIS_URL: process.env.REDIS_URL }),
  })
  if (!read.ok) throw new Error(read.sentence)
  const settings = {
    databaseUrl: postgres.url,
    redisUrl: read.configuration.REDIS_URL,
    onError: (error: Error) => console.error(error.message),
  }

  // The baseline: a job that is added and starts, nothing else.
  const bare = `bare-${randomBytes(4).toString('hex')}`
  const queues = await openQueues(settings, [bare])
  let bareStarted = Promise.withResolvers<number>()
  const bareWorkers = await startQueueWorkers(settings, [
    {
      queue: bare,
      concurrency: 4,
      run: async () => {
        bareStarted.resolve(performance.now())
        return 'done'
      },
    },
  ])
  const baseline: number[] = []
  for (let round = 0; round < rounds + 20; round++) {
    bareStarted = Promise.withResolvers()
    const from = performance.now()
    await queues.add({ queue: bare, name: 'nothing', id: `bare-${round}`, data: {} })
    const at = await bareStarted.promise
    if (round >= 20) baseline.push(at - from)
  }
  await bareWorkers.stop()
  await queues.close()

  const services = await openWorkerServices(read.configuration, {
    databaseUrl: postgres.url,
    onError: settings.onError,
  })
  const context = createContext(database)
  let started = Promise.withResolvers<number>()
  const ended = new Map<number, () => void>()
  const workers = await services.takeJobs([
    createQueueWork(runDeployment, 4, async ({ deployment }, signal) => {
      started.resolve(performance.now())
      const run = await executeDeployment(context, services.deployments, deployment, signal)
      ended.get(deployment)?.()
      return run
    }),
  ])
  const acceptedMs: number[] = []
  const startedMs: number[] = []
  for (let round = 0; round < rounds + 20; round++) {
    started = Promise.withResolvers()
    const over = Promise.withResolvers<void>()
    const from = performance.now()
    const id = await requestWeb(context, services.deployments, {
      sourceRepo: source,
      bnName: `bn${round}`,
      futureDomain: `new${round}.test`,
      customer: 'ALPEN',
    })
    const acceptedAt = performance.now()
    ended.set(id, over.resolve)
    const at = await started.promise
    if (round >= 20) {
      acceptedMs.push(acceptedAt - from)
      startedMs.push(at - from)
    }
    await over.promise
  }
  await workers.stop()
  await services.close()
  await database.close()

  const backend = settings.redisUrl === undefined ? 'Postgres' : 'Redis'
  console.log(
    `Deployments with ${existingDeployments} in the table, jobs on ${backend}, medians of ${rounds} rounds\n`,
  )
  console.log(`a bare job, added to started       ${median(baseline).toFixed(1)} ms`)
  const acceptedToStarted = startedMs.map((total, index) => total - (acceptedMs[index] ?? 0))
  console.log(`newWeb, accepted                 ${median(acceptedMs).toFixed(1)} ms  (target: under 30 ms)`)
  console.log(`newWeb, accepted to started        ${median(acceptedToStarted).toFixed(1)} ms`)
  console.log(
    `\naccepted to started / a bare job   ${(median(acceptedToStarted) / median(baseline)).toFixed(2)}  (target: at most 2)`,
  )
  console.log(`requested to started / a bare job  ${(median(startedMs) / median(baseline)).toFixed(2)}`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
