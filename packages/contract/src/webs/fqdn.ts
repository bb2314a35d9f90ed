import { z } from 'zod'
import { issue } from '../messages/message.ts'

// Browsers and Node have it; the contract is typed without the globals of either.
declare const URL: new (url: string) => { readonly hostname: string }

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * The ASCII form (UTS 46, as WHATWG URL applies it) in which host names are compared.
 * @returns null if the text is not a host name with at least two labels
 */
export function asciiFqdn(fqdn: string): string | null {
  // URL would drop or map others (soft hyphens, full stops of other scripts, user info, ports).
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(fqdn)) return null
  let host: string
  try {
    host = new URL(`http://${fqdn}/`).hostname
  } catch {
    return null
  }
  const labels = host.split('.')
  if (host.length > 253 || labels.length < 2 || !labels.every((part) => label.test(part))) return null
  // A numeric last label is an IPv4 address in disguise.
  return /^\d+$/.test(labels.at(-1) ?? '') ? null : host
}

/**
 * The combinations of scripts that do not produce look-alikes: UTS 39, Highly Restrictive, of the scripts recommended in
 * UAX 31. Each label has characters of one of them.
 */
const scripts = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil'],
  ...[
    'Telugu',
    'Thaana',
    'Thai',
    'Tibetan',
    'Latin Han Hiragana Katakana',
    'Latin Han Bopomofo',
    'Latin Han Hangul',
  ],
].map((names) => {
  const allowed = `${names} Common Inherited`.split(' ').map((name) => `\\p{Script_Extensions=${name}}`)
  return new RegExp(`^[${allowed.join('')}]*$`, 'u')
})

const mixesScripts = (fqdn: string) =>
  fqdn.split('.').some((part) => !scripts.some((pattern) => pattern.test(part)))

/** The stored form. */
const normalised = (fqdn: string) => fqdn.trim().normalize('NFKC').toLowerCase()

export const fqdn = z
  .string(issue('fqdn_required'))
  .min(1, issue('fqdn_required'))
  .max(1000, issue('host_name_invalid'))
  .transform(normalised)
  .refine((value) => asciiFqdn(value) !== null, { error: issue('host_name_invalid_example'), abort: true })
  .refine((value) => !mixesScripts(value), issue('host_name_mixes_scripts'))
