import { patternOf, spellingsOf } from './known-secrets.ts'
import { forms, masked, replaceAll } from './patterns.ts'

/** Keys whose values are secrets. The length is bounded because matching takes quadratic time in long words. */
const key = String.raw`[\w.-]{0,40}(?:passw(?:or)?d|secret|token|authorization|cookie|api[_-]?key)[\w.-]{0,40}`
const text = String.raw`"(?:[^"\\]|\\.)*"`

/** Find text that looks like a secret in a line of JSON. */
const patterns = [
  [new RegExp(String.raw`"(${key})":(?:${text}|\[(?:${text},?)*\])`, 'gi'), `"$1":"${masked}"`],
  // The same in a string that contains JSON.
  [new RegExp(String.raw`\\"(${key})\\":\s*\\"[^"]*\\"`, 'gi'), `\\"$1\\":\\"${masked}\\"`],
  ...forms,
  // The values of a failed statement.
  [/\\nparams: (?:[^"\\]|\\.)*/g, ''],
] as const

/** Redacts secrets in a line of JSON, which stays valid. */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const known = patternOf(spellingsOf(secrets))
  return (line) => {
    const cleaned = replaceAll(line, patterns)
    return known === null ? cleaned : cleaned.replace(known, masked)
  }
}
