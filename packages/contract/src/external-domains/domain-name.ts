import { z } from 'zod'
import { asciiFqdn, fqdn } from '../webs/fqdn.ts'

/** What makes a text no domain, most telling first. The sentences say what to do about it. */
const mistakes: readonly (readonly [RegExp, string])[] = [
  [/:\/\/|\//, 'Leave out http:// and the path: example.com alone'],
  [/@/, 'An e-mail address is no domain: leave out the @ and what stands before it'],
  [/[\s,;]/, 'One domain on each line, without spaces or commas'],
  [/_/, 'A domain has letters, digits and hyphens, but no underscores'],
  [/^\[|:.*:|^\d+(\.\d+){3}$/, 'An IP address is no domain'],
  [/:/, 'Leave out the port'],
  [/\*/, 'A domain has no asterisks'],
  [/^\.|\.$|\.\./, 'Dots stand between the parts of a domain: none at its ends, and no two in a row'],
  [/^[^.]+$/, 'A domain has at least two parts, such as example.com'],
]

/**
 * Why a text that somebody typed is no domain, in a sentence.
 * @returns null where it is one
 */
export function domainMistake(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return 'FQDN is required'
  const parsed = fqdn.safeParse(text)
  if (parsed.success) return null
  return mistakes.find(([pattern]) => pattern.test(text))?.[1] ?? parsed.error.issues[0]?.message ?? null
}

/** A domain: a host name with at least two labels, in lower case. */
export const domainName = z
  .string('FQDN is required')
  .superRefine((typed, context) => {
    const message = domainMistake(typed)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .pipe(fqdn)

/** The form in which domains are compared. @param domain what `domainName` has let through */
export const comparedDomain = (domain: string): string => asciiFqdn(domain) ?? domain
