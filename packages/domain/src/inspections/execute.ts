import type { JobOutcome } from '@kustos/clients/queue'
import type { InspectionKind, InspectionState } from '@kustos/contract/inspections'
import { isTransient } from '@kustos/database/client'
import { inspections } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { withLease } from '../platform/lease.ts'
import { retryTransient } from '../platform/retry.ts'

export interface InspectionResult {
  readonly state: Extract<InspectionState, 'succeeded' | 'partial' | 'failed'>
  /** What could not be found out, in sentences. */
  readonly problems: readonly string[]
}

/**
 * Inspects a web.
 * @param requestedBy the user who requested the inspection; null if it was scheduled
 * @throws the signal's reason once it is aborted
 */
type Inspector = (
  context: Context,
  webId: number,
  signal: AbortSignal,
  requestedBy: number | null,
) => Promise<InspectionResult>

export type Inspectors = Readonly<Record<InspectionKind, Inspector>>

const timeoutMs = 60_000
/** After which an inspection is tried again while another worker has its lease. */
const retryDelayMs = 5_000
const maxAttempts = 3
/** Stored with each restart, to count them. */
const restartedNote = 'Its worker ended before it did; it was begun again.'

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
  if (claimed === 'over') return 'over'
  const timedOut = AbortSignal.timeout(timeoutMs)
  const end = (state: InspectionResult['state'], problems: readonly string[]) =>
    updateRunning(context, id, { state, problems: [...problems], ended_at: context.now() })
  try {
    const { state, problems } = await inspectors[claimed.kind](
      context,
      claimed.webId,
      AbortSignal.any([signal, timedOut]),
      claimed.requestedBy,
    )
    await retryTransient(signal, () => end(state, problems))
    return 'over'
  } catch (error) {
    // A database that is down, full or busy is no failure of the inspection.
    if (signal.aborted || (isTransient(error) && !timedOut.aborted)) {
      await retryTransient(signal, () => updateRunning(context, id, { state: 'waiting' }))
      return { retryInMs: signal.aborted ? 0 : retryDelayMs }
    }
    const why = timedOut.aborted
      ? `It was not done after ${timeoutMs / 1000} s.`
      : `Kustos failed at it: ${toError(error).message}`
    await retryTransient(signal, () => end('failed', [why]))
    return { failed: why }
  }
}

type Claimed =
  | 'over'
  | { readonly kind: InspectionKind; readonly webId: number; readonly requestedBy: number | null }

function claim(context: Context, id: number): Promise<Claimed> {
  return context.db.transaction(async (db): Promise<Claimed> => {
    await context.assertLease?.(db)
    const [row] = await db.select().from(inspections).where(eq(inspections.id, id)).for('update')
    if (!row || (row.state !== 'waiting' && row.state !== 'running')) return 'over'
    const now = context.now()
    const problems = row.state === 'running' ? [...row.problems, restartedNote] : row.problems
    if (problems.length >= maxAttempts) {
      const given = [`It was begun ${maxAttempts} times, and each time its worker ended before it did.`]
      await db
        .update(inspections)
        .set({ state: 'failed', problems: given, ended_at: now })
        .where(eq(inspections.id, id))
      return 'over'
    }
    await db
      .update(inspections)
      .set({ state: 'running', started_at: now, problems })
      .where(eq(inspections.id, id))
    return { kind: row.kind as InspectionKind, webId: row.web_id, requestedBy: row.requested_by }
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
