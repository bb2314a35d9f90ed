import { z } from 'zod'
import { messageParams, messageSchema } from './messages/schema.ts'

/** What every error carries. */
export const errorBody = z.object({
  message: z.string(),
  /** What went wrong, for clients that say it in their own words; with `errors`, `invalid_input`. */
  code: z.string(),
  params: messageParams.optional(),
  /** A sentence staff can act on, for conflicts and failed actions. */
  error: z.string().optional(),
  /** Field to messages, where the input was wrong. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** The same messages as codes. */
  error_codes: z.record(z.string(), z.array(messageSchema)).optional(),
  /** Finds the error in the server's log. */
  requestId: z.string().optional(),
})

export type ErrorBody = z.output<typeof errorBody>

/** The sentence over a map of field errors: the first of them, and how many more there are. */
export function summarise(errors: Readonly<Record<string, readonly string[]>>): string {
  const [first, ...more] = Object.values(errors).flat()
  if (first === undefined) return 'The given data was invalid.'
  if (more.length === 0) return first
  return `${first} (and ${more.length} more error${more.length === 1 ? '' : 's'})`
}
