import { z } from 'zod'
import { defineGrid } from '../grid/columns.ts'
import { carriedTags } from '../tags/tag.ts'
import { baseVersion, composedText, id, label, optionalText, requiredText, timestamp } from '../text.ts'
import { reportingChannels } from '../webs/index.ts'
import { customerCode, newCustomerCode } from './code.ts'

/** A code as it is stored, such as one in a path. */
export const customerCodeParam = z
  .string()
  .min(1)
  .max(255)
  .refine((code) => !code.includes('\u0000'))

const contact = z
  .object({
    name: requiredText('name_required'),
    role: optionalText(label(100)),
    email: optionalText(label(320)),
    phone: optionalText(label(60)),
  })
  .transform(({ name, role = null, email = null, phone = null }) => ({ name, role, email, phone }))
export type Contact = z.output<typeof contact>

const channels = z
  .array(z.enum(reportingChannels))
  .max(reportingChannels.length)
  .transform((chosen) => reportingChannels.filter((channel) => chosen.includes(channel)))

/** A customer in the list. Numbers are null if the user may not see what is counted. */
export const customer = z
  .object({
    id,
    code: z.string(),
    name: z.string().nullable(),
    /** Where alerts of its webs go that name no channel themselves. */
    alert_channels: z.array(z.enum(reportingChannels)),
    tags: z.array(z.string()),
    webs: z.int().nullable(),
    /** Webs with an open incident. */
    down: z.int().nullable(),
    /** Own and external ones, as far as the user may see them. */
    domains: z.int().nullable(),
    mailboxes: z.int().nullable(),
    created_at: timestamp,
    /** When it was last changed itself; its webs do not count. */
    updated_at: timestamp,
  })
  .meta({ id: 'Customer' })
export type Customer = z.output<typeof customer>

/** A merge of two customers keeps to these as well. */
export const maxContacts = 50
export const maxNotesLength = 10_000

const editable = {
  name: optionalText(label(255)),
  contacts: z.array(contact).max(maxContacts).optional(),
  notes: optionalText(composedText(maxNotesLength)),
  contract_notes: optionalText(composedText(maxNotesLength)),
  alert_channels: channels.optional(),
  tags: carriedTags.optional(),
}

export const newCustomer = z.object({ code: newCustomerCode, ...editable }).meta({ id: 'NewCustomer' })
export type NewCustomer = z.output<typeof newCustomer>

/** Fields left out stay as they are. */
export const customerChange = z.object({ ...editable, ...baseVersion }).meta({ id: 'CustomerChange' })
export type CustomerChange = z.output<typeof customerChange>

/** The customer with code `from` is merged into that with code `into`. */
export const customerMerge = z
  // Any customer can be merged away, whatever its code is. Trimmed, it might be that of another one.
  .object({ from: customerCodeParam, into: customerCode })
  .meta({ id: 'CustomerMerge' })
export type CustomerMerge = z.output<typeof customerMerge>

export const customerColumns = defineGrid<Customer>({
  name: 'customers',
  primaryColumns: ['code', 'name', 'down'],
  columns: [
    { key: 'code', kind: 'text', width: 180 },
    { key: 'name', kind: 'text', width: 260 },
    { key: 'webs', kind: 'number', width: 100 },
    { key: 'down', kind: 'number', width: 130 },
    { key: 'domains', kind: 'number', width: 110 },
    { key: 'mailboxes', kind: 'number', width: 110 },
    { key: 'tags', kind: 'tags', isKeyed: true, width: 200 },
    { key: 'alert_channels', kind: 'tags', width: 180 },
    { key: 'created_at', kind: 'date', set: 'details', width: 160 },
    { key: 'updated_at', kind: 'date', set: 'details', width: 160 },
  ],
  sets: [{ key: 'details', isVisibleByDefault: false }],
})
