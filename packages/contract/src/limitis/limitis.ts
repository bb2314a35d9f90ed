import { z } from 'zod'
import { customerCode } from '../customers/code.ts'
import {
  domainCheck,
  domainColumns,
  domainName,
  domainWatch,
  type ExternalDomain,
  externalDomainColumns,
} from '../external-domains/index.ts'
import { defineGrid } from '../grid/columns.ts'
import { issue } from '../messages/message.ts'
import { id, requiredText, text, timestamp } from '../text.ts'
import { fqdn } from '../webs/index.ts'

/** A domain at our registrar. */
export const ownDomain = z
  .object({
    id,
    customer: z.string(),
    fqdn: z.string(),
    /** `ownDomainStatus`; null before the first check. */
    status: z.int().nullable(),
    created_at: timestamp,
    /** The primary name server in its SOA record [+]. */
    mname: z.string().nullable(),
    /** Whether the registrar renews it before it ends; null if it does not say [+]. */
    auto_renew: z.boolean().nullable(),
    ...domainCheck,
    ...domainWatch,
  })
  .meta({ id: 'OwnDomain' })
export type OwnDomain = z.output<typeof ownDomain>

/** A mailbox at our registrar. */
export const email = z
  .object({
    id,
    customer: z.string(),
    /** In lower case. */
    address: z.string(),
    /** As the registrar calls it, such as mailbox or forward. */
    type: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Email' })
export type Email = z.output<typeof email>

/** A line of an import of own domains. */
export const importedDomain = z.object({
  fqdn: domainName,
  customer: customerCode,
})

const address = text(320)
  .toLowerCase()
  .refine((typed) => {
    const [local = '', host = '', ...more] = typed.split('@')
    return /^[^\s\p{C}"(),:;<>[\]\\]{1,64}$/u.test(local) && more.length === 0 && fqdn.safeParse(host).success
  }, issue('mail_address_invalid'))

/** A line of an import of mailboxes. */
export const importedEmail = z.object({
  address,
  customer: customerCode,
  type: requiredText('type_required'),
})

/** A row of the list of own and external domains. Ids are unique within each kind only; see `anyDomainKey`. */
export type AnyDomain =
  | (OwnDomain & { readonly list: 'own'; readonly domainprovider: null })
  | (ExternalDomain & { readonly list: 'external' })

/** Own and external domains in one list, sorted by name. */
export const allDomains = (
  own: readonly OwnDomain[],
  external: readonly ExternalDomain[],
): readonly AnyDomain[] =>
  [
    ...own.map((row): AnyDomain => ({ ...row, list: 'own', domainprovider: null })),
    ...external.map((row): AnyDomain => ({ ...row, list: 'external' })),
  ].sort((a, b) => (a.fqdn < b.fqdn ? -1 : a.fqdn > b.fqdn ? 1 : 0))

export const anyDomainKey = ({ list, id: row }: AnyDomain): string => `${list}-${row}`

const { sets } = externalDomainColumns
const shown = [
  'customer',
  'fqdn',
  'status',
  'created_at',
  'mname',
  'expires_at',
  'mail_state',
  'checked_at',
  'check_error',
]

export const ownDomainColumns = defineGrid<OwnDomain>({
  name: 'domains',
  primaryColumns: ['fqdn', 'status'],
  // The registrar's list shows the end at once.
  columns: domainColumns('id', ...shown).map((column) =>
    column.key === 'expires_at' ? { key: 'expires_at', kind: 'date', width: 160 } : column,
  ),
  sets,
})

export const allDomainColumns = defineGrid<AnyDomain>({
  name: 'domains',
  primaryColumns: ['fqdn', 'status'],
  columns: [
    ...domainColumns('id'),
    { key: 'list', kind: 'select', width: 100, options: [{ value: 'own' }, { value: 'external' }] },
    ...domainColumns(...shown, 'domainprovider'),
  ],
  sets,
})

export const emailColumns = defineGrid<Email>({
  name: 'emails',
  primaryColumns: ['address', 'type'],
  columns: [
    { key: 'id', kind: 'number', width: 72 },
    { key: 'customer', kind: 'text', width: 150 },
    { key: 'address', kind: 'text', isMonospaced: true, width: 320 },
    {
      key: 'type',
      kind: 'select',
      width: 140,
      options: ['mailbox', 'forward', 'catch-all'].map((value) => ({ value })),
    },
    { key: 'created_at', kind: 'date', width: 170 },
  ],
})
