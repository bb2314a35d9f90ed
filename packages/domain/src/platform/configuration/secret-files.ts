import { readFileSync } from 'node:fs'
import { errorMessage } from '../errors.ts'

type Environment = Readonly<Record<string, string>>

/**
 * Reads each secret whose variable NAME_FILE names a file, without the newline at the file's end.
 * @param given the variables that are set
 * @param secretNames the variables that may be read from a file
 * @returns the variables with the secrets in them, or a sentence if a secret is set twice or its file is unreadable or empty
 */
export function readSecretFiles(
  given: Environment,
  secretNames: readonly string[],
):
  | { readonly ok: true; readonly environment: Environment }
  | { readonly ok: false; readonly sentence: string } {
  const found: Record<string, string> = {}
  for (const name of secretNames) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined)
      return { ok: false, sentence: `${name} and ${name}_FILE are both set: give one of them.` }
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      return { ok: false, sentence: `${name}_FILE cannot be read: ${errorMessage(error)}.` }
    }
    if (text.trim() === '') return { ok: false, sentence: `${name}_FILE names an empty file.` }
    found[name] = text.replace(/\r?\n$/, '')
  }
  return { ok: true, environment: { ...given, ...found } }
}
