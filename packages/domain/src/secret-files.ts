import { readFileSync } from 'node:fs'
import { reasonOf } from './errors.ts'

/** Variables that give access to something. Each may name a file that holds it instead, as NAME_FILE. */
const secretVariables = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'SESSION_SECRET',
  'METRICS_TOKEN',
  'REDIS_URL',
  'BITBUCKET_TOKEN',
  'PLESK_API_KEYS',
  'LIMITIS_API_TOKEN',
  'SMTP_URL',
  'SLACK_WEBHOOK_URL',
  'TELEGRAM_BOT_TOKEN',
] as const

type Environment = Readonly<Record<string, string>>

/**
 * Puts what stands in files in the place of their names; the newline that ends such a file is no part of it.
 * @param given variables that are set
 * @returns a sentence where a secret is given twice, or its file cannot be read or holds nothing
 */
export function withSecretsFromFiles(
  given: Environment,
):
  | { readonly ok: true; readonly environment: Environment }
  | { readonly ok: false; readonly sentence: string } {
  const found: Record<string, string> = {}
  for (const name of secretVariables) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined)
      return { ok: false, sentence: `${name} and ${name}_FILE are both set: give one of them.` }
    const read = contentOf(path)
    if (!read.ok) return { ok: false, sentence: `${name}_FILE cannot be read: ${read.reason}.` }
    if (read.text.trim() === '') return { ok: false, sentence: `${name}_FILE names an empty file.` }
    found[name] = read.text.replace(/\r?\n$/, '')
  }
  return { ok: true, environment: { ...given, ...found } }
}

function contentOf(path: string): { ok: true; text: string } | { ok: false; reason: string } {
  try {
    return { ok: true, text: readFileSync(path, 'utf8') }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}
