import { z } from 'zod'

/*
 * Values as the former system, a Laravel application, may write them: PHP and MySQL write numbers as text, booleans as 0
 * and 1, empty objects as [], lists with gaps as objects, and times without a zone, which are UTC.
 */

/** Postgres can store neither NUL nor lone surrogates. */
const isStorable = (value: string) => !value.includes('\u0000') && value.isWellFormed()

/** Whether every text in a value can be stored. */
export function storable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key) && storable(inner))
}

export const text = z
  .union([z.string(), z.number().transform(String)], 'Must be text')
  .transform((value) => value.trim())
  .refine(isStorable, 'Contains a character that can’t be stored')

/** Required text. */
export const requiredText = text.refine((value) => value !== '', 'Is missing')

/** Empty text counts as null. */
export const optionalText = text
  .nullish()
  .transform((value) => (value == null || value === '' ? null : value))

const number = z.union(
  [
    z.number(),
    z
      .string()
      .trim()
      .regex(/^-?\d{1,16}(\.\d{1,6})?$/)
      .transform(Number),
  ],
  'Must be a number',
)

/** A missing value counts as null. */
export const nullIfMissing = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? null)

const optional = <T>(schema: z.ZodType<T>) =>
  z
    .union([z.literal('').transform(() => null), z.null(), schema])
    .optional()
    .transform((value) => value ?? null)

/** In the range of Postgres' integer. */
export const optionalInt = optional(number.pipe(z.int().min(-2_147_483_648).max(2_147_483_647)))
/** A number of bytes. */
export const optionalSize = optional(number.transform(Math.round).pipe(z.int().min(0)))
/** Seconds or milliseconds, rounded down. */
export const wholeNumber = number.transform(Math.floor).pipe(z.int().min(0).max(2_147_483_647))
export const optionalWholeNumber = optional(wholeNumber)

/** An invalid id counts as null. */
export const optionalId = z
  .unknown()
  .optional()
  .transform((value) => {
    const parsed = number.pipe(z.int().min(1).max(2_147_483_647)).safeParse(value)
    return parsed.success ? parsed.data : null
  })

export const booleanLike = z.union([
  z.boolean(),
  z.literal([0, 1]).transform((value) => value === 1),
  z.enum(['0', '1', 'true', 'false', '']).transform((value) => value === '1' || value === 'true'),
])

/** MySQL's and PHP's form of a missing time. */
const noTime = /^(0000-00-00|-0001-11-30)/

/** Times with or without a zone, dates, and seconds since 1970. */
export const optionalTimestamp = z
  .union([z.string(), z.number(), z.null()])
  .optional()
  .transform((value, context): Date | null => {
    if (value == null || value === '' || noTime.test(String(value))) return null
    const at = typeof value === 'number' ? value * 1000 : Date.parse(inUtc(value.trim()))
    const moment = new Date(at)
    const year = Number.isNaN(at) ? 0 : moment.getUTCFullYear()
    if (year >= 1970 && year <= 9999) return moment
    context.addIssue({ code: 'custom', message: 'Must be a time' })
    return z.NEVER
  })

const inUtc = (value: string) =>
  /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value) ? `${value.replace(' ', 'T')}Z` : value

/** A list, also as an object of PHP's; null and '' are empty lists. */
export const listOf = <T>(entry: z.ZodType<T>) => z.preprocess(normalizeList, z.array(entry))

/** Normalizes the forms of a list; other values are returned as they are. */
export function normalizeList(value: unknown): unknown {
  if (value == null || value === '') return []
  if (
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).every((key) => /^\d+$/.test(key))
  )
    return Object.values(value)
  return value
}

/** A list of words, also as text separated by commas. */
export const wordList = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',') : normalizeList(value)),
  z
    .array(text)
    .transform((all) => all.flatMap((word) => word.split(',')).map((word) => word.trim()))
    .transform((all) => all.filter((word) => word !== '')),
)

/** Something identified by its name, its id, or both. */
export const namedReference = z.union([
  z.object({ id: optionalId, name: optionalText }),
  z.int().transform((id) => ({ id, name: null })),
  text.transform((name) => ({ id: null, name })),
])

export type LegacyName = z.output<typeof namedReference>
