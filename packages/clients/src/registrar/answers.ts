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
 * next is opaque and followed as it stands, absolute or relative; the last page has none. total may stand on any page, or on
 * none; where there is one, the pages have to add up to it. Other fields are ignored.
 *
 * Of an entry its name alone is needed. A customer, a type or a date that is missing or odd is not known; an entry without
 * a name that can be read is none, and told in a sentence of its own.
 */

export const paths = { domains: 'domains', mailboxes: 'mailboxes' } as const

/** NUL is what Postgres cannot hold. */
const text = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine((value) => !value.includes('\u0000'), 'NUL')

const optional = text
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

/** ISO 8601; with a space in place of the T, or without a zone, it is taken as UTC. */
const moment = z
  .string()
  .trim()
  .transform((value) => value.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'))
  .pipe(z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]))
  .transform(
    (value) => new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes('T') ? value : `${value}Z`),
  )
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

const domain = z.object({ fqdn: text, customer: optional, created_at: moment })

const mailbox = z.object({
  address: text.toLowerCase().regex(/^[^\s@]+@[^\s@]+$/),
  type: optional,
  customer: optional,
  created_at: moment,
})

const page = z.object({
  data: z.array(z.unknown()),
  next: z.string().nullish(),
  total: z.int().min(0).nullish(),
})

export interface Page<Entry> {
  readonly entries: readonly Entry[]
  /** What stands in place of entries that cannot be read, shortened. */
  readonly odd: readonly string[]
  readonly next: string | null
  readonly total: number | null
}

export const readDomains = (answer: unknown): Page<RegistrarDomain> => read(domain, answer)
export const readMailboxes = (answer: unknown): Page<RegistrarMailbox> => read(mailbox, answer)

function read<T>(entry: z.ZodType<T>, answer: unknown): Page<T> {
  const parsed = page.safeParse(answer)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'answer'
    throw new RegistrarError(
      200,
      `The registrar answered something that Kustos cannot read (${where}: ${issue?.message}).`,
    )
  }
  const { data, next, total } = parsed.data
  const entries: T[] = []
  const odd: string[] = []
  for (const one of data) {
    const taken = entry.safeParse(one)
    if (taken.success) entries.push(taken.data)
    else odd.push((JSON.stringify(one) ?? '').slice(0, 100))
  }
  return { entries, odd, next: next || null, total: total ?? null }
}
