import { type DnsType, dnsTypes } from '@kustos/contract/domains'
import { watchedDomains } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { findWatchedDomain } from './read.ts'

/**
 * Sets the types of records of a domain whose changes are not alerted.
 * @throws DomainError not-found if the acting user may not see the domain
 */
export async function editDomainAlerts(
  context: Context,
  fqdn: string,
  { muted_types: given }: { readonly muted_types: readonly DnsType[] },
): Promise<void> {
  const muted = dnsTypes.filter((type) => given.includes(type))
  await withAudit(context, async (tx) => {
    const { id } = await findWatchedDomain(tx, fqdn)
    const [before] = await tx.db
      .select({ name: watchedDomains.name, muted: watchedDomains.muted_types })
      .from(watchedDomains)
      .where(eq(watchedDomains.id, id))
      .for('no key update')
    if (before === undefined || before.muted.join() === muted.join()) return tx.skipAudit()
    await tx.db.update(watchedDomains).set({ muted_types: muted }).where(eq(watchedDomains.id, id))
    await tx.record({
      log: 'domains',
      description: 'updated',
      subject: { type: 'domain', id },
      attributes: { fqdn: before.name, muted_types: muted },
      old: { muted_types: before.muted },
    })
  })
}
