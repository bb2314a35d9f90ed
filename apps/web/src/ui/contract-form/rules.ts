import { type FormErrors, schemaResolver } from '@mantine/form'
import type { z } from 'zod'

/** What a route's schema says of a body, by the name of the field. */
export function errorsIn(schema: z.ZodObject, body: unknown): FormErrors {
  const errors: FormErrors = {}
  for (const [path, message] of Object.entries(schemaResolver(schema, { sync: true })(body))) {
    // An entry of a list (`auftragnr_hosting.2`) belongs to the list's field.
    const [field = path] = path.split('.')
    errors[field] ??= message
  }
  return errors
}

/** Whether a body without this field is refused. */
export function isRequired(schema: z.ZodObject, field: string): boolean {
  const rule = schema.shape[field]
  return rule !== undefined && !rule.safeParse(undefined).success
}
