import type { Transaction } from '@kustos/database/client'
import { maintenanceExemptions, maintenanceOccurrences, maintenanceWindows } from '@kustos/database/tables'
import { and, asc, eq, gt, gte, lt, lte, or, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { isLiveWindow } from '../platform/live-windows.ts'
import { advanceRechecks, websOfOccurrences } from './advance-rechecks.ts'
import { type Occurrence, occurrencesWithin } from './occurrences.ts'

export type WindowRow = typeof maintenanceWindows.$inferSelect

const dayMs = 24 * 3_600_000
/** How far ahead occurrences are stored. Workers add those that follow every hour. */
export const horizonMs = 14 * dayMs
/** How long past ones are kept, which rounds that are evaluated late still need. */
const keptMs = 30 * dayMs

/**
 * Stores the occurrences of a window anew, from now on. One that runs ends now; if the window goes on, another one begins.
 * The window's row has to be locked.
 */
export async function planOccurrences(tx: Transaction, window: WindowRow, now: Date): Promise<void> {
  const ended = await stopOccurrences(tx, window.id, now)
  if (window.deleted_at !== null) return
  const { ended_early_at: endedEarly } = window
  const ahead = occurrencesWithin(window, now, new Date(now.getTime() + horizonMs))
    .filter(({ starts_at }) => endedEarly === null || starts_at > endedEarly)
    .map((one) => ({ ...one, starts_at: one.starts_at < now ? now : one.starts_at }))
  await insertOccurrences(tx, [{ window, occurrences: ahead }])
  if (ended.length === 0) return
  // Webs that were taken out stay out.
  await tx.execute(sql`
    insert into ${maintenanceExemptions} (occurrence_id, web_id, ended_at)
    select o.id, x.web_id, x.ended_at
    from ${maintenanceExemptions} x, ${maintenanceOccurrences} o
    where x.occurrence_id = any(${sql.param(ended)}::int[])
      and o.window_id = ${window.id} and o.starts_at = ${now.toISOString()}
    on conflict do nothing`)
  await advanceRechecks(tx, websOfOccurrences(ended), now)
}

/** Removes what has not begun, and ends what runs, of a window that is over. */
export async function endOccurrences(tx: Transaction, window: number, now: Date): Promise<void> {
  const ended = await stopOccurrences(tx, window, now)
  if (ended.length > 0) await advanceRechecks(tx, websOfOccurrences(ended), now)
}

/** @returns the ids of those that have been ended */
async function stopOccurrences(tx: Transaction, window: number, now: Date): Promise<readonly number[]> {
  const { window_id, starts_at, ends_at } = maintenanceOccurrences
  await tx.delete(maintenanceOccurrences).where(and(eq(window_id, window), gte(starts_at, now)))
  const isRunning = and(eq(window_id, window), lt(starts_at, now), gt(ends_at, now))
  const ended = await tx
    .update(maintenanceOccurrences)
    .set({ ends_at: now })
    .where(isRunning)
    .returning({ id: maintenanceOccurrences.id })
  return ended.map(({ id }) => id)
}

async function insertOccurrences(
  tx: Transaction,
  planned: readonly { readonly window: WindowRow; readonly occurrences: readonly Occurrence[] }[],
): Promise<number> {
  const rows = planned.flatMap(({ window, occurrences }) =>
    occurrences.map(({ starts_at, ends_at }) => [
      window.id,
      window.scope_id,
      starts_at.toISOString(),
      ends_at.toISOString(),
    ]),
  )
  if (rows.length === 0) return 0
  // Those that run into each other may all begin now: one of them that lasts as long as all.
  const { rowCount } = await tx.execute(sql`
    insert into ${maintenanceOccurrences} (window_id, scope_id, starts_at, ends_at)
    select (o ->> 0)::int, (o ->> 1)::int, (o ->> 2)::timestamptz, max((o ->> 3)::timestamptz)
    from json_array_elements(${JSON.stringify(rows)}) o group by 1, 2, 3
    on conflict (window_id, starts_at) do nothing`)
  return rowCount ?? 0
}

/** Per transaction, which locks them. */
const windowsAtOnce = 100

/**
 * Stores the occurrences of the next days, and removes those that have long been over.
 * @returns the numbers of both; null if there were none
 */
export async function extendOccurrences({ db, now }: Context, signal?: AbortSignal) {
  const at = now()
  const until = new Date(at.getTime() + horizonMs)
  let [planned, last] = [0, 0]
  for (let found = windowsAtOnce; found === windowsAtOnce && !signal?.aborted; ) {
    found = await db.transaction(async (tx) => {
      const windows = await tx
        .select()
        .from(maintenanceWindows)
        .where(and(gt(maintenanceWindows.id, last), isLiveWindow(at)))
        .orderBy(asc(maintenanceWindows.id))
        .limit(windowsAtOnce)
        .for('no key update')
      planned += await insertOccurrences(
        tx,
        windows.map((window) => ({
          window,
          occurrences: occurrencesWithin(window, at, until).filter(({ starts_at }) => starts_at > at),
        })),
      )
      last = windows.at(-1)?.id ?? last
      return windows.length
    })
  }
  const { rowCount: removed } = await db
    .delete(maintenanceOccurrences)
    .where(lt(maintenanceOccurrences.ends_at, new Date(at.getTime() - keptMs)))
  return planned === 0 && !removed ? null : { planned, removed: removed ?? 0 }
}

/** Marks what has begun or ended, which notifies screens. @returns their number; null if there are none */
export async function noticeOccurrences({
  db,
  now,
}: Context): Promise<{ readonly occurrences: number } | null> {
  const { id, starts_at, ends_at, noticed } = maintenanceOccurrences
  const at = now()
  const isDue = or(
    and(eq(noticed, 'planned'), lte(starts_at, at)),
    and(eq(noticed, 'begun'), lte(ends_at, at)),
  )
  // An update notifies screens even if it changes nothing.
  const due = await db.select({ id }).from(maintenanceOccurrences).where(isDue).limit(1)
  if (due.length === 0) return null
  const { rowCount } = await db
    .update(maintenanceOccurrences)
    .set({ noticed: sql`case when ${ends_at} <= ${at.toISOString()} then 'ended' else 'begun' end` })
    .where(isDue)
  return rowCount ? { occurrences: rowCount } : null
}
