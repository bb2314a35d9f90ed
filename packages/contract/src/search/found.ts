import { z } from 'zod'
import { issue } from '../messages/message.ts'
import { text } from '../text.ts'

/** What the search finds, in the order of its response. */
export const foundKinds = ['node', 'user', 'domain', 'mailbox', 'deployment', 'batch', 'view'] as const
export type FoundKind = (typeof foundKinds)[number]

export const maxFoundPerKind = 5
export const minSearchLength = 2
export const maxSearchLength = 200

export const searchText = text(maxSearchLength).min(
  minSearchLength,
  issue('too_short', { min: minSearchLength }),
)

export const found = z
  .object({
    kind: z.enum(foundKinds),
    /** Unique within its kind: the row's id, after `own-` or `external-` for a domain. */
    id: z.string(),
    /** The name; of a batch, its action. */
    label: z.string(),
    /**
     * The panel's host of a node, the email address of a user or of a batch's requester, the customer of a domain or mailbox, the
     * kind of a deployment, the list of a view.
     */
    hint: z.string(),
  })
  .meta({ id: 'Found' })
export type Found = z.output<typeof found>
