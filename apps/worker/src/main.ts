import { queues } from '@kustos/contract/queue'
import { checkArchiveFolder } from '@kustos/domain/logs'
import { openRegistry, watchPool } from '@kustos/domain/metrics'
import { workerQueues } from '@kustos/domain/platform/configuration'
import { createContext } from '@kustos/domain/platform/context'
import { errorMessage } from '@kustos/domain/platform/errors'
import { configuredHosts } from '@kustos/domain/platform/hosts'
import { queueConnections } from '@kustos/domain/platform/jobs'
import { refuse, startProgram, stopOnSignal } from '@kustos/domain/platform/program'
import { openProgramDatabase } from '@kustos/domain/platform/program-database'
import { startTracing } from '@kustos/domain/platform/tracing'
import { openWorkerServices } from '@kustos/domain/services'
import { instrument } from './instrument.ts'
import { openMeter } from './job-metrics.ts'
import { alertTasks, alertWork } from './jobs/alerts.ts'
import { authTasks } from './jobs/auth.ts'
import { batchTasks } from './jobs/batches.ts'
import { bitbucketTasks } from './jobs/bitbucket.ts'
import { deploymentTasks, deploymentWork } from './jobs/deployment.ts'
import { watchTasks } from './jobs/domains.ts'
import { domainTasks } from './jobs/external-domains.ts'
import { inspectionTasks, inspectionWork } from './jobs/inspections.ts'
import { leaseTasks } from './jobs/leases.ts'
import { limitisTasks } from './jobs/limitis.ts'
import { logTasks } from './jobs/logs.ts'
import { maintenanceTasks } from './jobs/maintenance.ts'
import { monitoringTasks, monitoringWork } from './jobs/monitoring.ts'
import { subscriptionTasks } from './jobs/subscriptions.ts'
import { serveMetrics } from './metrics.ts'
import { periodicWork, scheduleTasks } from './periodic-tasks.ts'

const program = startProgram('kustos-worker')
const { configuration, databaseUrl, log, onError } = program
const stopTracing = await startTracing('kustos-worker', configuration, (text) =>
  log.warn(`traces are not sent: ${text}`),
)
const { METRICS_PORT: port } = configuration
const { AUDIT_ARCHIVE_DIR: archiveFolder } = configuration
if (archiveFolder !== undefined)
  await checkArchiveFolder(archiveFolder).catch((error: unknown) => refuse(errorMessage(error)))
const { WORKER_QUEUES: chosen, REDIS_URL: redisUrl } = configuration
const takenQueues: ReadonlySet<string> = new Set(chosen.length === 0 ? workerQueues : chosen)
const database = await openProgramDatabase(program, {
  name: 'kustos-worker',
  defaultMax: 20,
  others: queueConnections(redisUrl, takenQueues.size),
})
const services = await openWorkerServices(configuration, {
  databaseUrl,
  onError,
  onBrowserStart(protection) {
    const place = protection.user === null ? 'on its server' : `as ${protection.user}`
    const line = `the browser of audits runs ${place}, ${protection.isSandboxed ? 'in' : 'without'} Chromium's sandbox`
    log[protection.isSandboxed ? 'info' : 'warn'](protection, line)
  },
}).catch((error: unknown) => refuse(errorMessage(error)))
const monitoring = {
  intervalSeconds: configuration.PROBE_INTERVAL,
  internalMarker: configuration.INTERNAL_DOMAIN_MARKER,
}
const tasks = [
  ...authTasks,
  ...deploymentTasks(services),
  ...batchTasks(services),
  ...bitbucketTasks(services),
  ...monitoringTasks(services, monitoring),
  ...maintenanceTasks,
  ...alertTasks(services, monitoring, configuration.ALERT_REMINDERS),
  ...inspectionTasks(services, monitoring),
  ...domainTasks(services),
  ...watchTasks(services, configuration),
  ...limitisTasks(services),
  ...subscriptionTasks(services, monitoring),
  ...leaseTasks,
  ...logTasks(archiveFolder),
]
const registry = openRegistry('worker', configuration.KUSTOS_REVISION)
const meter = openMeter(
  registry,
  queues,
  tasks.map(({ name }) => name),
)
const context = createContext(database)
const work = [
  deploymentWork(context, services),
  monitoringWork(context, services, monitoring),
  inspectionWork(context, services, configuration.INSPECTION_CONCURRENCY, configuration.KUSTOS_REVISION),
  alertWork(context, services, monitoring, meter),
]
watchPool(registry, database)
const metrics =
  port === undefined
    ? null
    : await serveMetrics({
        registry,
        host: configuration.HOST,
        port,
        hosts: configuredHosts(configuration),
        token: configuration.METRICS_TOKEN ?? null,
        log,
      }).catch((error: Error) => refuse(`Cannot show metrics on port ${port}: ${errorMessage(error)}`))
const taken = [
  ...work.map((each) => instrument(each, log, meter)),
  periodicWork(tasks, { database, log, meter }),
].filter(({ queue }) => takenQueues.has(queue))
const jobs = services.takeJobs(taken)
const stopping = new AbortController()
// Before the first job begins, because a worker that is asked to stop hands back what it has.
stopOnSignal(async () => {
  stopping.abort()
  await (await jobs).stop()
  await metrics?.stop()
  await services.close()
  await database.close()
  await stopTracing()
  log.info('worker stopped')
})
await jobs
await scheduleTasks(tasks, services.deployments.queues, database, { onError, signal: stopping.signal })
log.info({ queues: taken.map(({ queue }) => queue), tasks: tasks.map(({ name }) => name) }, 'worker started')
