import type { DnsCandidate, DnsState } from '@kustos/database/tables'
import { evaluateAnswer, type Records, sameRecords } from './evaluate-answer.ts'
import { readHeld } from './held-changes.ts'
import { keyOf, type LookupResult } from './lookups.ts'
import type { ChangedSet, Reading, ReadSet } from './store-readings.ts'

export const readingIntervalMs = 3_600_000
/** Until a change is looked up again. */
const confirmationMs = 10 * 60_000

interface EvaluationTools {
  readonly now: Date
  /** Asks another name server; null if it does not answer. */
  readonly confirm: (result: LookupResult) => Promise<Records | null>
}

/** Compares the answers for a name with what is known, without storing anything. @param current by host and type */
export async function evaluateName(
  { id, name, wasDueAt, state }: Pick<Reading, 'id' | 'name' | 'wasDueAt' | 'state'>,
  results: readonly LookupResult[],
  current: ReadonlyMap<string, ReadSet>,
  { now, confirm }: EvaluationTools,
): Promise<Reading> {
  const first: Reading['first'][number][] = []
  const changed: ChangedSet[] = []
  const seen: number[] = []
  const unseen: number[] = []
  const failures: Record<string, NonNullable<DnsState['failures']>[string]> = {}
  const candidates: Record<string, DnsCandidate> = {}
  const unsettled: Record<string, string> = {}
  for (const result of results) {
    const { host, type, answer } = result
    const key = keyOf(result)
    const known = current.get(key)
    const before = { candidate: state.candidates?.[key], unsettledAt: state.unsettled?.[key] }
    const keep = ({ candidate, unsettledAt }: Partial<typeof before>) => {
      if (candidate !== undefined) candidates[key] = candidate
      if (unsettledAt !== undefined) unsettled[key] = unsettledAt
    }
    if (answer.outcome === 'unknown') {
      failures[key] = answer.reason
      if (known) unseen.push(known.id)
      keep(before)
    } else if (known === undefined) first.push({ host, type, records: answer.records })
    else {
      const { records } = answer
      const second = sameRecords(records, known.records) ? records : await confirm(result)
      const evaluation = evaluateAnswer({ current: known.records, ...before }, records, second, now)
      if (evaluation.kind === 'changed')
        changed.push({ host, type, records, from: known, since: new Date(evaluation.since) })
      else {
        keep(evaluation)
        if (evaluation.kind === 'pending') unseen.push(known.id)
        else if (known.last_seen_at !== null) seen.push(known.id)
      }
    }
  }
  // Records that rotate have a candidate at each reading.
  const isSoon = Object.entries(candidates).some(
    ([key, candidate]) => candidate.seen > 1 || unsettled[key] === undefined,
  )
  return {
    id,
    name,
    wasDueAt,
    isAlias: results.some(
      (result) => result.type === 'CNAME' && recordsOf(result, current.get(keyOf(result))).length > 0,
    ),
    hasAnswer: results.some(({ answer }) => answer.outcome === 'answered'),
    first,
    changed,
    held: readHeld(state, current, changed),
    seen,
    unseen,
    failures,
    state: { failures, candidates, unsettled },
    dueAt: new Date(now.getTime() + (isSoon ? confirmationMs : spreadMs(id))),
  }
}

/** As they were last known if the lookup failed. */
const recordsOf = ({ answer }: LookupResult, known: ReadSet | undefined): Records =>
  answer.outcome === 'answered' ? answer.records : (known?.records ?? [])

/** An hour more or less 5 %, so that names which were added together are soon read at different times. */
const spreadMs = (id: number): number => readingIntervalMs * (0.95 + ((id * 7919) % 1000) / 10_000)
