import { type FormErrors, schemaResolver } from '@mantine/form'
import type { z } from 'zod'
import type { ApiError } from '../../platform/api-error.ts'
import { fieldTexts } from '../../platform/message-text.ts'

type FieldNames = Readonly<Record<string, string>>

/** The form's field for a path of the body: errors of an entry (`auftragnr_hosting.2`) belong to its list. */
function fieldAt(path: string, names: FieldNames): string {
  const [key = path] = path.split('.')
  return names[key] ?? key
}

/** The first error of each field of a body. @param names fields of the form by those of the body, if they differ */
export function errorsIn(schema: z.ZodObject, body: unknown, names: FieldNames = {}): FormErrors {
  const errors: FormErrors = {}
  for (const [path, message] of Object.entries(schemaResolver(schema, { sync: true })(body)))
    errors[fieldAt(path, names)] ??= message
  return errors
}

/**
 * The messages of a rejected call by field of the form.
 * @param fields the form's fields; messages about others are returned as `rest`
 * @param names fields of the form by those of the body, if they differ
 */
export function fieldErrors(error: ApiError, fields: readonly string[], names: FieldNames = {}) {
  const shown: Record<string, string> = {}
  const rest: string[] = []
  for (const [path, messages] of Object.entries(fieldTexts(error))) {
    const text = messages.join(' ')
    const field = fieldAt(path, names)
    if (!fields.includes(field)) rest.push(text)
    // Two fields of the body may be one of the form, and be rejected for the same reason.
    else if (shown[field] === undefined) shown[field] = text
    else if (shown[field] !== text) shown[field] = `${shown[field]} ${text}`
  }
  return { shown, rest }
}

export function isRequired(schema: z.ZodObject, field: string): boolean {
  const rule = schema.shape[field]
  return rule !== undefined && !rule.safeParse(undefined).success
}
