import { openDatabase } from '@kustos/database/client'
import { readConfiguration } from '@kustos/domain/configuration'
import { pino } from 'pino'
import { authDuties } from './jobs/auth.ts'
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
  max: 4,
  onConnectionLost: (error) => log.warn({ err: error }, 'lost a database connection'),
})
const worker = startWorker({ database, duties: authDuties, log })
log.info({ duties: authDuties.map((duty) => duty.name) }, 'worker started')

/** Lets the runs under way end; whatever still hangs after nine seconds is cut. */
async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), 9_000).unref()
  await worker.stop()
  await database.close()
  log.info('worker stopped')
  process.exit(0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
// Started by another process of ours, the worker does not outlive it.
process.once('disconnect', () => void stop())
