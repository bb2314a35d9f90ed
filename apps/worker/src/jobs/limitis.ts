import { syncRegistrarWhenDue } from '@kustos/domain/limitis'
import type { WorkerServices } from '@kustos/domain/services'
import { type PeriodicTask, withStoredFailures } from '../periodic-tasks.ts'

/** Without a registrar the lists are imported from files. */
export const limitisTasks = ({ registrar }: Pick<WorkerServices, 'registrar'>): readonly PeriodicTask[] =>
  registrar === null
    ? []
    : [
        {
          name: 'sync-registrar',
          everyMs: 60_000,
          run: (context, signal) => withStoredFailures(syncRegistrarWhenDue(context, registrar, signal)),
        },
      ]
