import { type DnsType, dnsTypes } from '@kustos/contract/domains'
import { watchedDomains } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { findWatchedDomain } from './read.ts'

interface Muted {
  readonly muted_types: readonly DnsType[]
  /** What they were when the user decided: types that are the same in both stay as they are now. */
  readonly base_types?: readonly DnsType[] | undefined
}

/**
 * Sets the types of records of a domain whose changes are not alerted.
 * @throws DomainError not-found if the acting user may not see the domain
 */
export const editDomainAlerts = (context: Context, fqdn: string, input: Muted): Promise<void> =>
  withAudit(context, async (tx) => {
    const { id } = await findWatchedDomain(tx, fqdn)
    await editDomainAlertsInTransaction(tx, id, input)
  })

/** Does the same in the transaction of the caller, for a domain that the acting user may see. */
export async function editDomainAlertsInTransaction(
  tx: AuditTransaction,
  id: number,
  { muted_types: given, base_types: base }: Muted,
): Promise<void> {
  const [before] = await tx.db
    .select({ name: watchedDomains.name, muted: watchedDomains.muted_types })
    .from(watchedDomains)
    .where(eq(watchedDomains.id, id))
    .for('no key update')
  if (before === undefined) return tx.skipAudit()
  const isDecided = (type: DnsType) => base === undefined || base.includes(type) !== given.includes(type)
  const muted = dnsTypes.filter((type) => (isDecided(type) ? given : before.muted).includes(type))
  if (before.muted.join() === muted.join()) return tx.skipAudit()
  await tx.db.update(watchedDomains).set({ muted_types: muted }).where(eq(watchedDomains.id, id))
  await tx.record({
    log: 'domains',
    description: 'updated',
    subject: { type: 'domain', id },
    attributes: { fqdn: before.name, muted_types: muted },
    old: { muted_types: before.muted },
  })
}
