import { checkKnownDomains, checkNewDomains } from '@kustos/domain/external-domains'
import type { OutsideOfWorkers } from '@kustos/domain/outside'
import type { Duty } from '../worker.ts'

/** Of own domains as well: name servers are asked about all of them alike. */
export const domainDuties = ({ dns }: Pick<OutsideOfWorkers, 'dns'>): readonly Duty[] => [
  {
    name: 'check new domains',
    every: 2_000,
    run: async (context, signal) => {
      const checked = await checkNewDomains(context, dns, signal)
      return checked && { ...checked }
    },
  },
  {
    name: 'check domains again',
    every: 600_000,
    run: async (context, signal) => {
      const checked = await checkKnownDomains(context, dns, signal)
      return checked && { ...checked }
    },
  },
]
