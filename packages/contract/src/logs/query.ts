import { z } from 'zod'
import { logNames } from '../log-words.ts'
import { issue } from '../messages/message.ts'
import { exactLabel, idParam, numberParam, text, timestampInput } from '../text.ts'
import { logPeriods, logResults, signInsName, subjectTypes } from './filters.ts'

/** Entries per response. */
export const logLimit = { default: 1000, max: 10_000 } as const

/** Words of a search; each of them has to be found. */
const maxSearchWords = 10

const hasLetterOrDigit = (word: string) => /[\p{L}\p{N}]/u.test(word)

/** The words of a search in composed letters, without those that have nothing to look for. */
export const searchWords = (search: string): readonly string[] =>
  search.normalize('NFC').split(/\s+/u).filter(hasLetterOrDigit)

const number = (max: number) =>
  numberParam(/^[1-9]\d{0,14}$/, max, issue('not_positive'), issue('too_large', { max }))

const timeParam = timestampInput(issue('time_invalid'))

const filters = {
  /**
   * Words of which each begins a word of the entry (its action, its fields, its old and new values), or is part of the name of its
   * subject or causer [+].
   */
  search: text(200)
    .refine((search) => search === '' || hasLetterOrDigit(search), issue('search_without_words'))
    .refine(
      (search) => searchWords(search).length <= maxSearchWords,
      issue('too_many_words', { max: maxSearchWords }),
    )
    .optional(),
  /** A user's id, or `none` for the system and visitors. */
  causer: z.union([z.literal('none'), idParam], { error: issue('not_an_id_or_none') }).optional(),
  log: text(60).optional(),
  /** Excludes a log, or the sign-ins and sign-outs [+]. */
  without: z.enum([...logNames, signInsName]).optional(),
  /** A description as it is stored [+]. */
  action: text(100).min(1, issue('missing')).optional(),
  /** How it ended [+]. */
  result: z.enum(logResults).optional(),
  subject_type: z.enum(subjectTypes).optional(),
  subject_id: idParam.optional(),
  /** The code of a customer: entries about it and about its webs and domains, and those that name it [+]. */
  customer: exactLabel(255).min(1, issue('missing')).optional(),
  /** A field that was changed, by its name in `properties` [+]. */
  field: text(60).min(1, issue('missing')).optional(),
  /** A time until now, in days of Europe/Rome, as well as `from` and `to` [+]. */
  within: z.enum(logPeriods).optional(),
  from: timeParam.optional(),
  /** Exclusive. */
  to: timeParam.optional(),
} as const

interface Values {
  readonly subject_type?: unknown
  readonly subject_id?: unknown
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const idHasType = [
  ({ subject_type, subject_id }: Values) => subject_id === undefined || subject_type !== undefined,
  { path: ['subject_type'] as PropertyKey[], message: issue('subject_id_without_type') },
] as const
const endsAfterStart = [
  ({ from, to }: Values) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to),
  { path: ['to'] as PropertyKey[], message: issue('to_not_after_from') },
] as const

/** What restricts the log to some of its entries. */
export const logFilter = z
  .object(filters)
  .refine(...idHasType)
  .refine(...endsAfterStart)
export type LogFilter = z.output<typeof logFilter>

export const logQuery = z
  .object({
    ...filters,
    limit: number(logLimit.max).optional(),
    /** Only this entry [+]. */
    id: number(Number.MAX_SAFE_INTEGER).optional(),
    /** Only entries older than the one with this id. */
    before: number(Number.MAX_SAFE_INTEGER).optional(),
  })
  .refine(...idHasType)
  .refine(...endsAfterStart)
export type LogQuery = z.output<typeof logQuery>

/** Entries are counted up to here. */
export const logCountLimit = 10_000

export const logCount = z
  .object({
    /** Entries that the filter leaves; null if they are more than `limit`. */
    entries: z.int().min(0).nullable(),
    /** Sign-ins and sign-outs that only `without=sign-ins` excludes; null if they are more than `limit`. */
    sign_ins: z.int().min(0).nullable(),
    limit: z.int(),
  })
  .meta({ id: 'LogCount' })
export type LogCount = z.output<typeof logCount>
