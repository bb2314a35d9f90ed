import { z } from 'zod'
import { customerCode } from '../customers/code.ts'
import { expirySources, mailStateOptions, mailStates } from '../domains/states.ts'
import { defineGrid, type GridDefinition, tonedOptions } from '../grid/columns.ts'
import { messageFields } from '../messages/schema.ts'
import { baseVersion, id, requiredText, timestamp } from '../text.ts'
import { domainName } from './domain-name.ts'

/** The latest check of a domain's name servers [+]. */
export const domainCheck = {
  /** The last success; null before the first. */
  checked_at: timestamp.nullable(),
  /** Null if the latest check succeeded. */
  check_error: z.string().nullable(),
  ...messageFields('check_error'),
}

/** What is known of a domain from its registrar, its registry and its DNS [+]. */
export const domainWatch = {
  /** When its registration ends, and who says so; null if it is unknown. */
  expires_at: timestamp.nullable(),
  expiry_source: z.enum(expirySources).nullable(),
  /** Null before the first check. */
  mail_state: z.enum(mailStates).nullable(),
}

/** A customer's domain that is not at our registrar. */
export const externalDomain = z
  .object({
    id,
    customer: z.string(),
    fqdn: z.string(),
    /** The primary name server in its SOA record. */
    mname: z.string().nullable(),
    /** `externalDomainStatus`; null before the first check. */
    status: z.int().nullable(),
    domainprovider: z.string(),
    created_at: timestamp,
    /** When staff last changed it; checks do not count [+]. */
    updated_at: timestamp,
    ...domainCheck,
    ...domainWatch,
  })
  .meta({ id: 'ExternalDomain' })
export type ExternalDomain = z.output<typeof externalDomain>

export const newExternalDomain = z
  .object({
    fqdn: domainName,
    customer: customerCode,
    domainprovider: requiredText('domain_provider_required'),
  })
  .meta({ id: 'NewExternalDomain' })
export type NewExternalDomain = z.output<typeof newExternalDomain>

export const externalDomainChange = newExternalDomain.extend(baseVersion).meta({ id: 'ExternalDomainChange' })
export type ExternalDomainChange = z.output<typeof externalDomainChange>

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

/** A row of any list of domains. */
type DomainRow = Omit<ExternalDomain, 'domainprovider' | 'updated_at'> & {
  readonly domainprovider?: string | null
}

const domainGrid = defineGrid<DomainRow>({
  name: 'domains',
  primaryColumns: ['fqdn', 'status'],
  columns: [
    { key: 'id', kind: 'number', width: 64 },
    { key: 'customer', kind: 'text', width: 140 },
    { key: 'fqdn', kind: 'text', isMonospaced: true, width: 250 },
    { key: 'mname', kind: 'text', isMonospaced: true, width: 206 },
    {
      key: 'status',
      kind: 'status',
      width: 170,
      minWidth: 166,
      options: domainStateOptions,
      value: (row) => domainStateOf(row.status),
    },
    { key: 'domainprovider', kind: 'text', width: 170, value: (row) => row.domainprovider ?? null },
    { key: 'created_at', kind: 'date', width: 160 },
    { key: 'expires_at', kind: 'date', set: 'check', width: 160 },
    {
      key: 'mail_state',
      kind: 'status',
      set: 'check',
      width: 150,
      options: mailStateOptions,
      value: (row) => row.mail_state ?? 'unknown',
    },
    { key: 'checked_at', kind: 'date', set: 'check', width: 170 },
    { key: 'check_error', kind: 'text', set: 'check', width: 320 },
  ],
  sets: [{ key: 'check', isVisibleByDefault: false }],
})

export const externalDomainColumns: GridDefinition<ExternalDomain> = domainGrid

/** Columns of domains in the order of their keys. */
export const domainColumns = (...keys: string[]) =>
  keys.flatMap((key) => domainGrid.columns.filter((column) => column.key === key))
