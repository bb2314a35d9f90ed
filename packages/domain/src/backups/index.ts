import type { LogDescription } from '@kustos/contract/log-words'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'

/** Records in the audit log that a backup was taken or restored. */
export const recordBackup = (
  context: Context,
  description: Extract<LogDescription, `backup ${string}`>,
  attributes: {
    /** The name without the folder. */
    readonly file: string
    /** When the backup was taken, as an ISO time. */
    readonly taken_at: string
    readonly rows: number
  },
): Promise<void> => withAudit(context, (tx) => tx.record({ log: 'backups', description, attributes }))
