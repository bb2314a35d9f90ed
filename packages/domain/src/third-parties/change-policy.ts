import { isPublicSuffix } from '@kustos/clients/dns'
import { message } from '@kustos/contract/messages'
import type { NewClassification, PolicyChange } from '@kustos/contract/third-parties'
import { asciiFqdn } from '@kustos/contract/webs'
import { thirdPartyClassifications, thirdPartyPolicy } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { type AuditTransaction, difference, entriesOf, nextUpdatedAt, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { evaluatedWebs, evaluateWebs, lockPolicy } from './evaluate.ts'

const entry = entriesOf('third-parties', 'third_party')

/** Changes decisions of the policy, and evaluates all webs by it. */
export const editTrackingPolicy = (context: Context, input: PolicyChange): Promise<void> =>
  withAudit(context, (tx) => editPolicyInTransaction(tx, input))

export async function editPolicyInTransaction(
  tx: AuditTransaction,
  { decisions }: PolicyChange,
): Promise<void> {
  const rows = await lockPolicy(tx.db)
  const old = Object.fromEntries(rows.map(({ category, decision }) => [category, decision]))
  const changed = difference<Record<string, string | undefined>>(old, decisions)
  if (changed === null) return tx.skipAudit()
  for (const row of rows) {
    const decision = changed.attributes[row.category]
    if (decision !== undefined)
      await tx.db
        .update(thirdPartyPolicy)
        .set({ decision, updated_at: nextUpdatedAt(row, tx) })
        .where(eq(thirdPartyPolicy.category, row.category))
  }
  await evaluateWebs(tx.db, evaluatedWebs, tx.now())
  // There is only one policy.
  const subject = { type: 'tracking_policy', id: 1 }
  await tx.record({ log: 'third-parties', description: 'updated', subject, ...changed })
}

/**
 * Classifies a host and its subdomains for all webs, or takes that back, and evaluates all webs by it.
 * @throws DomainError invalid, for host, if anyone may register names below it
 */
export const classifyThirdParty = (context: Context, input: NewClassification): Promise<void> =>
  withAudit(context, (tx) => classifyInTransaction(tx, input))

/** @throws DomainError as `classifyThirdParty` */
export async function classifyInTransaction(tx: AuditTransaction, input: NewClassification): Promise<void> {
  const { category, reason } = input
  const host = asciiFqdn(input.host)
  if (host === null || isPublicSuffix(host)) throw invalid({ host: message('host_name_public_suffix') })
  await lockPolicy(tx.db)
  const isHost = eq(thirdPartyClassifications.host, host)
  const [row] = await tx.db.select().from(thirdPartyClassifications).where(isHost).for('update')
  if (row === undefined && category === null) return tx.skipAudit()
  if (row !== undefined && category === row.category && reason === row.reason) return tx.skipAudit()
  const old = row && { fqdn: host, category: row.category, reason: row.reason }
  const attributes = { fqdn: host, category, reason }
  const values = { category, reason, classified_by: tx.actor?.id ?? null }
  if (row !== undefined && category === null) {
    await tx.db.delete(thirdPartyClassifications).where(isHost)
    await tx.record({
      ...entry('deleted', row.id),
      attributes: { fqdn: host, reason },
      ...(old && { old }),
    })
  } else if (category !== null) {
    const set = { ...values, category, updated_at: row === undefined ? tx.now() : nextUpdatedAt(row, tx) }
    const [stored] = await tx.db
      .insert(thirdPartyClassifications)
      .values({ host, created_at: tx.now(), ...set })
      .onConflictDoUpdate({ target: thirdPartyClassifications.host, set })
      .returning({ id: thirdPartyClassifications.id })
    if (!stored) throw new Error('The classification was not stored')
    await tx.record({
      ...entry(row === undefined ? 'created' : 'updated', stored.id),
      attributes,
      ...(old && { old }),
    })
  }
  await evaluateWebs(tx.db, evaluatedWebs, tx.now())
}
