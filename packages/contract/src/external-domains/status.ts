import type { OptionDefinition } from '../grid/columns.ts'

/** Where a domain points, of own domains. The specification gives the pairs 1/10, 2/11, 3/12; which list has which is ours. */
export const ownDomainStatus = { ok: 1, extern: 2, error: 3 } as const
/** The same of external domains. */
export const externalDomainStatus = { ok: 10, extern: 11, error: 12 } as const

/** What a status says, whichever list it stands in; unknown for every other code, and before the first answer. */
export type DomainState = keyof typeof ownDomainStatus | 'unknown'

export function domainStateOf(status: number | null): DomainState {
  const states = ['ok', 'extern', 'error'] as const
  return (
    states.find((state) => status === ownDomainStatus[state] || status === externalDomainStatus[state]) ??
    'unknown'
  )
}

export const domainStateOptions: readonly OptionDefinition[] = [
  { value: 'ok', tone: 'green' },
  { value: 'extern', tone: 'orange' },
  { value: 'error', tone: 'red' },
  { value: 'unknown', tone: 'grey' },
]
