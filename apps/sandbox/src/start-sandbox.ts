import { join } from 'node:path'
import type { Configuration } from '@kustos/domain/platform/configuration'
import { buildFrontend } from './build-frontend.ts'
import type { Console } from './console.ts'
import { type DataFolder, displayPath, readSecret } from './data-folder.ts'
import { startExternalServices } from './external-services.ts'
import { replaceFile } from './files.ts'
import { type Database, prepareDatabase } from './prepare-database.ts'
import { startPrograms } from './programs.ts'
import { administrator, password } from './seed/users.ts'

export interface StartContext {
  readonly configuration: Configuration
  /** The address of the API. */
  readonly address: string
  readonly environment: NodeJS.ProcessEnv
  readonly console: Console
  /** Aborted when the sandbox must stop, whether or not it is ready. */
  readonly stopSignal: AbortSignal
  /** Stop everything that was started, in the order of the starts. */
  readonly stops: (() => Promise<void>)[]
}

/**
 * Starts everything in a data folder.
 *
 * @returns false if the sandbox has been stopped
 * @throws StartError
 */
export async function startSandbox(context: StartContext, folder: DataFolder): Promise<boolean> {
  const { configuration, address, console, stopSignal } = context
  console.print(`Kustos starts; its data and logs are in ${displayPath(folder.path)}\n`)

  const database = await prepare(context, folder)
  if (stopSignal.aborted) return false
  const services = await console.step(
    'services',
    () => startExternalServices(context, folder, database.url()),
    () => 'Bitbucket, nodes, sites, DNS, registrar, messages',
  )
  if (stopSignal.aborted) return false
  const { KUSTOS_SANDBOX_SETTINGS: settingsFile } = configuration
  if (settingsFile !== undefined) {
    const lines = Object.entries(services.settings).map(([name, value]) => `${name}=${value}\n`)
    await replaceFile(settingsFile, lines.join(''), 0o600)
    console.print(`\nThe simulated services are ready. Their settings are in ${settingsFile}`)
    return true
  }
  const sessionSecret =
    configuration.SESSION_SECRET ?? (await readSecret(folder, 'session-secret', 48, 'base64url'))
  const secretsKey = await readSecret(folder, 'secrets-key', 32, 'base64')
  const reportSigningKey = await readSecret(folder, 'report-signing-key', 32, 'base64')
  const createEnvironment = (): NodeJS.ProcessEnv => ({
    NODE_ENV: 'production',
    SECRETS_KEY: secretsKey,
    REPORT_SIGNING_KEY: reportSigningKey,
    ...context.environment,
    ...services.settings,
    PORT: String(configuration.PORT),
    HOST: configuration.HOST,
    SESSION_SECRET: sessionSecret,
    DATABASE_URL: database.url(),
    // The files have been read.
    SESSION_SECRET_FILE: undefined,
    DATABASE_URL_FILE: undefined,
    // It would lead to another database than the embedded one.
    ...(configuration.DATABASE_URL === undefined && {
      DATABASE_POOLER_URL: undefined,
      DATABASE_POOLER_URL_FILE: undefined,
    }),
  })
  const programs = await console.step(
    'programs',
    () => startPrograms(context, folder, createEnvironment),
    (started) => started && 'kustos-api, kustos-worker',
  )
  if (programs === null) return false
  database.onMove(() => Promise.all(programs.map((program) => program.restart())))

  const messages =
    services.messagesUrl === null ? '' : `\nMessages that Kustos sends here: ${services.messagesUrl}`
  console.print(`
Kustos is ready at ${address}
Sign in as ${administrator} with the password ${password}
Ctrl-C stops it; the data stays for the next start.${messages}
`)
  return true
}

async function prepare(context: StartContext, folder: DataFolder): Promise<Database> {
  const failed = new AbortController()
  const signal = AbortSignal.any([context.stopSignal, failed.signal])
  const [database, frontend] = await Promise.allSettled([
    prepareDatabase(context, folder).catch((error: unknown) => {
      failed.abort()
      throw error
    }),
    context.console.step(
      'frontend',
      () => buildFrontend(join(folder.logs, 'build.log'), signal),
      (outcome) => outcome,
    ),
  ])
  if (database.status === 'rejected') throw database.reason
  if (frontend.status === 'rejected') throw frontend.reason
  return database.value
}
