import { z } from 'zod'
import { issue, type MessageCode } from './messages/message.ts'

const nul = '\u0000'

/**
 * Typed text: trimmed, and without NUL, which Postgres cannot hold.
 * @param max in UTF-16 code units, as browsers count maxlength
 */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, issue('too_long', { max }))
    .refine((value) => !value.includes(nul), issue('character_not_storable'))

/** A text of at most 255 characters. */
export const requiredText = (code: Extract<MessageCode, `${string}_required`>) =>
  text(255).min(1, issue(code))

/** What no eye sees: controls, formats such as zero-width spaces, separators of lines, fillers. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * A name that others have to tell from the next one, as a role's or a user's: nothing in it is invisible.
 * @param max as {@link text}
 */
export const visibleName = (max: number) =>
  text(max)
    .min(1, issue('name_required'))
    .refine((value) => !unseen.test(value), issue('character_invisible'))

/** Text that may be left out: blank and null both mean none. */
export const optionalText = (max: number) =>
  z
    .union([text(max), z.null()])
    .transform((value) => (value === '' ? null : value))
    .optional()

/** A row's id: a positive whole number that Postgres' integer can hold. */
export const id = z.int().min(1).max(2_147_483_647)

/** The same in a path. */
export const idParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, issue('not_an_id'))
  .transform(Number)
  .pipe(z.int().max(2_147_483_647, issue('not_an_id')))

/** ISO 8601 in UTC, as the wire carries times: with Z, or +00:00 where Postgres wrote it. */
export const time = z.iso.datetime({ offset: true })

/** For changes of a row: as read before. If the row has changed since, nothing is written (409) [+]. */
export const readVersion = { updated_at: time.optional() }

const [firstMoment, lastMoment] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * A requested time in UTC: Postgres knows no year 0 and no offset of 23 hours, and would fail.
 * @param error of what is not a time
 */
export const moment = (error?: string) =>
  z.iso
    .datetime({ offset: true, ...(error !== undefined && { error }) })
    .refine((value) => {
      const at = Date.parse(value)
      return Number.isNaN(at) || (at >= firstMoment && at <= lastMoment)
    }, issue('year_out_of_range'))
    .transform((value) => new Date(value).toISOString())
