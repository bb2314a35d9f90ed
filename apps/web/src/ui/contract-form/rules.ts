import { type FormErrors, schemaResolver } from '@mantine/form'
import type { z } from 'zod'

/** The first error of each field of a body. @param names the form's names of fields, where they differ */
export function errorsIn(
  schema: z.ZodObject,
  body: unknown,
  names: Readonly<Record<string, string>> = {},
): FormErrors {
  const errors: FormErrors = {}
  for (const [path, message] of Object.entries(schemaResolver(schema, { sync: true })(body))) {
    // An entry of a list (`auftragnr_hosting.2`) belongs to the list's field.
    const [key = path] = path.split('.')
    errors[names[key] ?? key] ??= message
  }
  return errors
}

export function isRequired(schema: z.ZodObject, field: string): boolean {
  const rule = schema.shape[field]
  return rule !== undefined && !rule.safeParse(undefined).success
}
