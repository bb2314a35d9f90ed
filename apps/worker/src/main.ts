import { openDatabase } from '@kustos/database/client'
import { readConfiguration } from '@kustos/domain/configuration'
import { contextOf } from '@kustos/domain/context'
import { workOf } from '@kustos/domain/jobs'
import { openOutsideOfWorkers } from '@kustos/domain/outside'
import { pino } from 'pino'
import { alertDuties, alertJobs, alertsAtOnce } from './jobs/alerts.ts'
import { authDuties } from './jobs/auth.ts'
import { bitbucketDuties } from './jobs/bitbucket.ts'
import { deploymentDuties, deploymentJobs, deploymentsAtOnce } from './jobs/deployment.ts'
import { domainDuties } from './jobs/external-domains.ts'
import { inspectionDuties, inspectionJobs, inspectionsAtOnce } from './jobs/inspections.ts'
import { limitisDuties } from './jobs/limitis.ts'
import { monitoringDuties, monitoringJobs, shardsAtOnce } from './jobs/monitoring.ts'
import { startWorker } from './worker.ts'

process.title = 'kustos-worker'

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const read = readConfiguration(process.env)
if (!read.ok) refuse(read.sentence)
const { DATABASE_URL: url, LOG_LEVEL: level } = read.configuration
if (url === undefined) refuse('DATABASE_URL is missing.')

const log = pino({ level })
const database = openDatabase(url, {
  name: 'kustos-worker',
  // Deployments and shards hold one for moments only, alerts one each while they are sent.
  max: 16,
  onConnectionLost: (error) => log.warn({ err: error }, 'lost a database connection'),
})
const outside = await openOutsideOfWorkers(read.configuration, {
  databaseUrl: url,
  onError: (error) => log.warn({ err: error }, 'in the background'),
}).catch((error: unknown) => refuse(error instanceof Error ? error.message : String(error)))
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
const worker = startWorker({ database, duties, log })
const jobs = await outside.takeJobs([
  workOf('deployment', deploymentsAtOnce, deploymentJobs(contextOf(database), outside)),
  workOf('monitoring', shardsAtOnce, monitoringJobs(contextOf(database), outside, monitoring)),
  workOf('inspection', inspectionsAtOnce, inspectionJobs(contextOf(database), outside)),
  workOf('notification', alertsAtOnce, alertJobs(contextOf(database), outside)),
])
log.info({ duties: duties.map((duty) => duty.name) }, 'worker started')

/** Lets the runs under way end; whatever still hangs after nine seconds is cut. */
async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), 9_000).unref()
  await Promise.all([worker.stop(), jobs.stop()])
  await outside.close()
  await database.close()
  log.info('worker stopped')
  process.exit(0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
// Started by another process of ours, the worker does not outlive it.
process.once('disconnect', () => void stop())
