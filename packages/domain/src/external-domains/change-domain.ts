import {
  type ExternalDomain,
  type ExternalDomainChange,
  type NewExternalDomain,
  normalizeDomain,
} from '@kustos/contract/external-domains'
import { externalDomains, ownDomains } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { difference, entriesOf, nextUpdatedAt, rejectStaleWrite, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { mapUniqueViolation, notFound, refusedField } from '../platform/errors.ts'
import { lockCode } from '../platform/merged-codes.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { presentExternalDomain } from './list.ts'

const subject = (id: number) => ({ type: 'external_domain', id })
const entry = entriesOf('external-domains', 'external_domain')

/**
 * Adds a domain, which the workers then check.
 * @throws DomainError invalid, for fqdn, if it is already listed as an external or own domain; for customer, if it was merged
 */
export const createExternalDomain = (context: Context, given: NewExternalDomain): Promise<ExternalDomain> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      await refuseOwn(tx, given.fqdn)
      const input = { ...given, customer: await lockCode(tx, given.customer) }
      const now = tx.now()
      const [row] = await tx.db
        .insert(externalDomains)
        .values({ ...input, fqdn_ascii: normalizeDomain(input.fqdn), created_at: now, updated_at: now })
        .returning()
      if (!row) throw new Error('The domain was not inserted')
      const domain = presentExternalDomain(row)
      await tx.record({ ...entry('created', row.id), attributes: logged(domain) })
      return domain
    }),
  )

/**
 * Changes a domain. Another name clears the results of the last check.
 * @throws DomainError not-found; conflict if it has changed since `updated_at`; invalid, for fqdn, if the new name is
 * already listed; for customer, if it was merged
 */
export const editExternalDomain = (
  context: Context,
  id: number,
  { updated_at: seen, ...given }: ExternalDomainChange,
): Promise<void> =>
  withFreeName(() =>
    withAudit(context, async (tx) => {
      const row = await lock(tx, id)
      await rejectStaleWrite(tx, subject(id), 'domain', row.updated_at, seen)
      const customer = given.customer === row.customer ? row.customer : await lockCode(tx, given.customer)
      const input = { ...given, customer }
      const changed = difference(logged(row), logged({ ...row, ...input }))
      if (changed === null) return tx.skipAudit()
      const fqdn_ascii = normalizeDomain(input.fqdn)
      const isAnother = fqdn_ascii !== row.fqdn_ascii
      if (isAnother) await refuseOwn(tx, input.fqdn)
      await tx.db
        .update(externalDomains)
        .set({
          ...input,
          fqdn_ascii,
          updated_at: nextUpdatedAt(row, tx),
          ...(isAnother && unchecked),
        })
        .where(eq(externalDomains.id, id))
      await tx.record({ ...entry('updated', id), ...changed })
    }),
  )

/** @throws DomainError not-found */
export const deleteExternalDomain = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const row = await lock(tx, id)
    await tx.db.delete(externalDomains).where(eq(externalDomains.id, id))
    await tx.record({ ...entry('deleted', id), old: logged(row) })
  })

/** Before the first check. */
const unchecked = { status: null, mname: null, checked_at: null, ...storedMessage('check_error', null) }

/** The fields that users edit. */
const logged = ({ fqdn, customer, domainprovider }: NewExternalDomain) => ({ fqdn, customer, domainprovider })

async function lock(tx: Scope, id: number) {
  const [row] = await tx.db.select().from(externalDomains).where(eq(externalDomains.id, id)).for('update')
  if (!row) throw notFound('external_domain_not_found', { id })
  return row
}

async function refuseOwn(tx: Scope, fqdn: string): Promise<void> {
  const own = await tx.db
    .select({ id: ownDomains.id })
    .from(ownDomains)
    .where(eq(ownDomains.fqdn_ascii, normalizeDomain(fqdn)))
  if (own.length > 0) throw refusedField('fqdn', 'external_domain_is_own')
}

/** The index ensures that of simultaneous requests only one succeeds. */
const withFreeName = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation({ external_domains_fqdn: () => refusedField('fqdn', 'external_domain_taken') }, work)
