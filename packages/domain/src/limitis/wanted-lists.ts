import type { RegistrarDomain, RegistrarList, RegistrarMailbox } from '@kustos/clients/registrar'
import { domainName, normalizeDomain } from '@kustos/contract/external-domains'
import { importedEmail } from '@kustos/contract/limitis'
import { issueText } from '@kustos/contract/messages/english'
import { removeBidiControls } from '@kustos/contract/text'
import type { z } from 'zod'
import type { WantedDomain, WantedEmail } from './compare-lists.ts'

export interface WantedList {
  /** Whether all entries could be read. Nothing may be removed otherwise. */
  readonly isComplete: boolean
  readonly notes: readonly string[]
}

/** Further notes are only counted. */
const maxNotes = 5

/** Domains with an invalid name are left out and reported. */
export function wantedDomains({
  entries,
  unreadable,
}: RegistrarList<RegistrarDomain>): WantedList & { readonly rows: readonly WantedDomain[] } {
  const wanted = new Map<string, WantedDomain>()
  const refused: string[] = []
  for (const { fqdn, customer, ...facts } of entries) {
    // Zone files end names with a dot.
    const parsed = domainName.safeParse(fqdn.replace(/\.$/, ''))
    if (!parsed.success) {
      refused.push(noteRefused('domain', fqdn, parsed.error))
      continue
    }
    const fqdn_ascii = normalizeDomain(parsed.data)
    wanted.set(fqdn_ascii, { fqdn: parsed.data, fqdn_ascii, customer: shown(customer), ...facts })
  }
  return { rows: [...wanted.values()], ...withNotes('domain', unreadable, refused) }
}

/** Mailboxes with an invalid address are left out and reported. */
export function wantedMailboxes({
  entries,
  unreadable,
}: RegistrarList<RegistrarMailbox>): WantedList & { readonly rows: readonly WantedEmail[] } {
  const refused: string[] = []
  const rows = entries.flatMap((entry) => {
    const { success, error } = importedEmail.shape.address.safeParse(entry.address)
    if (success) return [{ ...entry, customer: shown(entry.customer), type: shown(entry.type) }]
    refused.push(noteRefused('mailbox', entry.address, error))
    return []
  })
  return { rows, ...withNotes('mailbox', unreadable, refused) }
}

const shown = (text: string | null): string | null => text && removeBidiControls(text)

const noteRefused = (what: string, name: string, { issues: [issue] }: z.ZodError): string =>
  `The registrar lists a ${what} that Kustos leaves out: ${removeBidiControls(name).slice(0, 100)} (${issueText(issue?.message ?? '')}).`

function withNotes(what: string, unreadable: readonly string[], refused: readonly string[]): WantedList {
  const all = [
    ...unreadable.map(
      (entry) => `The registrar lists a ${what} that cannot be read, so none is removed: ${entry}.`,
    ),
    ...refused,
  ]
  const more = all.length - maxNotes
  const notes = more > 0 ? [...all.slice(0, maxNotes), `${more} more not shown.`] : all
  return { isComplete: unreadable.length === 0, notes }
}
