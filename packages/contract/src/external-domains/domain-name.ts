import { z } from 'zod'
import { issue, type Message, message, readIssue } from '../messages/message.ts'
import { asciiFqdn, fqdn } from '../webs/fqdn.ts'

/** What makes a text no domain, most telling first. The sentences say what to do about it. */
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
 * Why a text that someone typed is not a domain.
 * @returns null where it is one
 */
export function domainMistake(typed: string): Message | null {
  const text = typed.trim()
  if (text === '') return message('fqdn_required')
  const parsed = fqdn.safeParse(text)
  if (parsed.success) return null
  const [, mistake] = mistakes.find(([pattern]) => pattern.test(text)) ?? []
  return mistake ?? readIssue(parsed.error.issues[0]?.message ?? '')
}

/** A domain: a host name with at least two labels, in lower case. */
export const domainName = z
  .string(issue('fqdn_required'))
  .superRefine((typed, context) => {
    const mistake = domainMistake(typed)
    if (mistake !== null) context.addIssue({ code: 'custom', message: JSON.stringify(mistake) })
  })
  .pipe(fqdn)

/** The form in which domains are compared. @param domain what `domainName` has let through */
export const comparedDomain = (domain: string): string => asciiFqdn(domain) ?? domain
