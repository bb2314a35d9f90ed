import { openDatabase } from '@kustos/database/client'
import { openRegistry, watchPool } from '@kustos/domain/metrics'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { createContext } from '@kustos/domain/platform/context'
import { errorMessage } from '@kustos/domain/platform/errors'
import { createQueueWork } from '@kustos/domain/platform/jobs'
import { openLog, secretsOf } from '@kustos/domain/platform/logger'
import { openWorkerServices } from '@kustos/domain/services'
import { instrument } from './instrument.ts'
import { openMeter } from './job-metrics.ts'
import { alertConcurrency, alertJobs, alertTasks } from './jobs/alerts.ts'
import { authTasks } from './jobs/auth.ts'
import { bitbucketTasks } from './jobs/bitbucket.ts'
import { deploymentConcurrency, deploymentJobs, deploymentTasks } from './jobs/deployment.ts'
import { domainTasks } from './jobs/external-domains.ts'
import { inspectionConcurrency, inspectionJobs, inspectionTasks } from './jobs/inspections.ts'
import { limitisTasks } from './jobs/limitis.ts'
import { monitoringJobs, monitoringTasks, shardConcurrency } from './jobs/monitoring.ts'
import { serveMetrics } from './metrics.ts'
import { periodicWork, scheduleTasks } from './periodic-tasks.ts'

process.title = 'kustos-worker'

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const read = readConfiguration(process.env)
if (!read.ok) refuse(read.sentence)
const { DATABASE_URL: url, METRICS_PORT: port, ...configuration } = read.configuration
if (url === undefined) refuse('DATABASE_URL is missing.')

const log = openLog({
  name: 'kustos-worker',
  level: configuration.LOG_LEVEL,
  secrets: secretsOf(read.configuration),
})
// Node would print an uncaught error with all secrets in it.
process.once('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception')
  process.exit(1)
})
const database = openDatabase(url, {
  name: 'kustos-worker',
  max: 20,
  onConnectionLost: (error) => log.warn({ err: error }, 'lost a database connection'),
})
const onError = (error: Error) => log.warn({ err: error }, 'error in the background')
const services = await openWorkerServices(read.configuration, { databaseUrl: url, onError }).catch(
  (error: unknown) => refuse(errorMessage(error)),
)
const monitoring = {
  interval: read.configuration.PROBE_INTERVAL,
  internalMarker: read.configuration.INTERNAL_DOMAIN_MARKER,
}
const tasks = [
  ...authTasks,
  ...deploymentTasks(services),
  ...bitbucketTasks(services),
  ...monitoringTasks(services, monitoring),
  ...alertTasks(services, monitoring),
  ...inspectionTasks(services, monitoring),
  ...domainTasks(services),
  ...limitisTasks(services),
]
const work = [
  createQueueWork('deployment', deploymentConcurrency, deploymentJobs(createContext(database), services)),
  createQueueWork(
    'monitoring',
    shardConcurrency,
    monitoringJobs(createContext(database), services, monitoring),
  ),
  createQueueWork('inspection', inspectionConcurrency, inspectionJobs(createContext(database), services)),
  createQueueWork('notification', alertConcurrency, alertJobs(createContext(database), services)),
]
const registry = openRegistry('worker', configuration.KUSTOS_REVISION)
const meter = openMeter(
  registry,
  work.map(({ queue }) => queue),
)
watchPool(registry, database)
const metrics =
  port === undefined
    ? null
    : await serveMetrics({
        registry,
        host: configuration.HOST,
        port,
        token: configuration.METRICS_TOKEN ?? null,
        log,
      }).catch((error: Error) => refuse(`Cannot show metrics on port ${port}: ${errorMessage(error)}`))
const jobs = await services.takeJobs([
  ...work.map((each) => instrument(each, log, meter)),
  periodicWork(tasks, { database, log, meter }),
])
const stopScheduling = await scheduleTasks(tasks, services.deployments.queues, database, onError)
log.info({ tasks: tasks.map(({ name }) => name) }, 'worker started')

/** Waits for the current runs, for nine seconds at most. */
async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), 9_000).unref()
  stopScheduling()
  await jobs.stop()
  await metrics?.stop()
  await services.close()
  await database.close()
  log.info('worker stopped')
  process.exit(0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
// A worker that was started by another process ends with it.
process.once('disconnect', () => void stop())
