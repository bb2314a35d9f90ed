import type { GridLabels, Option } from '../grid/columns.ts'

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

export const domainStateOptions: readonly Option[] = [
  { value: 'ok', label: 'ok', tone: 'green' },
  { value: 'extern', label: 'extern or gone', tone: 'orange' },
  { value: 'error', label: 'error or NX', tone: 'red' },
  { value: 'unknown', label: 'unknown', tone: 'grey' },
]

/** German labels of what every list of domains shows. */
export const germanDomainLabels: GridLabels = {
  columns: {
    id: 'Id',
    list: 'Liste',
    customer: 'Kunde',
    fqdn: 'FQDN',
    mname: 'Primärer Nameserver',
    status: 'Status',
    domainprovider: 'Domain-Provider',
    created_at: 'Angelegt',
    checked_at: 'Geprüft',
    check_error: 'Nicht geprüft, weil',
  },
  options: {
    status: { ok: 'ok', extern: 'extern oder weg', error: 'Fehler oder NX', unknown: 'unbekannt' },
    list: { own: 'eigene', external: 'externe' },
  },
  sets: { check: 'Letzte Prüfung' },
}
