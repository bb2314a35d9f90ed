import { z } from 'zod'
import { isStorableDate, isZeroDate } from '../registration-dates.ts'

/*
 * The registrar's API as Kustos uses it. The API of "Limitis" is not public, so this is a small REST interface as other
 * registrars have it. If the real one differs, this is the file to change.
 *
 *   GET <LIMITIS_API_URL>/domains     Authorization: Bearer <LIMITIS_API_TOKEN>
 *   GET <LIMITIS_API_URL>/mailboxes
 *
 *   {"data": [{"fqdn": …, "customer": …, "created_at": …, "expires_at": …, "auto_renew": true}], "next": "<address of the next page>", "total": 41}
 *   {"data": [{"address": …, "type": …, "customer": …, "created_at": …}], "next": null, "total": 7}
 *
 * `next` may be absolute or relative; the last page has none. `total` is optional; if any page has it, the pages must add
 * up to it. Only an entry's name is required; a missing or invalid customer, type, date or `auto_renew` counts
 * as unknown.
 */

/** Without NUL, which Postgres cannot store. */
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

/** ISO 8601, also with a space instead of the T; UTC if it has no zone. */
const moment = z
  .string()
  .trim()
  .transform((value) => value.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'))
  .pipe(z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]))
  .transform(
    (value) => new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes('T') ? value : `${value}Z`),
  )
  .refine((date) => isStorableDate(date) && !isZeroDate(date), 'out of range')
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)

export const domain = z.object({
  fqdn: text,
  customer: optional,
  created_at: moment,
  /** When the registration ends, and whether the registrar renews it by then. */
  expires_at: moment,
  auto_renew: z.boolean().nullable().catch(null).default(null),
})
export type RegistrarDomain = z.output<typeof domain>

export const mailbox = z.object({
  address: text.toLowerCase().regex(/^[^\s@]+@[^\s@]+$/),
  type: optional,
  customer: optional,
  created_at: moment,
})
export type RegistrarMailbox = z.output<typeof mailbox>

export const page = z.object({
  data: z.array(z.unknown()),
  next: z.string().nullish(),
  total: z.int().min(0).nullish(),
})
