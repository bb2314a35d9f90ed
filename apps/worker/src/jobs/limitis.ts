import { DomainError } from '@kustos/domain/errors'
import { syncRegistrarWhenDue } from '@kustos/domain/limitis'
import type { OutsideOfWorkers } from '@kustos/domain/outside'
import type { Duty } from '../worker.ts'

/** Where no registrar is configured there is nothing to do: its lists come from files. */
export const limitisDuties = ({ registrar }: Pick<OutsideOfWorkers, 'registrar'>): readonly Duty[] =>
  registrar === null
    ? []
    : [
        {
          name: 'sync with the registrar',
          every: 60_000,
          async run(context, signal) {
            try {
              const synced = await syncRegistrarWhenDue(context, registrar, signal)
              return synced && { ...synced }
            } catch (error) {
              // That it is away is kept with the lists, and it is asked again when that is due.
              if (error instanceof DomainError && error.code === 'upstream') return { failed: error.message }
              throw error
            }
          },
        },
      ]
