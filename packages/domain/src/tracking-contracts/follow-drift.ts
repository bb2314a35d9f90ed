import type { ContractSettings } from '@kustos/contract/tracking-contracts/states'
import { trackingFreshnessSeconds } from '@kustos/contract/webs'
import type { trackingDifferences } from '@kustos/database/tables'
import { type Difference, isAgreed, isRefuted, keyOf } from './judge.ts'
import type { JudgedBy } from './load.ts'
import type { Observation } from './observe.ts'

export type DifferenceRow = typeof trackingDifferences.$inferSelect

/** What an audit changes in the open differences of a web. */
export interface DriftChanges {
  /** Seen for the first time: a second audit has to confirm them. */
  readonly added: readonly Difference[]
  /** Seen again, with what they are now. */
  readonly seen: readonly { readonly row: DifferenceRow; readonly difference: Difference }[]
  /** Those of them that this audit confirms. */
  readonly confirmed: ReadonlySet<number>
  /** Confirmed ones that are not there for the first time. */
  readonly unseen: readonly DifferenceRow[]
  /** Confirmed ones that are over. */
  readonly ended: readonly DifferenceRow[]
  /** Pending ones that were not confirmed. */
  readonly dropped: readonly DifferenceRow[]
  /** Whether another audit has to confirm something. */
  readonly needsRecheck: boolean
}

const freshnessMs = trackingFreshnessSeconds * 1000

/**
 * Two audits have to agree, on a difference as on its end. So what comes and goes once changes nothing. An incomplete audit ends
 * only what it refutes, and what none has shown for as long as services count as current. What is missing it can only refute.
 */
export function followDrift(
  open: readonly DifferenceRow[],
  differences: readonly Difference[],
  observation: Observation,
  contract: ContractSettings,
  audit: { readonly id: number; readonly at: Date },
): DriftChanges {
  const now = new Map(differences.map((difference) => [keyOf(difference), difference]))
  const known = new Set(open.map(({ key }) => key))
  const seen = open.flatMap((row) => {
    const difference = now.get(row.key)
    return difference === undefined ? [] : { row, difference }
  })
  const wasConfirmed = ({ confirmed_at }: DifferenceRow) => confirmed_at !== null
  const isOutdated = (row: DifferenceRow) =>
    row.last_seen_at.getTime() < audit.at.getTime() - freshnessMs &&
    (row.kind !== 'missing' || !wasConfirmed(row))
  const isOver = (row: DifferenceRow) => isRefuted(row, observation, contract) || isOutdated(row)
  const gone = open.filter((row) => !now.has(row.key) && isOver(row))
  const confirmed = seen.filter(({ row }) => !wasConfirmed(row) && row.first_audit_id !== audit.id)
  const unseen = gone.filter((row) => wasConfirmed(row) && row.unseen_at === null)
  // The audit that has not shown it for the first time may be judged again.
  const ended = gone.filter((row) => wasConfirmed(row) && row.unseen_at !== null && row.unseen_at < audit.at)
  const dropped = gone.filter((row) => !wasConfirmed(row))
  const added = differences.filter((difference) => !known.has(keyOf(difference)))
  const isOpen = (row: DifferenceRow) => !ended.includes(row) && !dropped.includes(row)
  const confirmedIds = new Set(confirmed.map(({ row }) => row.id))
  const isUnsettled = (row: DifferenceRow) =>
    !now.has(row.key)
      ? row.unseen_at !== null || !wasConfirmed(row)
      : !wasConfirmed(row) && !confirmedIds.has(row.id)
  return {
    added,
    seen,
    confirmed: confirmedIds,
    unseen,
    ended,
    dropped,
    needsRecheck:
      added.length > 0 || unseen.length > 0 || open.some((row) => isOpen(row) && isUnsettled(row)),
  }
}

/**
 * The open differences that a changed contract or a new exception ends, also confirmed ones: those that the latest audit has shown and that
 * are none now, and those that are agreed on now. That this audit has not shown one ends it as ever.
 * @param differences by that audit, as it is judged now
 */
export function endAgreed(
  open: readonly DifferenceRow[],
  differences: readonly Difference[],
  { contract, exceptions }: JudgedBy,
  auditedAt: Date,
  now: Date,
): readonly DifferenceRow[] {
  const known = new Set(differences.map(keyOf))
  return open.filter(
    (row) =>
      !known.has(row.key) && (row.last_seen_at >= auditedAt || isAgreed(row, contract, exceptions, now)),
  )
}
