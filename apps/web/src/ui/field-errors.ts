import type { ApiError } from '../app/api-error.ts'
import { sentence } from '../app/sentences.ts'

/**
 * The server's map of field to messages as a form shows it: under each field its messages.
 * @param fields those the form has; what the server says of others comes back under `rest`
 */
export function fieldErrors(
  error: ApiError,
  fields: readonly string[],
): { shown: Record<string, string>; rest: readonly string[] } {
  const shown: Record<string, string> = {}
  const rest: string[] = []
  for (const [path, messages] of Object.entries(error.errors)) {
    const text = messages.map(sentence).join(' ')
    // An entry of a list (`auftragnr_hosting.2`) belongs to the list's field.
    const [field = path] = path.split('.')
    if (fields.includes(field)) shown[field] = shown[field] === undefined ? text : `${shown[field]} ${text}`
    else rest.push(text)
  }
  return { shown, rest }
}
