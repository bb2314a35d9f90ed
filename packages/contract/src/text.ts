import { z } from 'zod'
import { issue, type MessageCode } from './messages/message.ts'

const nul = '\u0000'

/**
 * Trimmed text without NUL, which Postgres cannot store.
 * @param max in UTF-16 code units, as browsers count maxlength
 */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, issue('too_long', { max }))
    .refine((value) => !value.includes(nul), issue('character_not_storable'))

/** More marks at a letter than any language has (UAX 15, stream-safe text). Composing takes the square of their number. */
const manyMarks = /\p{M}{31}/u

/**
 * A text that users write, with composed letters (NFC): those typed or copied on a Mac may be in two parts, and texts that look the
 * same are to be the same, and found alike. @param max as of `text`
 */
export const composedText = (max: number) =>
  text(max).overwrite((value) =>
    value.length > max || manyMarks.test(value) ? value : value.normalize('NFC'),
  )

const withoutBidiControls = (schema: z.ZodString) =>
  schema.refine((value) => !/\p{Bidi_Control}/u.test(value), issue('character_reverses_text'))

/** A text of one line that cannot reverse what is shown after it. @param max as of `text` */
export const label = (max: number) => withoutBidiControls(composedText(max))

/** The same for the name of something that may have been stored with decomposed letters. @param max as of `text` */
export const exactLabel = (max: number) => withoutBidiControls(text(max))

/** Removes these characters from what other systems report. */
export const removeBidiControls = (value: string): string => value.replace(/\p{Bidi_Control}/gu, '')

/** A label of at most 255 characters. */
export const requiredText = (code: Extract<MessageCode, `${string}_required`>) =>
  label(255).min(1, issue(code))

/** Controls, formats such as zero-width spaces, line separators, fillers. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A text without invisible characters, so that users can tell it from others. @param max as of `text` */
export const visibleText = (max: number) =>
  composedText(max).refine((value) => !invisible.test(value), issue('character_invisible'))

/** Such a text that is not empty. @param max as of `text` */
export const visibleName = (max: number) => visibleText(max).min(1, issue('name_required'))

/** Blank text counts as null. */
export const optionalText = (schema: z.ZodString) =>
  z
    .union([schema, z.null()])
    .transform((value) => (value === '' ? null : value))
    .optional()

/** A row's id, a positive integer of Postgres. */
export const id = z.int().min(1).max(2_147_483_647)

/** A number in a path or a query. @param pattern of the digits @param tooLarge the error of a number above `max` */
export const numberParam = (pattern: RegExp, max: number, error: string, tooLarge = error) =>
  z.string().regex(pattern, error).transform(Number).pipe(z.int().max(max, tooLarge))

export const idParam = numberParam(/^[1-9]\d{0,9}$/, 2_147_483_647, issue('not_an_id'))

/** ISO 8601 in UTC, with Z, or with +00:00 if Postgres wrote it. */
export const timestamp = z.iso.datetime({ offset: true })

/** The version that a change is based on. If the row has changed since, nothing is written (409) [+]. */
export const baseVersion = { updated_at: timestamp.optional() }

const lastYear = 9999
const firstTime = Date.parse('0001-01-01T00:00:00Z')

/**
 * A timestamp in a request. Postgres rejects offsets such as 23 hours, hence the conversion to UTC, and the year 0.
 * @param error for texts that are not a time
 * @param maxYear in UTC, of four digits
 */
export const timestampInput = (error?: string, maxYear = lastYear) =>
  z.iso
    .datetime({ offset: true, ...(error !== undefined && { error }) })
    .refine(
      (value) => {
        const at = Date.parse(value)
        return Number.isNaN(at) || (at >= firstTime && at <= Date.parse(`${maxYear}-12-31T23:59:59.999Z`))
      },
      issue('year_out_of_range', { max: maxYear }),
    )
    .transform((value) => new Date(value).toISOString())

/** A day in a request. Postgres rejects the year 0. */
export const dateInput = z.iso
  .date(issue('not_a_date'))
  .refine((value) => !value.startsWith('0000-'), issue('year_out_of_range', { max: lastYear }))
