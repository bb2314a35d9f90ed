import { z } from 'zod'

export const matching = (pattern: RegExp, message: string) => z.string().regex(pattern, message)

/** Without the check of the protocol, `example.com:3000` would be one of the protocol `example.com`. */
export const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be a URL' })

export const wholeNumber = (min: number, max: number) =>
  matching(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

/** A comma-separated list. */
export const listOf = <Entry extends z.ZodType<string, string>>(entry: Entry) =>
  z
    .string()
    .transform((list) => list.split(',').map((part) => part.trim()))
    .pipe(z.array(entry))

/** A comma-separated list of NAME=VALUE, as an object from name to value. */
export const byName = (value: RegExp, message: string) =>
  listOf(matching(new RegExp(`^[^=\\s]+=${value.source}$`), message))
    .transform((entries) =>
      Object.fromEntries(
        entries.map((entry): [string, string] => {
          const sign = entry.indexOf('=')
          return [entry.slice(0, sign), entry.slice(sign + 1)]
        }),
      ),
    )
    .default({})
