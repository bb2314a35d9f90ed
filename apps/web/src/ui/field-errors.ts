import type { ApiError } from '../platform/api-error.ts'
import { fieldTexts } from '../platform/message-text.ts'

/**
 * The server's map of field to messages as a form shows it: under each field its messages.
 * @param fields those the form has; errors of others are returned as `rest`
 * @param names where the form names a field otherwise than the server
 */
export function fieldErrors(
  error: ApiError,
  fields: readonly string[],
  names: Readonly<Record<string, string>> = {},
): { shown: Record<string, string>; rest: readonly string[] } {
  const shown: Record<string, string> = {}
  const rest: string[] = []
  for (const [path, messages] of Object.entries(fieldTexts(error))) {
    const text = messages.join(' ')
    // An entry of a list (`auftragnr_hosting.2`) belongs to the list's field.
    const [key = path] = path.split('.')
    const field = names[key] ?? key
    if (!fields.includes(field)) rest.push(text)
    // Two of the server's fields may be one of the form's, and be refused for the same reason.
    else if (shown[field] === undefined) shown[field] = text
    else if (shown[field] !== text) shown[field] = `${shown[field]} ${text}`
  }
  return { shown, rest }
}
