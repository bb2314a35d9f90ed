import type { z } from 'zod'
import { conflict } from './errors.ts'

/** What the log has, as input of the verb. @throws DomainError conflict for what an older release has written otherwise */
export function parseLogged<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw conflict('change_not_revertible')
  return parsed.data
}
