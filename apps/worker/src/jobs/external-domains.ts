import { checkKnownDomains, checkNewDomains } from '@kustos/domain/external-domains'
import type { WorkerServices } from '@kustos/domain/services'
import type { PeriodicTask } from '../periodic-tasks.ts'

/** Checks own domains as well. */
export const domainTasks = ({ dns }: Pick<WorkerServices, 'dns'>): readonly PeriodicTask[] => [
  {
    name: 'check-new-domains',
    everyMs: 2_000,
    run: (context, signal) => checkNewDomains(context, dns, signal),
  },
  {
    name: 'recheck-domains',
    everyMs: 600_000,
    run: (context, signal) => checkKnownDomains(context, dns, signal),
  },
]
