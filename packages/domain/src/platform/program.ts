import { readConfiguration } from './configuration/index.ts'
import { openLog } from './logger/index.ts'
import { secretsOf } from './masking/index.ts'

/** Ends the process with a sentence for the operator. */
export function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

export type StartedProgram = ReturnType<typeof startProgram>

/** Reads the environment of the API or a worker and opens its log. Ends the process if a variable is invalid. */
export function startProgram(name: 'kustos-api' | 'kustos-worker') {
  process.title = name
  const read = readConfiguration(process.env)
  if (!read.ok) refuse(read.sentence)
  const { configuration } = read
  const { DATABASE_URL: databaseUrl, LOG_LEVEL: level } = configuration
  if (databaseUrl === undefined) refuse('DATABASE_URL is missing.')
  const log = openLog({ name, level, secrets: secretsOf(configuration) })
  // Node would print an uncaught error with all secrets in it.
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  return {
    configuration,
    databaseUrl,
    log,
    onError: (error: Error) => log.warn({ err: error }, 'error in the background'),
    onConnectionLost: (error: Error) => log.warn({ err: error }, 'lost a database connection'),
  }
}

/** Stops the program on a signal and ends the process, after nine seconds at the latest. */
export function stopOnSignal(stop: () => Promise<void>): void {
  const end = async () => {
    setTimeout(() => process.exit(1), 9_000).unref()
    await stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end())
  // A program that was started by another process ends with it.
  process.once('disconnect', () => void end())
}
