import { z } from 'zod'
import { externalDomain } from '../external-domains/index.ts'
import { email, ownDomain } from '../limitis/index.ts'
import { uptime, webSummary } from '../web-summary.ts'
import { customer } from './customer.ts'

/** A customer with everything that is its own. Parts that the user may not see are null. */
export const customerDetails = customer
  .omit({ webs: true, down: true, domains: true, mailboxes: true })
  .extend({
    contacts: z.array(
      z.object({
        name: z.string(),
        role: z.string().nullable(),
        email: z.string().nullable(),
        phone: z.string().nullable(),
      }),
    ),
    notes: z.string().nullable(),
    contract_notes: z.string().nullable(),
    /** Codes that were merged into this one, which the registrar may still use. */
    spellings: z.array(z.string()),
    webs: z.array(webSummary).nullable(),
    own_domains: z.array(ownDomain).nullable(),
    external_domains: z.array(externalDomain).nullable(),
    mailboxes: z.array(email).nullable(),
    /** Of all its webs together. */
    uptime: uptime.nullable(),
  })
  .meta({ id: 'CustomerDetails' })
export type CustomerDetails = z.output<typeof customerDetails>

const changed = z
  .object({
    count: z.int(),
    /** The first ones. */
    names: z.array(z.string()),
  })
  .nullable()

/** How many names of each kind a preview of a merge has. */
export const maxMergedNames = 20

/** What a merge changes. Parts that the user may not see are null. */
export const mergePreview = z
  .object({
    webs: changed,
    own_domains: changed,
    external_domains: changed,
    mailboxes: changed,
    /** Whether it has settings of a check, which are lost if the other customer has some, too. */
    check: z.boolean(),
    /** The same of its tracking contract, with the differences that are allowed. */
    tracking_contract: z.boolean(),
  })
  .meta({ id: 'CustomerMergePreview' })
export type MergePreview = z.output<typeof mergePreview>
