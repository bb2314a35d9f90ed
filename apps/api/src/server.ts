import { openDatabase } from '@kustos/database/client'
import { migrate } from '@kustos/database/migrations'
import { openRegistry } from '@kustos/domain/metrics'
import { readConfiguration } from '@kustos/domain/platform/configuration'
import { errorMessage } from '@kustos/domain/platform/errors'
import { openEvents } from '@kustos/domain/platform/events'
import { openLog, secretsOf } from '@kustos/domain/platform/logger'
import { waitForDatabase } from '@kustos/domain/platform/retry'
import { openExternalServices } from '@kustos/domain/services'
import { buildApp } from './app.ts'

process.title = 'kustos-api'

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const read = readConfiguration(process.env)
if (!read.ok) refuse(read.sentence)
const { DATABASE_URL: url, SESSION_SECRET: secret, ...configuration } = read.configuration
if (url === undefined) refuse('DATABASE_URL is missing.')
if (secret === undefined) refuse('SESSION_SECRET is missing.')

const log = openLog({
  name: 'kustos-api',
  level: configuration.LOG_LEVEL,
  secrets: secretsOf(read.configuration),
})
// Node would print an uncaught error with all secrets in it.
process.once('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception')
  process.exit(1)
})
await waitForDatabase(
  () => migrate(configuration.DATABASE_OWNER_URL ?? url),
  (error) => log.warn({ err: error }, 'waiting for the database'),
).catch((error: unknown) => refuse(`The database cannot be migrated: ${errorMessage(error)}`))
const database = openDatabase(url, {
  name: 'kustos-api',
  onConnectionLost: (error) => log.warn({ err: error }, 'lost a database connection'),
})
const onError = (error: Error) => log.warn({ err: error }, 'error in the background')
const outside = await openExternalServices(read.configuration, { databaseUrl: url, onError }).catch(
  (error: unknown) => refuse(errorMessage(error)),
)
const events = openEvents(url, onError)
const app = await buildApp({
  database,
  deployments: outside.deployments,
  bitbucket: outside.bitbucket,
  events,
  sessionSecret: secret,
  monitoring: {
    interval: configuration.PROBE_INTERVAL,
    internalMarker: configuration.INTERNAL_DOMAIN_MARKER,
  },
  trustProxy: configuration.TRUST_PROXY,
  log,
  registry: openRegistry('api', configuration.KUSTOS_REVISION),
  metricsToken: configuration.METRICS_TOKEN ?? null,
})

if (configuration.TRUST_PROXY.length === 0)
  log.warn(
    'TRUST_PROXY is not set: if a proxy is in front, everybody has its address, and a hundred wrong passwords in an hour keep all of them out',
  )

/** Waits for current requests. Slow readers are cut off after four seconds, everything else after nine. */
async function stop(): Promise<void> {
  setTimeout(() => app.server.closeAllConnections(), 4_000).unref()
  setTimeout(() => process.exit(1), 9_000).unref()
  await app.close()
  await events.close()
  await outside.close()
  await database.close()
  process.exit(0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
// An API that was started by another process ends with it.
process.once('disconnect', () => void stop())

await app
  .listen({ host: configuration.HOST, port: configuration.PORT })
  .catch((error: unknown) => refuse(`Cannot listen on port ${configuration.PORT}: ${errorMessage(error)}`))
process.send?.('listening')
