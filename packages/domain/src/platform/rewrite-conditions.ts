import type { Transaction } from '@kustos/database/client'
import { alertRoutes, maintenanceScopes, maintenanceWindows } from '@kustos/database/tables'
import { and, asc, eq, isNull, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { AuditTransaction, LogEntry } from './audit.ts'

/**
 * Replaces names in what alert routes match and maintenance windows cover, with a log entry for each that has changed. `updated_at`
 * stays, since a form that still has the old name is refused.
 * @param named a condition on the column: that it has one of the names
 * @param change names the change in the entries
 */
export async function rewriteConditions(
  tx: AuditTransaction,
  field: 'customers' | 'tags',
  named: (column: PgColumn) => SQL,
  replace: (names: readonly string[]) => readonly string[],
  change: object,
): Promise<void> {
  const entries: LogEntry[] = []
  for (const table of [alertRoutes, maintenanceScopes]) {
    const rows = await tx.db
      .select({ id: table.id, names: table[field] })
      .from(table)
      .where(named(table[field]))
      .orderBy(asc(table.id))
      .for('no key update')
    for (const { id, names: old } of rows) {
      const names = replace(old)
      if (String(names) === String(old)) continue
      await tx.db
        .update(table)
        .set({ [field]: names })
        .where(eq(table.id, id))
      const properties = { old: { [field]: old }, attributes: { [field]: names, ...change } }
      const subjects = table === alertRoutes ? [routeEntry(id)] : await entriesOfScope(tx.db, id)
      entries.push(...subjects.map((entry) => ({ ...entry, ...properties })))
    }
  }
  if (entries.length > 0) await tx.recordAll(entries)
}

const routeEntry = (id: number): LogEntry => ({
  log: 'alert-routes',
  description: 'updated',
  subject: { type: 'alert_route', id },
})

/** Those of the windows that cover a scope. Earlier scopes of a window belong to none. */
async function entriesOfScope(db: Transaction, scope: number): Promise<LogEntry[]> {
  const windows = await db
    .select({ id: maintenanceWindows.id })
    .from(maintenanceWindows)
    .where(and(eq(maintenanceWindows.scope_id, scope), isNull(maintenanceWindows.deleted_at)))
  return windows.map(({ id }) => ({
    log: 'maintenance',
    description: 'updated',
    subject: { type: 'maintenance_window', id },
  }))
}
