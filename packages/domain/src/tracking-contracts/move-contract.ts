import { trackingContracts, trackingExceptions } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { type AuditTransaction, difference, entriesOf, nextUpdatedAt } from '../platform/audit.ts'
import { hasAgreements, toSettings } from './load.ts'
import { findContract } from './scope.ts'

interface Merge {
  readonly from: number
  readonly into: number
  /** Names the merge in the log. */
  readonly merge: string
}

/**
 * Gives the tracking contract of a customer, and what is allowed besides, to the customer that it is merged into, if that has no
 * contract. Both are locked by the caller.
 * @returns what is lost otherwise, for the log
 */
export async function moveContract(
  tx: AuditTransaction,
  { from, into, merge }: Merge,
): Promise<{ readonly tracking_contract?: object; readonly exceptions?: readonly object[] }> {
  const source = await findContract(tx.db, { type: 'customer', id: from }, true)
  const target = await findContract(tx.db, { type: 'customer', id: into }, true)
  const exceptions = await tx.db
    .select()
    .from(trackingExceptions)
    .where(eq(trackingExceptions.customer_id, from))
    .orderBy(trackingExceptions.id)
    .for('update')
  const inForce = exceptions
    .filter(({ until }) => until > tx.now())
    .map(({ difference: allowed, until, reason }) => ({
      difference: allowed,
      until: until.toISOString(),
      reason,
    }))
  const changed = difference(toSettings({}), toSettings(source?.settings ?? {}))
  if (target !== null && hasAgreements(toSettings(target.settings)))
    return {
      ...(changed !== null && { tracking_contract: changed.attributes }),
      ...(inForce.length > 0 && { exceptions: inForce }),
    }
  const entry = entriesOf('tracking', 'customer')
  if (source !== null && changed !== null) {
    if (target !== null) await tx.db.delete(trackingContracts).where(eq(trackingContracts.id, target.id))
    await tx.db
      .update(trackingContracts)
      .set({ customer_id: into, updated_at: nextUpdatedAt(target ?? source, tx) })
      .where(eq(trackingContracts.id, source.id))
    await tx.record({
      ...entry('contract changed', into),
      old: changed.old,
      attributes: { ...changed.attributes, merge },
    })
  }
  await tx.db
    .update(trackingExceptions)
    .set({ customer_id: into })
    .where(eq(trackingExceptions.customer_id, from))
  if (inForce.length > 0)
    await tx.recordAll(
      inForce.map((exception) => ({
        ...entry('difference allowed', into),
        attributes: { ...exception, merge },
      })),
    )
  return {}
}
