import { maintenanceExemptions, webs } from '@kustos/database/tables'
import { and, eq, sql } from 'drizzle-orm'
import { type AuditTransaction, entriesOf, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { advanceRechecks } from './advance-rechecks.ts'
import { endLockedWindow, lockAnyWindow } from './change-window.ts'
import { runningAt } from './coverage.ts'
import type { StoredScope } from './targets.ts'

const entry = entriesOf('maintenance', 'web')

/** Ends the maintenance of a web. @throws DomainError not-found; conflict if it is not in maintenance */
export const endMaintenance = (context: Context, id: number): Promise<void> =>
  withAudit(context, (tx) => endMaintenanceInTransaction(tx, id))

/** Ends the windows that cover only this web, and takes it out of the others that run. */
export async function endMaintenanceInTransaction(tx: AuditTransaction, id: number): Promise<void> {
  const now = tx.now()
  const [web] = await tx.db
    .select({ fqdn: webs.fqdn })
    .from(webs)
    .where(and(eq(webs.id, id), visibleWebs(tx)))
  if (!web) throw notFound('web_not_found', { id })
  const { rows } = await tx.db.execute<{ window_id: number }>(sql`
    select distinct m.window_id from ${runningAt(now)} and m.web_id = ${id} order by m.window_id`)
  const reasons: string[] = []
  for (const { window_id } of rows) {
    const found = await lockAnyWindow(tx, window_id)
    // Somebody has deleted it while the lock was waited for, which ended it.
    if (found === undefined) continue
    // Read again: an edit that ended while the lock was waited for has begun another occurrence, or left out the web.
    const { rows: running } = await tx.db.execute<{ occurrence_id: number }>(sql`
      select distinct m.occurrence_id from ${runningAt(now)} and m.web_id = ${id} and m.window_id = ${window_id}`)
    if (running.length === 0) continue
    reasons.push(found.window.reason)
    if (isOnly(found.scope, id)) await endLockedWindow(tx, found)
    else
      await tx.db
        .insert(maintenanceExemptions)
        .values(running.map(({ occurrence_id }) => ({ occurrence_id, web_id: id, ended_at: now })))
        .onConflictDoNothing()
  }
  if (reasons.length === 0) throw conflict('web_not_in_maintenance', { fqdn: web.fqdn })
  await advanceRechecks(tx.db, sql`select ${id}::int`, now)
  await tx.record({ ...entry('ended', id), attributes: { maintenance: reasons } })
}

const isOnly = ({ web_ids, node_ids, customers, tags }: StoredScope, web: number): boolean =>
  web_ids.length === 1 && web_ids[0] === web && [...node_ids, ...customers, ...tags].length === 0
