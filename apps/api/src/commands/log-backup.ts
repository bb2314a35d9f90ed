import type { recordBackup } from '@kustos/domain/backups'
import { describeError } from '@kustos/domain/platform/logger'
import { withDatabase } from './command.ts'

type RecordArgs = Parameters<typeof recordBackup>

/**
 * Records a backup or restore in the audit log. If that fails, for example because the login of the programs is not set up
 * yet, the command reports it but succeeds, since the backup itself is complete.
 */
export async function logBackup(description: RecordArgs[1], attributes: RecordArgs[2]): Promise<void> {
  try {
    await withDatabase(async (_, context) => {
      const { recordBackup } = await import('@kustos/domain/backups')
      await recordBackup(context, description, attributes)
    })
  } catch (error) {
    process.stderr.write(`No audit log entry was written: ${describeError(error)}\n`)
  }
}
