import type { MaintenanceWindowChange, NewMaintenanceWindow } from '@kustos/contract/maintenance'
import { message } from '@kustos/contract/messages'
import { maintenanceScopes, maintenanceWindows } from '@kustos/database/tables'
import { and, eq, isNull } from 'drizzle-orm'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { conflict, invalid, notFound } from '../platform/errors.ts'
import { dayAt } from '../platform/local-time.ts'
import { type FoundWindow, nextStart, readWindows } from './list.ts'
import { nextOccurrence, occurrencesWithin, type Schedule } from './occurrences.ts'
import { endOccurrences, planOccurrences, type WindowRow } from './plan-occurrences.ts'
import { isVisible, readTargets, resolveTargets, type StoredScope, type Targets } from './targets.ts'

const entry = entriesOf('maintenance', 'maintenance_window')

/** @throws DomainError invalid, by field, for what the user may not see, and if it would never take place */
export const planWindow = (context: Context, input: NewMaintenanceWindow): Promise<{ readonly id: number }> =>
  withAudit(context, async (tx) => {
    const now = tx.now()
    const scope = await resolveTargets(tx, input)
    const schedule = scheduleOf(input, now)
    rejectNever(schedule, now)
    const [row] = await tx.db
      .insert(maintenanceWindows)
      .values({
        reason: input.reason,
        ...schedule,
        scope_id: await insertScope(tx, scope),
        planned_by: requireActor(tx).id,
        created_at: now,
        updated_at: now,
      })
      .returning()
    if (!row) throw new Error('The window was not inserted')
    await planOccurrences(tx.db, row, now)
    const targets = (await readTargets(tx, [scope]))(scope)
    await tx.record({ ...entry('created', row.id), attributes: logged(row, targets) })
    return { id: row.id }
  })

/**
 * Changes a window from now on.
 * @throws DomainError not-found; conflict if it is over, or has changed since `updated_at`; invalid as for a new one
 */
export const editWindow = (
  context: Context,
  id: number,
  { updated_at: seen, ...input }: MaintenanceWindowChange,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const now = tx.now()
    const { window, scope, runningUntil, targets } = await lockWindow(tx, id)
    await rejectStaleWrite(
      tx,
      { type: 'maintenance_window', id },
      'maintenance_window',
      window.updated_at,
      seen,
    )
    if (runningUntil === null && nextStart(window, now) === null) throw conflict('maintenance_over')
    const visible = new Set(targets.webs.map((web) => web.id))
    const hidden = scope.web_ids.filter((web) => !visible.has(web))
    const newScope = await resolveTargets(tx, input, hidden)
    const schedule = scheduleOf(input, now, window)
    rejectNever(schedule, now)
    const newTargets = (await readTargets(tx, [newScope]))(newScope)
    const changed = difference<Record<string, unknown>>(
      logged(window, targets),
      logged({ reason: input.reason, ...schedule }, newTargets),
    )
    if (changed === null) return tx.skipAudit()
    const hasNewScope = JSON.stringify(newTargets) !== JSON.stringify(targets)
    const [row] = await tx.db
      .update(maintenanceWindows)
      .set({
        reason: input.reason,
        ...schedule,
        ...(runsAnew(window, schedule, now) && { ended_early_at: null }),
        ...(hasNewScope && { scope_id: await insertScope(tx, newScope) }),
        updated_at: nextUpdatedAt(window, tx),
      })
      .where(eq(maintenanceWindows.id, id))
      .returning()
    const isReasonOnly = Object.keys(changed.attributes).every((field) => field === 'reason')
    if (row && !isReasonOnly) await planOccurrences(tx.db, row, now)
    await tx.record({ ...entry('updated', id), ...changed })
  })

/** Deletes a window, and ends it if it runs. @throws DomainError not-found */
export const deleteWindow = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const { window, targets } = await lockWindow(tx, id)
    await endOccurrences(tx.db, id, tx.now())
    await tx.db
      .update(maintenanceWindows)
      .set({ deleted_at: tx.now(), updated_at: nextUpdatedAt(window, tx) })
      .where(eq(maintenanceWindows.id, id))
    await tx.record({ ...entry('deleted', id), old: logged(window, targets) })
  })

/** Ends a window early. @throws DomainError not-found; conflict if it does not run */
export const endWindow = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const found = await lockWindow(tx, id)
    if (found.runningUntil === null) throw conflict('maintenance_not_running')
    await endLockedWindow(tx, found)
    await tx.record({
      ...entry('ended', id),
      old: { ends_at: found.runningUntil.toISOString() },
      attributes: { ends_at: tx.now().toISOString() },
    })
  })

