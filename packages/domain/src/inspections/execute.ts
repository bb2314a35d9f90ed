import type { JobOutcome } from '@kustos/clients/queue'
import type { Connection, InspectionKind, InspectionState } from '@kustos/contract/inspections'
import { type Message, message } from '@kustos/contract/messages'
import { englishText } from '@kustos/contract/messages/english'
import { isTransient } from '@kustos/database/client'
import { inspections } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { unexpectedFailure } from '../platform/jobs.ts'
import { withLease } from '../platform/lease.ts'
import { retryTransient } from '../platform/retry.ts'
import { storedProblems } from '../platform/stored-message.ts'
import { inspectionJobId } from './jobs.ts'

export interface InspectionResult {
  readonly state: Extract<InspectionState, 'succeeded' | 'partial' | 'failed'>
  /** Why facts could not be read. */
  readonly problems: readonly Message[]
  /** The result of a node's connection test. */
  readonly connection?: Connection
}

/**
 * Inspects a web or a node.
 * @param requestedBy the user who requested the inspection; null if it was scheduled
 * @param inspectionId of the inspection
 * @throws the signal's reason once it is aborted
 */
type Inspector = (
  context: Context,
  subjectId: number,
  signal: AbortSignal,
  requestedBy: number | null,
  inspectionId: number,
) => Promise<InspectionResult>

export interface Inspectors extends Readonly<Record<InspectionKind, Inspector>> {
  /** Called with errors that are not meant for users, for the log. */
  readonly onError: (error: Error) => void
}

/** An audit may have to wait for a browser, and visits several pages in it. */
const timeoutsMs: Readonly<Record<InspectionKind, number>> = {
  refresh: 60_000,
  tracking: 180_000,
  discovery: 60_000,
  connection: 60_000,
}
/** After which an inspection is tried again while another worker has its lease. */
const retryDelayMs = 5_000
const maxAttempts = 3

/**
 * Executes an inspection under a lease, unless it is over. One whose worker has died is restarted a few times at most.
 * @param signal aborted when the worker stops; the inspection then waits again
 */
export async function executeInspection(
  context: Context,
  inspectors: Inspectors,
  id: number,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const run = await withLease(context, `inspection ${id}`, signal, (leased, until) =>
    inspect(leased, inspectors, id, until),
  )
  return run ?? { retryInMs: retryDelayMs }
}

async function inspect(
  context: Context,
  inspectors: Inspectors,
  id: number,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const claimed = await claim(context, id)
  if (claimed === null) return 'done'
  const timeoutMs = timeoutsMs[claimed.kind]
  const timedOut = AbortSignal.timeout(timeoutMs)
  const end = ({ state, problems, connection }: InspectionResult) =>
    updateRunning(context, id, {
      state,
      ...storedProblems(problems),
      ...(connection && { connection }),
      ended_at: context.now(),
    })
  try {
    const result = await inspectors[claimed.kind](
      context,
      claimed.subjectId,
      AbortSignal.any([signal, timedOut]),
      claimed.requestedBy,
      id,
    )
    await retryTransient(signal, () => end(result))
    return 'done'
  } catch (error) {
    // A database that is down, full or busy is no failure of the inspection.
    if (signal.aborted || (isTransient(error) && !timedOut.aborted)) {
      await retryTransient(signal, () => updateRunning(context, id, { state: 'waiting' }))
      return { retryInMs: signal.aborted ? 0 : retryDelayMs }
    }
    if (!timedOut.aborted) inspectors.onError(toError(error))
    const reason = timedOut.aborted
      ? message('inspection_timed_out', { seconds: timeoutMs / 1000 })
      : unexpectedFailure(context.requestId, inspectionJobId(id))
    await retryTransient(signal, () => end({ state: 'failed', problems: [reason] }))
    return { failed: englishText(reason) }
  }
}

/** @returns null if the inspection is over */
function claim(context: Context, id: number) {
  return context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    const [row] = await db.select().from(inspections).where(eq(inspections.id, id)).for('update')
    if (!row || (row.state !== 'waiting' && row.state !== 'running')) return null
    const now = context.now()
    const update = (values: Partial<typeof inspections.$inferInsert>) =>
      db.update(inspections).set(values).where(eq(inspections.id, id))
    // Each restart is one problem.
    const restarts = row.problems.length + (row.state === 'running' ? 1 : 0)
    if (restarts >= maxAttempts) {
      const problems = [message('inspection_given_up', { attempts: maxAttempts })]
      await update({ state: 'failed', ...storedProblems(problems), ended_at: now })
      return null
    }
    const problems = Array.from({ length: restarts }, () => message('inspection_restarted'))
    await update({ state: 'running', started_at: now, ...storedProblems(problems) })
    const subjectId = row.web_id ?? row.node_id
    if (subjectId === null) throw new Error(`Inspection ${id} has no subject`)
    return { kind: row.kind as InspectionKind, subjectId, requestedBy: row.requested_by }
  })
}

function updateRunning(
  context: Context,
  id: number,
  values: Partial<typeof inspections.$inferInsert>,
): Promise<void> {
  return context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    await db
      .update(inspections)
      .set(values)
      .where(and(eq(inspections.id, id), eq(inspections.state, 'running')))
  })
}
