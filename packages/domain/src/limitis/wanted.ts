import type { RegistrarDomain, RegistrarList, RegistrarMailbox } from '@kustos/clients/registrar'
import { comparedDomain, domainName } from '@kustos/contract/external-domains'
import type { WantedDomain, WantedEmail } from './rows.ts'

/** What is to be taken of a list of the registrar's. */
export interface WantedList {
  /** Whether it names all that there is; else nothing may be removed by it. */
  readonly isWhole: boolean
  /** What could not be taken, in sentences. */
  readonly notes: readonly string[]
}

/** That many odd entries are named, the others counted. */
const mostNotes = 5

/** A domain with a name that none can have is left out and told: there is none such among ours that would be removed. */
export function wantedDomains({
  entries,
  odd,
}: RegistrarList<RegistrarDomain>): WantedList & { readonly rows: readonly WantedDomain[] } {
  const wanted = new Map<string, WantedDomain>()
  const refused: string[] = []
  for (const { fqdn, customer, created_at } of entries) {
    // As zone files have it.
    const parsed = domainName.safeParse(fqdn.replace(/\.$/, ''))
    if (!parsed.success) {
      refused.push(
        `The registrar lists a domain that Kustos leaves out: ${fqdn.slice(0, 100)} (${parsed.error.issues[0]?.message}).`,
      )
      continue
    }
    const fqdn_ascii = comparedDomain(parsed.data)
    wanted.set(fqdn_ascii, { fqdn: parsed.data, fqdn_ascii, customer, created_at })
  }
  return { rows: [...wanted.values()], ...toldOf('domain', odd, refused) }
}

/** The same of mailboxes. */
export const wantedMailboxes = ({
  entries,
  odd,
}: RegistrarList<RegistrarMailbox>): WantedList & { readonly rows: readonly WantedEmail[] } => ({
  rows: entries,
  ...toldOf('mailbox', odd, []),
})

function toldOf(what: string, odd: readonly string[], refused: readonly string[]): WantedList {
  const all = [
    ...odd.map(
      (entry) => `The registrar lists a ${what} that cannot be read, so that none is removed: ${entry}.`,
    ),
    ...refused,
  ]
  const more = all.length - mostNotes
  const notes = more > 0 ? [...all.slice(0, mostNotes), `There are ${more} more such entries.`] : all
  return { isWhole: odd.length === 0, notes }
}