/** Ends a window that runs. The caller records it. */
export async function endLockedWindow(
  tx: AuditTransaction,
  { window }: Pick<FoundWindow, 'window'>,
): Promise<void> {
  const now = tx.now()
  const [row] = await tx.db
    .update(maintenanceWindows)
    .set({
      ...(window.repeats === 'once' && { ends_at: now }),
      ended_early_at: now,
      updated_at: nextUpdatedAt(window, tx),
    })
    .where(eq(maintenanceWindows.id, window.id))
    .returning()
  if (row) await planOccurrences(tx.db, row, now)
}

/** A window that the acting user may see, locked until the transaction ends. @throws DomainError not-found */
async function lockWindow(
  tx: AuditTransaction,
  id: number,
): Promise<FoundWindow & { readonly targets: Targets }> {
  const found = await lockAnyWindow(tx, id)
  const targets = found && (await readTargets(tx, [found.scope]))(found.scope)
  if (!targets || !isVisible(targets)) throw notFound('maintenance_window_not_found', { id })
  return { ...found, targets }
}

/** A window, even one that the acting user may not see, locked until the transaction ends; undefined if it was deleted. */
export async function lockAnyWindow(tx: AuditTransaction, id: number): Promise<FoundWindow | undefined> {
  const which = and(eq(maintenanceWindows.id, id), isNull(maintenanceWindows.deleted_at))
  await tx.db.select({ id: maintenanceWindows.id }).from(maintenanceWindows).where(which).for('update')
  const [found] = await readWindows(tx.db, tx.now(), which)
  return found
}

async function insertScope(tx: AuditTransaction, scope: StoredScope): Promise<number> {
  const [row] = await tx.db.insert(maintenanceScopes).values(scope).returning({ id: maintenanceScopes.id })
  if (!row) throw new Error('The scope was not inserted')
  return row.id
}

const sortNumbers = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b)

/** The schedule of a form, without the fields that do not belong to it. @param before that of the window that is edited */
function scheduleOf(input: NewMaintenanceWindow, now: Date, before?: Schedule): Schedule {
  const none = {
    starts_at: null,
    ends_at: null,
    weekdays: [],
    month_days: [],
    start_time: null,
    duration_minutes: null,
    first_day: null,
    last_day: null,
  }
  const { repeats, start_time, duration_minutes, last_day } = input
  if (repeats === 'once') {
    const [starts, ends] = [new Date(input.starts_at ?? now), new Date(input.ends_at ?? now)]
    if (ends <= now) throw invalid({ ends_at: message('maintenance_ends_in_past') })
    const isKept = before?.starts_at?.getTime() === starts.getTime()
    return { ...none, repeats, starts_at: starts < now && !isKept ? now : starts, ends_at: ends }
  }
  return {
    ...none,
    repeats,
    ...(repeats === 'weekly'
      ? { weekdays: sortNumbers(input.weekdays) }
      : { month_days: sortNumbers(input.month_days) }),
    start_time,
    duration_minutes,
    first_day: input.first_day ?? before?.first_day ?? dayAt(now.getTime()),
    last_day,
  }
}

function rejectNever(schedule: Schedule, now: Date): void {
  const isRunning = occurrencesWithin(schedule, now, new Date(now.getTime() + 1)).length > 0
  if (!isRunning && nextOccurrence(schedule, now) === null)
    throw invalid({ last_day: message('maintenance_never') })
}

/** Whether the schedule has an occurrence now, and another one than what was ended early. */
function runsAnew({ ended_early_at: ended, ...before }: WindowRow, schedule: Schedule, now: Date): boolean {
  if (ended === null) return false
  const startsAt = (of: Schedule, at: Date) =>
    occurrencesWithin(of, at, new Date(at.getTime() + 1)).map(({ starts_at }) => starts_at.getTime())
  const wasEnded = new Set(startsAt(before, ended))
  return startsAt(schedule, now).some((start) => !wasEnded.has(start))
}

/** What users edit, without the fields that do not belong to the schedule. */
function logged(
  { reason, starts_at, ends_at, ...window }: Schedule & { readonly reason: string },
  { webs, ...targets }: Targets,
): Record<string, unknown> {
  return {
    reason,
    webs: webs.map(({ fqdn }) => fqdn),
    ...targets,
    repeats: window.repeats,
    starts_at: starts_at?.toISOString() ?? null,
    ends_at: ends_at?.toISOString() ?? null,
    weekdays: window.weekdays,
    month_days: window.month_days,
    start_time: window.start_time,
    duration_minutes: window.duration_minutes,
    first_day: window.first_day,
    last_day: window.last_day,
  }
}
