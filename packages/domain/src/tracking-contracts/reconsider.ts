import { trackingAudits, trackingJudgements, webs } from '@kustos/database/tables'
import { and, eq, exists, isNull, type SQL } from 'drizzle-orm'
import { readWebsInMaintenance } from '../maintenance/index.ts'
import type { AuditTransaction } from '../platform/audit.ts'
import { chunk } from '../platform/chunk.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { applyDrift, endDifferences, readOpen, recheckAfterMaintenance } from './apply-drift.ts'
import { endAgreed, followDrift } from './follow-drift.ts'
import { judge } from './judge.ts'
import { loadJudgedBy, readLatestObservations } from './load.ts'

/** Few enough that what their audits have found is no burden for the memory. */
const websAtOnce = 50

/**
 * Locks webs as those do who store audits or judge them: in one order, before their differences, and, as a merge of customers does,
 * before the customers and what is agreed with them.
 */
export const lockWebs = ({ db }: Pick<AuditTransaction, 'db'>, which: SQL | undefined) =>
  db
    .select({ id: webs.id })
    .from(webs)
    .where(and(which, isNull(webs.deleted_at)))
    .orderBy(webs.id)
    .for('no key update')

/**
 * Judges the latest audits of webs by a contract or exceptions that this transaction has changed, or that have run out. What no longer
 * differs is over at once; what differs now is confirmed by an audit, as ever.
 * @param which a condition on webs
 */
export async function reconsiderWebs(
  tx: Pick<AuditTransaction, 'db' | 'now'>,
  which: SQL | undefined,
): Promise<void> {
  const { db, now } = tx
  const hasAudit = exists(
    db.select({ id: trackingAudits.id }).from(trackingAudits).where(eq(trackingAudits.web_id, webs.id)),
  )
  const locked = await lockWebs(tx, and(which, hasAudit))
  const inMaintenance = locked.length === 0 ? new Map<number, Date>() : await readWebsInMaintenance(db, now())
  for (const batch of chunk(locked, websAtOnce)) {
    const ids = batch.map(({ id }) => id)
    const judgedBy = await loadJudgedBy(db, ids, now())
    const openOf = Map.groupBy(await readOpen(db, ids), ({ web_id }) => web_id)
    for (const { web, audit, audited_at, observation } of await readLatestObservations(
      db,
      isAnyOf(webs.id, ids),
    )) {
      const open = openOf.get(web) ?? []
      const applying = judgedBy.get(web)
      if (applying === undefined) {
        await endDifferences(db, open, now())
        await db.delete(trackingJudgements).where(eq(trackingJudgements.web_id, web))
        continue
      }
      const { contract, exceptions } = applying
      const differences = judge(observation, contract, exceptions, now(), open)
      const ended = endAgreed(open, differences, applying, audited_at, now())
      await endDifferences(db, ended, now())
      const left = open.filter((row) => !ended.includes(row))
      const at = { id: audit, at: audited_at }
      const changes = followDrift(left, differences, observation, contract, at)
      // The same audit confirms nothing, also for differences that an earlier one has shown first.
      await applyDrift(db, web, { ...changes, seen: [], confirmed: new Set() }, at, now())
      await recheckAfterMaintenance(db, web, inMaintenance.get(web))
    }
  }
}
