import { access, constants, stat } from 'node:fs/promises'
import { archiveLog, makeLogPartitions, sealLog } from '@kustos/domain/logs'
import { errorMessage } from '@kustos/domain/platform/errors'
import type { PeriodicTask } from '../periodic-tasks.ts'

/** @param folder of the archives; undefined if none is configured */
export const logTasks = (folder: string | undefined): readonly PeriodicTask[] => [
  { name: 'make-log-partitions', everyMs: 3_600_000, run: makeLogPartitions },
  { name: 'seal-log-entries', everyMs: 10_000, run: sealLog },
  {
    name: 'archive-log',
    everyMs: 3_600_000,
    run: (context, signal) => archiveLog(context, folder ?? null, signal),
  },
]

/** @throws Error with a sentence if the folder of the archives cannot be used */
export async function checkArchiveFolder(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error('not a directory')
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`The folder of AUDIT_ARCHIVE_DIR cannot be written to: ${errorMessage(error)}.`, {
      cause: error,
    })
  }
}
