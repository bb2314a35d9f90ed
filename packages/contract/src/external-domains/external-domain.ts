import { z } from 'zod'
import type { ColumnDefinition, GridDefinition } from '../grid/columns.ts'
import { issue } from '../messages/message.ts'
import { messageFields } from '../messages/schema.ts'
import { id, text, time } from '../text.ts'
import { domainName } from './domain-name.ts'
import { domainStateOf, domainStateOptions } from './status.ts'

/** What name servers said of a domain [+]. */
export const domainCheck = {
  /** When they answered last; null before the first answer. */
  checked_at: time.nullable(),
  /** Why they could not be asked the last time, in a sentence; null where they could. */
  check_error: z.string().nullable(),
  ...messageFields('check_error'),
}

/** A customer's domain that lies elsewhere than at our registrar. */
export const externalDomain = z
  .object({
    id,
    customer: z.string(),
    fqdn: z.string(),
    /** The primary name server that its SOA record names. */
    mname: z.string().nullable(),
    /** `externalDomainStatus`; null before the first answer. */
    status: z.int().nullable(),
    domainprovider: z.string(),
    created_at: time,
    /** When staff changed it last; name servers' answers leave it [+]. */
    updated_at: time,
    ...domainCheck,
  })
  .meta({ id: 'ExternalDomain' })
export type ExternalDomain = z.output<typeof externalDomain>

export const newExternalDomain = z
  .object({
    fqdn: domainName,
    customer: text(255).min(1, issue('customer_required')),
    domainprovider: text(255).min(1, issue('domain_provider_required')),
  })
  .meta({ id: 'NewExternalDomain' })
export type NewExternalDomain = z.output<typeof newExternalDomain>

export const externalDomainChange = newExternalDomain
  .extend({
    /** As read before; where the row has changed since, nothing is written [+]. */
    updated_at: time.optional(),
  })
  .meta({ id: 'ExternalDomainChange' })
export type ExternalDomainChange = z.output<typeof externalDomainChange>

/** How the latest check of a domain went, for every list of domains. */
export const checkColumns: readonly ColumnDefinition<{
  readonly checked_at: string | null
  readonly check_error: string | null
}>[] = [
  { key: 'checked_at', kind: 'date', set: 'check', width: 170, value: (row) => row.checked_at },
  { key: 'check_error', kind: 'text', set: 'check', width: 320, value: (row) => row.check_error },
]

export const externalDomainColumns: GridDefinition<ExternalDomain> = {
  name: 'domains',
  columns: [
    { key: 'id', kind: 'number', width: 64, value: (row) => row.id },
    { key: 'customer', kind: 'text', width: 140, value: (row) => row.customer },
    { key: 'fqdn', kind: 'text', mono: true, width: 250, value: (row) => row.fqdn },
    { key: 'mname', kind: 'text', mono: true, width: 206, value: (row) => row.mname },
    {
      key: 'status',
      kind: 'status',
      width: 140,
      options: domainStateOptions,
      value: (row) => domainStateOf(row.status),
    },
    { key: 'domainprovider', kind: 'text', width: 170, value: (row) => row.domainprovider },
    { key: 'created_at', kind: 'date', width: 160, value: (row) => row.created_at },
    ...checkColumns,
  ],
  sets: [{ key: 'check', shown: false }],
}
