import { z } from 'zod'
import { messageParams, messageSchema } from './messages/schema.ts'

/** The body of every error response. */
export const errorBody = z.object({
  message: z.string(),
  /** For clients with texts of their own; `invalid_input` with `errors`. */
  code: z.string(),
  params: messageParams.optional(),
  /** For conflicts and failed actions. */
  error: z.string().optional(),
  /** Messages about the input by field. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
  error_codes: z.record(z.string(), z.array(messageSchema)).optional(),
  /** As in the server's log. */
  requestId: z.string().optional(),
})

export type ErrorBody = z.output<typeof errorBody>

/** The first of the field errors, and how many more there are. */
export function summarise(errors: Readonly<Record<string, readonly string[]>>): string {
  const [first, ...more] = Object.values(errors).flat()
  if (first === undefined) return 'The given data was invalid.'
  if (more.length === 0) return first
  return `${first} (and ${more.length} more error${more.length === 1 ? '' : 's'})`
}
