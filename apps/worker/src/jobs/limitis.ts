import { syncRegistrarWhenDue } from '@kustos/domain/limitis'
import { DomainError } from '@kustos/domain/platform/errors'
import type { WorkerServices } from '@kustos/domain/services'
import type { PeriodicTask } from '../periodic-tasks.ts'

/** Without a registrar the lists are imported from files. */
export const limitisTasks = ({ registrar }: Pick<WorkerServices, 'registrar'>): readonly PeriodicTask[] =>
  registrar === null
    ? []
    : [
        {
          name: 'sync-registrar',
          everyMs: 60_000,
          async run(context, signal) {
            try {
              const synced = await syncRegistrarWhenDue(context, registrar, signal)
              return synced && { ...synced }
            } catch (error) {
              // The failure is stored with the lists, and the sync is retried when it is due.
              if (error instanceof DomainError && error.kind === 'upstream') return { failed: error.message }
              throw error
            }
          },
        },
      ]
