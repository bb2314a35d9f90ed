import type { RegistrarDomain, RegistrarList, RegistrarMailbox } from '@kustos/clients/registrar'
import { comparedDomain, domainName } from '@kustos/contract/external-domains'
import { issueText } from '@kustos/contract/messages/english'
import type { WantedDomain, WantedEmail } from './rows.ts'

export interface WantedList {
  /** Whether all entries could be read. Otherwise nothing may be removed. */
  readonly isWhole: boolean
  /** Which entries could not be taken, in sentences. */
  readonly notes: readonly string[]
}

/** The others are counted. */
const mostNotes = 5

/** Domains with an invalid name are left out and reported. */
export function wantedDomains({
  entries,
  unreadable,
}: RegistrarList<RegistrarDomain>): WantedList & { readonly rows: readonly WantedDomain[] } {
  const wanted = new Map<string, WantedDomain>()
  const refused: string[] = []
  for (const { fqdn, customer, created_at } of entries) {
    // Zone files end names with a dot.
    const parsed = domainName.safeParse(fqdn.replace(/\.$/, ''))
    if (!parsed.success) {
      refused.push(
        `The registrar lists a domain that Kustos leaves out: ${fqdn.slice(0, 100)} (${issueText(parsed.error.issues[0]?.message ?? '')}).`,
      )
      continue
    }
    const fqdn_ascii = comparedDomain(parsed.data)
    wanted.set(fqdn_ascii, { fqdn: parsed.data, fqdn_ascii, customer, created_at })
  }
  return { rows: [...wanted.values()], ...toldOf('domain', unreadable, refused) }
}

export const wantedMailboxes = ({
  entries,
  unreadable,
}: RegistrarList<RegistrarMailbox>): WantedList & { readonly rows: readonly WantedEmail[] } => ({
  rows: entries,
  ...toldOf('mailbox', unreadable, []),
})

function toldOf(what: string, unreadable: readonly string[], refused: readonly string[]): WantedList {
  const all = [
    ...unreadable.map(
      (entry) => `The registrar lists a ${what} that cannot be read, so none is removed: ${entry}.`,
    ),
    ...refused,
  ]
  const more = all.length - mostNotes
  const notes = more > 0 ? [...all.slice(0, mostNotes), `There are ${more} more such entries.`] : all
  return { isWhole: unreadable.length === 0, notes }
}
