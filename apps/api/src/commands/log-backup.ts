import type { recordBackup } from '@kustos/domain/backups'
import { describeError } from '@kustos/domain/platform/logger'
import { withDatabase } from './command.ts'

type Recorded = Parameters<typeof recordBackup>

/**
 * Records a backup or restore in the audit log. If that fails, for example because the login of the programs is not set up
 * yet, the command reports it but succeeds, so that nobody throws the backup away.
 */
export async function logBackup(description: Recorded[1], attributes: Recorded[2]): Promise<void> {
  try {
    await withDatabase(async (_, context) => {
      const { recordBackup } = await import('@kustos/domain/backups')
      await recordBackup(context, description, attributes)
    })
  } catch (error) {
    process.stderr.write(`The audit log has no entry of it: ${describeError(error)}\n`)
  }
}
