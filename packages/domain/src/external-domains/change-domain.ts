import {
  comparedDomain,
  domainTexts,
  type ExternalDomain,
  type ExternalDomainChange,
  type NewExternalDomain,
} from '@kustos/contract/external-domains'
import { externalDomains, ownDomains } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { after, change, changedMeanwhile, difference } from '../audit.ts'
import type { Context, Scope } from '../context.ts'
import { brokeUnique, notFound, refusedField } from '../errors.ts'
import { presentExternalDomain } from './list.ts'

const log = 'external-domains'
const subject = (id: number) => ({ type: 'external_domain', id })

/**
 * Adds a domain. Name servers are asked about it by whoever checks domains.
 * @throws DomainError invalid, for fqdn, where it is listed already, as an external or an own one
 */
export const createExternalDomain = (context: Context, input: NewExternalDomain): Promise<ExternalDomain> =>
  withFreeName(() =>
    change(context, async (inside) => {
      await refuseOwn(inside, input.fqdn)
      const now = inside.now()
      const [row] = await inside.db
        .insert(externalDomains)
        .values({ ...input, fqdn_ascii: comparedDomain(input.fqdn), created_at: now, updated_at: now })
        .returning()
      if (!row) throw new Error('The domain was not kept')
      const domain = presentExternalDomain(row)
      await inside.record({
        log,
        description: 'created',
        subject: subject(row.id),
        attributes: told(domain),
      })
      return domain
    }),
  )

/**
 * Changes a domain. What name servers said of another name is forgotten.
 * @throws DomainError not-found; conflict where it has changed since `updated_at`; invalid, for fqdn, where the new one
 * is listed already
 */
export const editExternalDomain = (
  context: Context,
  id: number,
  { updated_at: seen, ...input }: ExternalDomainChange,
): Promise<void> =>
  withFreeName(() =>
    change(context, async (inside) => {
      const row = await lock(inside, id)
      if (seen !== undefined && Date.parse(seen) !== row.updated_at.getTime())
        throw await changedMeanwhile(inside, subject(id), 'domain', row.updated_at)
      const changed = difference(told(row), told({ ...row, ...input }))
      if (changed === null) return inside.unchanged()
      const fqdn_ascii = comparedDomain(input.fqdn)
      const isAnother = fqdn_ascii !== row.fqdn_ascii
      if (isAnother) await refuseOwn(inside, input.fqdn)
      await inside.db
        .update(externalDomains)
        .set({
          ...input,
          fqdn_ascii,
          updated_at: after(row, inside),
          ...(isAnother && { status: null, mname: null, checked_at: null, check_error: null }),
        })
        .where(eq(externalDomains.id, id))
      await inside.record({ log, description: 'updated', subject: subject(id), ...changed })
    }),
  )

/** Removes a domain from the list. @throws DomainError not-found */
export const deleteExternalDomain = (context: Context, id: number): Promise<void> =>
  change(context, async (inside) => {
    const row = await lock(inside, id)
    await inside.db.delete(externalDomains).where(eq(externalDomains.id, id))
    await inside.record({ log, description: 'deleted', subject: subject(id), old: told(row) })
  })

/** What staff set of a domain. */
const told = ({ fqdn, customer, domainprovider }: NewExternalDomain) => ({ fqdn, customer, domainprovider })

async function lock(inside: Scope, id: number) {
  const [row] = await inside.db.select().from(externalDomains).where(eq(externalDomains.id, id)).for('update')
  if (!row) throw notFound(`External domain ${id}`)
  return row
}

async function refuseOwn(inside: Scope, fqdn: string): Promise<void> {
  const own = await inside.db
    .select({ id: ownDomains.id })
    .from(ownDomains)
    .where(eq(ownDomains.fqdn_ascii, comparedDomain(fqdn)))
  if (own.length > 0) throw refusedField('fqdn', domainTexts.own)
}

/** The index decides, so that of many at once one is added. */
async function withFreeName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw brokeUnique(error, 'external_domains_fqdn') ? refusedField('fqdn', domainTexts.taken) : error
  }
}
