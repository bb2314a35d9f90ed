import { tonedOptions } from '../grid/columns.ts'

/** The specification gives the pairs 1/10, 2/11 and 3/12, but not which list has which. */
export const ownDomainStatus = { ok: 1, extern: 2, error: 3 } as const
export const externalDomainStatus = { ok: 10, extern: 11, error: 12 } as const

/** `unknown` for all other codes, and before the first check. */
export type DomainState = keyof typeof ownDomainStatus | 'unknown'

export function domainStateOf(status: number | null): DomainState {
  const states = ['ok', 'extern', 'error'] as const
  return (
    states.find((state) => status === ownDomainStatus[state] || status === externalDomainStatus[state]) ??
    'unknown'
  )
}

export const domainStateOptions = tonedOptions({
  ok: 'green',
  extern: 'orange',
  error: 'red',
  unknown: 'grey',
})
