import { z } from 'zod'
import { issue, type Message, message, readIssue } from '../messages/message.ts'
import { asciiFqdn, fqdn } from '../webs/fqdn.ts'

/** Why a text is not a domain, the most specific reason first. */
const mistakes: readonly (readonly [RegExp, Message])[] = [
  [/:\/\/|\//, message('domain_is_url')],
  [/@/, message('domain_is_email')],
  [/[\s,;]/, message('domain_has_spaces')],
  [/_/, message('domain_has_underscore')],
  [/^\[|:.*:|^\d+(\.\d+){3}$/, message('domain_is_ip')],
  [/:/, message('domain_has_port')],
  [/\*/, message('domain_has_asterisk')],
  [/^\.|\.$|\.\./, message('domain_has_stray_dots')],
  [/^[^.]+$/, message('domain_has_one_part')],
]

/**
 * Explains why a typed text is not a domain.
 * @returns null if it is one
 */
export function domainMistake(typed: string): Message | null {
  const text = typed.trim()
  if (text === '') return message('fqdn_required')
  const parsed = fqdn.safeParse(text)
  if (parsed.success) return null
  const [, mistake] = mistakes.find(([pattern]) => pattern.test(text)) ?? []
  return mistake ?? readIssue(parsed.error.issues[0]?.message ?? '')
}

/** A host name with at least two labels, in lower case. */
export const domainName = z
  .string(issue('fqdn_required'))
  .superRefine((typed, context) => {
    const mistake = domainMistake(typed)
    if (mistake !== null) context.addIssue({ code: 'custom', message: JSON.stringify(mistake) })
  })
  .pipe(fqdn)

/** Returns the ASCII form in which domains are compared. @param domain a value accepted by `domainName` */
export const normalizeDomain = (domain: string): string => asciiFqdn(domain) ?? domain
