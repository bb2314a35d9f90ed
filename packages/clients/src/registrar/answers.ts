import { z } from 'zod'
import { type RegistrarDomain, RegistrarError, type RegistrarMailbox } from './registrar.ts'

/*
 * The registrar's API as Kustos speaks it. Nothing is publicly known of that of "Limitis": what stands here is a small
 * REST interface such as registrars have, and the one file to change where the real one turns out to be different.
 *
 *   GET <LIMITIS_API_URL>/domains     Authorization: Bearer <LIMITIS_API_TOKEN>
 *   GET <LIMITIS_API_URL>/mailboxes
 *
 *   {"data": [{"fqdn": …, "customer": …, "created_at": …}], "next": "<address of the next page>", "total": 41}
 *   {"data": [{"address": …, "type": …, "customer": …, "created_at": …}], "next": null, "total": 7}
 *
 * next is opaque and followed as it stands, absolute or relative; the last page has none. created_at and total may be
 * missing; where there is a total, the pages have to add up to it. Other fields are ignored.
 */

export const paths = { domains: 'domains', mailboxes: 'mailboxes' } as const

const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .nullish()
  .transform((value) => (value == null ? null : new Date(value)))

/** NUL is what Postgres cannot hold. */
const text = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((value) => !value.includes('\u0000'), 'NUL')

const domain = z.object({ fqdn: text, customer: text, created_at: moment })

const mailbox = z.object({
  address: text.toLowerCase().regex(/^[^\s@]+@[^\s@]+$/),
  type: text,
  customer: text,
  created_at: moment,
})

const pageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({ data: z.array(entry), next: z.string().nullish(), total: z.int().min(0).nullish() })

const domainPage = pageOf(domain)
const mailboxPage = pageOf(mailbox)

export interface Page<Entry> {
  readonly data: readonly Entry[]
  readonly next?: string | null | undefined
  readonly total?: number | null | undefined
}

export const readDomains = (answer: unknown): Page<RegistrarDomain> => read(domainPage, answer)
export const readMailboxes = (answer: unknown): Page<RegistrarMailbox> => read(mailboxPage, answer)

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'answer'
  throw new RegistrarError(
    200,
    `The registrar answered something that Kustos cannot read (${where}: ${issue?.message}).`,
  )
}
