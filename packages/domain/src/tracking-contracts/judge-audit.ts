import type { Finding, TrackingVisit } from '@kustos/contract/tracking'
import type { Transaction } from '@kustos/database/client'
import { inspections, trackingJudgements } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import { readWebsInMaintenance } from '../maintenance/index.ts'
import { type AlertTools, announceDrift } from '../monitoring/index.ts'
import { auditInTransaction, type LogEntry } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { applyDrift, endDifferences, readUnsettled, recheckAfterMaintenance } from './apply-drift.ts'
import { type DifferenceRow, type DriftChanges, followDrift } from './follow-drift.ts'
import { judge } from './judge.ts'
import { hadVisit, loadJudgedBy } from './load.ts'
import { observe } from './observe.ts'

/** An audit that is being stored. */
export interface NewAudit {
  readonly id: number
  readonly outcome: 'seen' | 'partial' | 'failed'
  /** Whether everything that can contain a tracker was read, whatever else was not. */
  readonly complete: boolean
  /** The id of the inspection that made it. */
  readonly inspection: number | null
  readonly findings: readonly Finding[]
  readonly visit: TrackingVisit | null
}

/**
 * Compares an audit with the contract of its web, in the transaction that stores it. The row of the web has to be locked.
 * @returns the ids of alerts, to be enqueued (`enqueueAlerts`) after the commit
 */
export async function judgeAudit(
  context: Context,
  db: Transaction,
  web: { readonly id: number; readonly host: string },
  audit: NewAudit,
  alerts: AlertTools,
): Promise<readonly number[]> {
  if (audit.outcome === 'failed') return []
  const now = context.now()
  const judgedBy = await loadJudgedBy(db, [web.id], now)
  const { open, hasUnannounced } = await readUnsettled(db, web.id)
  const applying = judgedBy.get(web.id)
  if (applying === undefined) {
    await endDifferences(db, open, now)
    await db.delete(trackingJudgements).where(eq(trackingJudgements.web_id, web.id))
    return open.length > 0 || hasUnannounced ? announceDrift(db, web.id, { ...alerts, now }) : []
  }
  const observation = observe({
    host: web.host,
    findings: audit.findings,
    visit: audit.visit,
    isComplete: audit.complete && (audit.visit !== null || !(await hasHadVisit(db, web.id))),
  })
  const { contract, exceptions } = applying
  const differences = judge(observation, contract, exceptions, now, open)
  const changes = followDrift(open, differences, observation, contract, { id: audit.id, at: now })
  const isRecheck = await wasRequestedToConfirm(db, audit.inspection)
  await applyDrift(db, web.id, changes, { id: audit.id, at: now, isRecheck }, now)
  await recordDrift(context, db, changes)
  const isQuiet = changes.confirmed.size + changes.ended.length === 0 && !hasUnannounced
  if (isQuiet) return []
  const ids = await announceDrift(db, web.id, { ...alerts, now })
  await recheckAfterMaintenance(db, web.id, (await readWebsInMaintenance(db, now, web.id)).get(web.id))
  return ids
}

async function hasHadVisit(db: Transaction, web: number): Promise<boolean> {
  const { rows } = await db.execute<{ had: boolean }>(sql`select ${hadVisit(sql`${web}`)} as had`)
  return rows[0]?.had === true
}

async function wasRequestedToConfirm(db: Transaction, inspection: number | null): Promise<boolean> {
  if (inspection === null) return false
  const [row] = await db
    .select({ reason: inspections.reason })
    .from(inspections)
    .where(eq(inspections.id, inspection))
  return row?.reason === 'confirm_drift'
}

/** An entry of the audit log for each difference that two audits agree on, and for its end. */
async function recordDrift(context: Context, db: Transaction, { seen, confirmed, ended }: DriftChanges) {
  const begun = seen.flatMap(({ row }) => (confirmed.has(row.id) ? row : []))
  if (begun.length + ended.length === 0) return
  await auditInTransaction(context, db, (tx) =>
    tx.recordAll([
      ...begun.map((row) => entryOf('drift confirmed', row)),
      ...ended.map((row) => entryOf('drift ended', row)),
    ]),
  )
}

const entryOf = (
  description: 'drift confirmed' | 'drift ended',
  { web_id, reason, first_seen_at }: DifferenceRow,
): LogEntry => ({
  log: 'tracking',
  description,
  subject: { type: 'web', id: web_id },
  attributes: { difference: reason, since: first_seen_at.toISOString() },
})
