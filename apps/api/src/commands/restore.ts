import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { RestoreReport } from '@kustos/database/backup'
import type { Transaction } from '@kustos/database/client'
import {
  type Command,
  CommandError,
  commandLineOrigin,
  type ParsedArgs,
  print,
  requireConfiguration,
} from './command.ts'
import { logBackup } from './log-backup.ts'

export const restoreCommand: Command = {
  name: 'restore',
  usage: `  restore FILE                               restores a backup into an empty database in one transaction, then
                                             migrates it (- is standard input). Deployments that had not finished
                                             end as failed, and their batches start no more webs, unless
                                             --resume-deployments lets workers continue them`,
  positionals: ['FILE'],
  options: { 'resume-deployments': { type: 'boolean' } },
  run: restoreFromFile,
}

async function restoreFromFile({ positionals: [path], values }: ParsedArgs): Promise<void> {
  if (path === undefined) throw new CommandError('FILE is missing; - is standard input.')
  const { restoreBackup } = await import('@kustos/database/backup')
  const { endUnfinishedDeployments } = await import('@kustos/domain/deployment')
  const { stopBatchesAfterRestore } = await import('@kustos/domain/batches')
  const ended: Ended = { deployments: 0, webs: 0 }
  const endDeployments = async (tx: Transaction) => {
    const context = { actor: null, now: () => new Date(), origin: commandLineOrigin() }
    ended.deployments = await endUnfinishedDeployments(context, tx)
    ended.webs = await stopBatchesAfterRestore(context, tx)
  }
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner = url } = requireConfiguration()
  const source = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
  const unreadable = new Promise<never>((_, reject) =>
    source.once('error', (error: Error) =>
      reject(new CommandError(`The backup cannot be read: ${error.message}`)),
    ),
  )
  try {
    const restored = await Promise.race([
      restoreBackup(owner, source, values['resume-deployments'] === true ? undefined : endDeployments),
      unreadable,
    ])
    const { header, rows } = restored
    const file = path === '-' ? 'standard input' : basename(path)
    await logBackup('backup restored', { file, taken_at: header.takenAt, rows })
    report(restored, ended)
  } finally {
    source.destroy()
  }
}

/** What does not go on by itself after the restore. */
interface Ended {
  /** Those that have failed. */
  deployments: number
  /** Those that batches do not start any more. */
  webs: number
}

function report({ header, rows, schema, waiting }: RestoreReport, ended: Readonly<Ended>): void {
  print(
    `Restored the backup of ${header.takenAt}: ${rows} rows in ${header.sections.length} tables. The schema is ${schema}${schema === header.schema.tag ? '' : ` (${header.schema.tag} in the backup)`}.`,
  )
  print('All users must sign in again. If the job queue is in Redis, empty it.')
  if (ended.deployments > 0)
    print(
      `Deployments that were waiting or running have failed: ${ended.deployments}. Retry those that are still wanted in the console, or restore with --resume-deployments.`,
    )
  if (ended.webs > 0)
    print(
      `Webs that batches of deployments had not started yet are not started: ${ended.webs}. Retry these batches in the console if they are still wanted.`,
    )
  const { deployments, inspections, alerts } = waiting
  if (deployments + inspections + alerts > 0)
    print(
      `Deployments in progress: ${deployments}, inspections: ${inspections}, unsent alerts: ${alerts}. Workers continue them when they start.`,
    )
}
