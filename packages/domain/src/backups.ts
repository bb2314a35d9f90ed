import type { LogDescription } from '@kustos/contract/log-words'
import { change } from './audit.ts'
import type { Context } from './context.ts'

/** Says in the log that all that Kustos knows was written to a file, or came from one. */
export const recordBackup = (
  context: Context,
  description: Extract<LogDescription, `backup ${string}`>,
  attributes: {
    /** Its name alone: where it lies is nothing to readers of the log. */
    readonly file: string
    /** When the backup was taken, as an ISO time. */
    readonly taken_at: string
    readonly rows: number
  },
): Promise<void> => change(context, (inside) => inside.record({ log: 'backups', description, attributes }))
