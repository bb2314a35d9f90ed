import { archiveLog, makeLogPartitions, sealLog } from '@kustos/domain/logs'
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
