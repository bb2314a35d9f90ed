import type { Run } from '@kustos/clients/queue'
import type { InspectionKind, InspectionState } from '@kustos/contract/inspections'
import { mayPass } from '@kustos/database/client'
import { inspections } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { alone } from '../alone.ts'
import type { Context } from '../context.ts'
import { asError } from '../errors.ts'
import { lasting } from '../lasting.ts'

/** How a look at a web ended. */
export interface Inspected {
  readonly state: Extract<InspectionState, 'succeeded' | 'partial' | 'failed'>
  /** What could not be learnt, in sentences. */
  readonly problems: readonly string[]
}

/**
 * Looks at a web.
 * @param requestedBy the user who asked for it; null where the schedule did
 * @throws the signal's reason where it was ended early
 */
type Inspector = (
  context: Context,
  webId: number,
  signal: AbortSignal,
  requestedBy: number | null,
) => Promise<Inspected>

/** What is done for each kind. */
export type Inspectors = Readonly<Record<InspectionKind, Inspector>>

/** An inspection lasts no longer. In milliseconds. */
const longest = 60_000
/** When one that another worker is at looks again. In milliseconds. */
const lookAgain = 5_000
const mostAttempts = 3
/** Kept with one that is begun again, so that it is known how often it was. */
const begunAgain = 'Its worker ended before it did; it was begun again.'

/**
 * Carries an inspection out, unless it is over or under way. One whose worker died is begun again at once, a few times at
 * most: who carries it out holds a lock, which ends with its process.
 * @param signal aborted when the worker stops; the inspection then waits again
 */
export async function executeInspection(
  context: Context,
  inspectors: Inspectors,
  id: number,
  signal: AbortSignal,
): Promise<Run> {
  const run = await alone(context, 'inspections', id, () => inspect(context, inspectors, id, signal))
  return run ?? { again: lookAgain }
}

async function inspect(
  context: Context,
  inspectors: Inspectors,
  id: number,
  signal: AbortSignal,
): Promise<Run> {
  const claimed = await claim(context, id)
  if (claimed === 'over') return 'over'
  const timedOut = AbortSignal.timeout(longest)
  try {
    const { state, problems } = await inspectors[claimed.kind](
      context,
      claimed.webId,
      AbortSignal.any([signal, timedOut]),
      claimed.requestedBy,
    )
    await lasting(signal, () => end(context, id, state, problems))
    return 'over'
  } catch (error) {
    // Where the database goes away amid it, has no room or is busy with others, it has not failed at the web.
    if (signal.aborted || (mayPass(error) && !timedOut.aborted)) {
      await lasting(signal, () => giveBack(context, id))
      return { again: signal.aborted ? 0 : lookAgain }
    }
    const why = timedOut.aborted
      ? `It was not done after ${longest / 1000} s.`
      : `Kustos failed at it: ${asError(error).message}`
    await lasting(signal, () => end(context, id, 'failed', [why]))
    return { failed: why }
  }
}

type Claimed =
  | 'over'
  | { readonly kind: InspectionKind; readonly webId: number; readonly requestedBy: number | null }

function claim(context: Context, id: number): Promise<Claimed> {
  return context.db.transaction(async (db): Promise<Claimed> => {
    const [row] = await db.select().from(inspections).where(eq(inspections.id, id)).for('update')
    if (!row || (row.state !== 'waiting' && row.state !== 'running')) return 'over'
    const now = context.now()
    const problems = row.state === 'running' ? [...row.problems, begunAgain] : row.problems
    if (problems.length >= mostAttempts) {
      const given = [`It was begun ${mostAttempts} times, and each time its worker ended before it did.`]
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
    // The table holds what the contract's kinds wrote.
    return { kind: row.kind as InspectionKind, webId: row.web_id, requestedBy: row.requested_by }
  })
}

async function end(
  { db, now }: Context,
  id: number,
  state: Inspected['state'],
  problems: readonly string[],
): Promise<void> {
  await db
    .update(inspections)
    .set({ state, problems: [...problems], ended_at: now() })
    .where(isRunning(id))
}

async function giveBack({ db }: Context, id: number): Promise<void> {
  await db.update(inspections).set({ state: 'waiting' }).where(isRunning(id))
}

const isRunning = (id: number) => and(eq(inspections.id, id), eq(inspections.state, 'running'))
