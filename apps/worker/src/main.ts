import { openDatabase } from '@kustos/database/client'
import { readConfiguration } from '@kustos/domain/configuration'
import { contextOf } from '@kustos/domain/context'
import { reasonOf } from '@kustos/domain/errors'
import { workOf } from '@kustos/domain/jobs'
import { openLog, secretsOf } from '@kustos/domain/log'
import { openRegistry, watchPool } from '@kustos/domain/metrics'
import { openOutsideOfWorkers } from '@kustos/domain/outside'
import { alertDuties, alertJobs, alertsAtOnce } from './jobs/alerts.ts'
import { authDuties } from './jobs/auth.ts'
import { bitbucketDuties } from './jobs/bitbucket.ts'
import { deploymentDuties, deploymentJobs, deploymentsAtOnce } from './jobs/deployment.ts'
import { domainDuties } from './jobs/external-domains.ts'
import { inspectionDuties, inspectionJobs, inspectionsAtOnce } from './jobs/inspections.ts'
import { limitisDuties } from './jobs/limitis.ts'
import { monitoringDuties, monitoringJobs, shardsAtOnce } from './jobs/monitoring.ts'
import { openMeter } from './meter.ts'
import { serveMetrics } from './metrics.ts'
import { watched } from './watched.ts'
import { startWorker } from './worker.ts'

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
// What nobody caught would be written by Node as it stands, secrets included.
process.once('uncaughtException', (error) => {
  log.fatal({ err: error }, 'ended by a fault')
  process.exit(1)
})
const database = openDatabase(url, {
  name: 'kustos-worker',
  // Deployments and shards hold one for moments only, alerts and inspections one each as long as they last.
  max: 20,
  onConnectionLost: (error) => log.warn({ err: error }, 'lost a database connection'),
})
const outside = await openOutsideOfWorkers(read.configuration, {
  databaseUrl: url,
  onError: (error) => log.warn({ err: error }, 'in the background'),
}).catch((error: unknown) => refuse(reasonOf(error)))
const monitoring = {
  interval: read.configuration.PROBE_INTERVAL,
  internalMarker: read.configuration.INTERNAL_DOMAIN_MARKER,
}
const duties = [
  ...authDuties,
  ...deploymentDuties(outside),
  ...bitbucketDuties(outside),
  ...monitoringDuties(outside, monitoring),
  ...alertDuties(outside, monitoring),
  ...inspectionDuties(outside, monitoring),
  ...domainDuties(outside),
  ...limitisDuties(outside),
]
const work = [
  workOf('deployment', deploymentsAtOnce, deploymentJobs(contextOf(database), outside)),
  workOf('monitoring', shardsAtOnce, monitoringJobs(contextOf(database), outside, monitoring)),
  workOf('inspection', inspectionsAtOnce, inspectionJobs(contextOf(database), outside)),
  workOf('notification', alertsAtOnce, alertJobs(contextOf(database), outside)),
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
      }).catch((error: Error) => refuse(`Cannot show metrics on port ${port}: ${reasonOf(error)}`))
const worker = startWorker({ database, duties, log, meter })
const jobs = await outside.takeJobs(work.map((each) => watched(each, log, meter)))
log.info({ duties: duties.map((duty) => duty.name) }, 'worker started')

/** Lets the runs under way end; whatever still hangs after nine seconds is cut. */
async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), 9_000).unref()
  await Promise.all([worker.stop(), jobs.stop()])
  await metrics?.stop()
  await outside.close()
  await database.close()
  log.info('worker stopped')
  process.exit(0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
// Started by another process of ours, the worker does not outlive it.
process.once('disconnect', () => void stop())
