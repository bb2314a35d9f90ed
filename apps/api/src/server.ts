import { migrate } from '@kustos/database/migrations'
import { storeRetentions } from '@kustos/database/retentions'
import { openRegistry } from '@kustos/domain/metrics'
import { errorMessage } from '@kustos/domain/platform/errors'
import { openEvents } from '@kustos/domain/platform/events'
import { configuredHosts } from '@kustos/domain/platform/hosts'
import { queueConnections } from '@kustos/domain/platform/jobs'
import { refuse, startProgram, stopOnSignal } from '@kustos/domain/platform/program'
import { openProgramDatabase } from '@kustos/domain/platform/program-database'
import { waitForDatabase } from '@kustos/domain/platform/retry'
import { createSecretBox } from '@kustos/domain/platform/secret-box'
import { startTracing } from '@kustos/domain/platform/tracing'
import { createReportSigner } from '@kustos/domain/reports'
import { openExternalServices } from '@kustos/domain/services'
import { buildApp } from './app.ts'

const program = startProgram('kustos-api')
const { configuration, databaseUrl: url, log, onError } = program
const { SESSION_SECRET: secret } = configuration
if (secret === undefined) refuse('SESSION_SECRET is missing.')

const stopTracing = await startTracing('kustos-api', configuration, (text) =>
  log.warn(`traces are not sent: ${text}`),
)
const ownerUrl = configuration.DATABASE_OWNER_URL ?? url
await waitForDatabase(
  async () => {
    await migrate(ownerUrl, undefined, { onRetry: (sentence) => log.warn(sentence) })
    await storeRetentions(ownerUrl, {
      log: configuration.AUDIT_RETENTION ?? null,
      records: configuration.RECORD_RETENTION,
    })
  },
  (error) => log.warn({ err: error }, 'waiting for the database'),
).catch((error: unknown) => refuse(`The database cannot be migrated: ${errorMessage(error)}`))
const database = await openProgramDatabase(program, {
  name: 'kustos-api',
  defaultMax: 10,
  // One listens for events.
  others: queueConnections(configuration.REDIS_URL, 0) + 1,
})
const outside = await openExternalServices(configuration, { databaseUrl: url, onError }).catch(
  (error: unknown) => refuse(errorMessage(error)),
)
const events = openEvents(url, onError)
const hosts = configuredHosts(configuration)
const app = await buildApp({
  database,
  deployments: outside.deployments,
  bitbucket: outside.bitbucket,
  mail: outside.mail,
  events,
  sessionSecret: secret,
  secretBox: createSecretBox(configuration.SECRETS_KEY),
  reportSigner: createReportSigner(configuration.REPORT_SIGNING_KEY),
  hosts,
  monitoring: {
    intervalSeconds: configuration.PROBE_INTERVAL,
    internalMarker: configuration.INTERNAL_DOMAIN_MARKER,
  },
  dnsAlertTypes: configuration.DNS_ALERT_TYPES,
  trustProxy: configuration.TRUST_PROXY,
  log,
  registry: openRegistry('api', configuration.KUSTOS_REVISION),
  metricsToken: configuration.METRICS_TOKEN ?? null,
})

if (configuration.TRUST_PROXY.length === 0)
  log.warn(
    'TRUST_PROXY is not set: if a proxy is in front, everybody has its address, and a hundred wrong passwords in an hour keep all of them out of new browsers',
  )

if (hosts.length === 0)
  log.warn(
    'neither PUBLIC_URL nor ALLOWED_HOSTS is set: only requests to localhost and to addresses are served',
  )

stopOnSignal(async () => {
  // Slow readers are cut off.
  setTimeout(() => app.server.closeAllConnections(), 4_000).unref()
  await app.close()
  await events.close()
  await outside.close()
  await database.close()
  await stopTracing()
})

await app
  .listen({ host: configuration.HOST, port: configuration.PORT })
  .catch((error: unknown) => refuse(`Cannot listen on port ${configuration.PORT}: ${errorMessage(error)}`))
process.send?.('listening')
