import { z } from 'zod'

/** What every error carries. */
export const errorBody = z.object({
  message: z.string(),
  /** A sentence staff can act on, for conflicts and failed actions. */
  error: z.string().optional(),
  /** Field to messages, where the input was wrong. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** Finds the error in the server's log. */
  requestId: z.string().optional(),
})

export type ErrorBody = z.output<typeof errorBody>

/** Texts that clients know by heart. */
export const errorTexts = {
  unauthenticated: 'Unauthenticated.',
  unauthorized: 'This action is unauthorized.',
  csrf: 'CSRF token mismatch.',
  tooManyAttempts: 'Too Many Attempts.',
  notFound: 'Not found.',
  serverError: 'Server Error',
} as const

/** The sentence over a map of field errors: the first of them, and how many more there are. */
export function summarise(errors: Readonly<Record<string, readonly string[]>>): string {
  const [first, ...more] = Object.values(errors).flat()
  if (first === undefined) return 'The given data was invalid.'
  if (more.length === 0) return first
  return `${first} (and ${more.length} more error${more.length === 1 ? '' : 's'})`
}
