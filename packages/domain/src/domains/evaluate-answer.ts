import type { DnsCandidate } from '@kustos/database/tables'

export type Records = readonly string[]

/** What is known of the records of a host and type. */
export interface KnownRecords {
  readonly current: Records
  readonly candidate?: DnsCandidate | undefined
  /** When records were last seen that did not stay. */
  readonly unsettledAt?: string | undefined
}

export type Evaluation =
  | { readonly kind: 'same'; readonly candidate?: undefined; readonly unsettledAt?: string | undefined }
  /** Other records that are not confirmed yet. */
  | {
      readonly kind: 'pending'
      readonly candidate?: DnsCandidate | undefined
      readonly unsettledAt?: string | undefined
    }
  | { readonly kind: 'changed'; readonly since: string }

/** Readings in a row that have to agree. */
const readingsNeeded = 2
/** The same for records that rotate, or spread slowly. */
const readingsNeededUnsettled = 12
const unsettledMs = 7 * 24 * 3_600_000

/** @param records both sorted */
export const sameRecords = (a: Records, b: Records): boolean =>
  a.length === b.length && a.every((record, index) => record === b[index])

/**
 * Decides whether records have changed. Sets that rotate, and changes that have not reached all name servers, come and go. So
 * other records count once the answers of two lookups agree on them in two readings in a row; in twelve if some have come and
 * gone within a week.
 * @param second the answer of the second lookup; null if it failed
 */
export function evaluateAnswer(
  { current, candidate, unsettledAt }: KnownRecords,
  answer: Records,
  second: Records | null,
  now: Date,
): Evaluation {
  const at = now.toISOString()
  if (sameRecords(answer, current)) return { kind: 'same', unsettledAt: candidate ? at : unsettledAt }
  if (second === null || !sameRecords(answer, second)) return { kind: 'pending', candidate, unsettledAt }
  const isSeenAgain = candidate !== undefined && sameRecords(candidate.records, answer)
  const unsettled = candidate === undefined || isSeenAgain ? unsettledAt : at
  const next = isSeenAgain
    ? { ...candidate, seen: candidate.seen + 1 }
    : { records: answer, seen: 1, since: at }
  const isUnsettled = unsettled !== undefined && now.getTime() - Date.parse(unsettled) < unsettledMs
  const needed = isUnsettled ? readingsNeededUnsettled : readingsNeeded
  return next.seen >= needed
    ? { kind: 'changed', since: next.since }
    : { kind: 'pending', candidate: next, unsettledAt: unsettled }
}
