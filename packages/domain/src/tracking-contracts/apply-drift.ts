import type { Transaction } from '@kustos/database/client'
import { trackingDifferences, trackingJudgements } from '@kustos/database/tables'
import { and, eq, exists, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { describeDifference } from './describe.ts'
import { findCause } from './find-cause.ts'
import type { DifferenceRow, DriftChanges } from './follow-drift.ts'
import { type Difference, keyOf } from './judge.ts'

/** Soon, but not while what has just been deployed is still changing. */
const recheckDelayMs = 10 * 60_000
/** Then the next regular audit decides. */
export const maxRechecks = 3
const retentionDays = 90

const { alerted_at, end_alerted_at, ended_at, web_id: ofWeb } = trackingDifferences

/** The open differences of webs. The rows of the webs have to be locked. */
export const readOpen = (db: Transaction, webIds: readonly number[]): Promise<DifferenceRow[]> =>
  db
    .select()
    .from(trackingDifferences)
    .where(and(isAnyOf(ofWeb, webIds), isNull(ended_at)))
    .orderBy(trackingDifferences.id)

/** The open differences of a web, and whether one of them or the end of another one is still to be announced. */
export async function readUnsettled(db: Transaction, webId: number) {
  const isUnannounced = and(isNotNull(alerted_at), isNull(end_alerted_at))
  const rows = await db
    .select()
    .from(trackingDifferences)
    .where(and(eq(ofWeb, webId), or(isNull(ended_at), isUnannounced)))
    .orderBy(trackingDifferences.id)
  const open = rows.filter((row) => row.ended_at === null)
  const isHeld = (row: DifferenceRow) => row.confirmed_at !== null && row.alerted_at === null
  return { open, hasUnannounced: open.length < rows.length || open.some(isHeld) }
}

/**
 * Has another audit requested when the maintenance of a web ends, if that keeps a difference from being announced.
 * @param until when it ends; undefined if there is none
 */
export async function recheckAfterMaintenance(
  db: Transaction,
  webId: number,
  until: Date | undefined,
): Promise<void> {
  if (until === undefined) return
  const held = db
    .select({ id: trackingDifferences.id })
    .from(trackingDifferences)
    .where(
      and(
        eq(ofWeb, webId),
        isNotNull(trackingDifferences.confirmed_at),
        isNull(alerted_at),
        isNull(ended_at),
      ),
    )
  await db
    .update(trackingJudgements)
    .set({ recheck_at: sql`coalesce(${trackingJudgements.recheck_at}, ${until.toISOString()}::timestamptz)` })
    .where(and(eq(trackingJudgements.web_id, webId), exists(held)))
}

const columnsOf = (difference: Difference) => ({
  kind: difference.kind,
  expected: [...difference.expected],
  found: [...difference.found],
  evidence: difference.evidence,
  ...storedMessage('reason', describeDifference(difference)),
})

interface JudgedAudit {
  readonly id: number
  readonly at: Date
  /** Whether it was requested to confirm differences. */
  readonly isRecheck?: boolean
}

/** Writes what an audit changes in the differences of a web. @param now when it is judged, for an earlier audit later than its time */
export async function applyDrift(
  db: Transaction,
  webId: number,
  { added, seen, confirmed, unseen, ended, dropped, needsRecheck }: DriftChanges,
  audit: JudgedAudit,
  now: Date,
): Promise<void> {
  if (added.length > 0) {
    const cause = await findCause(db, webId, audit)
    await db.insert(trackingDifferences).values(
      added.map((difference) => ({
        web_id: webId,
        key: keyOf(difference),
        subject: difference.subject,
        value: difference.value,
        ...columnsOf(difference),
        preceded_by: cause,
        first_seen_at: audit.at,
        first_audit_id: audit.id,
        last_seen_at: audit.at,
      })),
    )
  }
  for (const { row, difference } of seen)
    await db
      .update(trackingDifferences)
      .set({
        ...columnsOf(difference),
        last_seen_at: audit.at,
        unseen_at: null,
        ...(confirmed.has(row.id) && { confirmed_at: audit.at }),
      })
      .where(eq(trackingDifferences.id, row.id))
  await update(db, unseen, { unseen_at: audit.at })
  await endDifferences(db, [...ended, ...dropped], now)
  if (ended.length > 0) await deleteOldDifferences(db, webId, now)
  // Otherwise a page that loads from other hosts each time would be audited without an end.
  const isNew = audit.isRecheck !== true && added.length + unseen.length > 0
  await storeJudgement(db, webId, { isNew, needsRecheck }, now)
}

async function deleteOldDifferences(db: Transaction, webId: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * 86_400_000)
  await db
    .delete(trackingDifferences)
    .where(and(eq(trackingDifferences.web_id, webId), lt(trackingDifferences.ended_at, before)))
}

/** Ends confirmed differences, and forgets pending ones. */
export async function endDifferences(
  db: Transaction,
  rows: readonly DifferenceRow[],
  at: Date,
): Promise<void> {
  const isConfirmed = ({ confirmed_at }: DifferenceRow) => confirmed_at !== null
  await update(db, rows.filter(isConfirmed), { ended_at: at })
  const pending = rows.filter((row) => !isConfirmed(row)).map(({ id }) => id)
  if (pending.length > 0) await db.delete(trackingDifferences).where(isAnyOf(trackingDifferences.id, pending))
}

async function update(
  db: Transaction,
  rows: readonly DifferenceRow[],
  values: Partial<typeof trackingDifferences.$inferInsert>,
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await db.update(trackingDifferences).set(values).where(isAnyOf(trackingDifferences.id, ids))
}

/** Stores that a web was judged, and when an audit has to confirm what it showed. */
async function storeJudgement(
  db: Transaction,
  web_id: number,
  { isNew, needsRecheck }: { readonly isNew: boolean; readonly needsRecheck: boolean },
  judged_at: Date,
): Promise<void> {
  const soon = needsRecheck ? new Date(judged_at.getTime() + recheckDelayMs) : null
  const due = sql`${soon?.toISOString() ?? null}::timestamptz`
  const resets = isNew || !needsRecheck
  await db
    .insert(trackingJudgements)
    .values({ web_id, judged_at, recheck_at: soon })
    .onConflictDoUpdate({
      target: trackingJudgements.web_id,
      set: {
        judged_at,
        recheck_at: resets
          ? due
          : sql`case when ${trackingJudgements.rechecks} < ${maxRechecks} then ${due} end`,
        ...(resets && { rechecks: 0 }),
      },
    })
}
