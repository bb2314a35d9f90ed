import type { recordBackup } from '@kustos/domain/backups'
import { sentenceOf } from '@kustos/domain/log'
import { withDatabase } from './command.ts'

type Recorded = Parameters<typeof recordBackup>

/**
 * Tells the log of a backup that is written, or restored. Where the log cannot be told, as when the programs' login is not
 * right yet, what was done stands all the same: the command says so and has not failed, lest a whole backup is thrown away.
 */
export async function logBackup(description: Recorded[1], attributes: Recorded[2]): Promise<void> {
  try {
    await withDatabase(async (_, context) => {
      const { recordBackup } = await import('@kustos/domain/backups')
      await recordBackup(context, description, attributes)
    })
  } catch (error) {
    process.stderr.write(`The audit log has no entry of it: ${sentenceOf(error)}\n`)
  }
}
