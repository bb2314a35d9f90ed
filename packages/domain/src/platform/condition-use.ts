import type { Transaction } from '@kustos/database/client'
import { alertRoutes, maintenanceScopes, maintenanceWindows } from '@kustos/database/tables'
import { and, eq, type SQL } from 'drizzle-orm'
import { isLiveWindow } from './live-windows.ts'

/** What uses something as a condition: the name of an alert route, or the reason of a maintenance window. */
type ConditionUse = { readonly route: string } | { readonly window: string }

/** The first alert route or maintenance window that uses something; null if none does. Past windows keep it. */
export async function findConditionUse(
  db: Transaction,
  isUsedBy: (table: typeof alertRoutes | typeof maintenanceScopes) => SQL,
  now: Date,
): Promise<ConditionUse | null> {
  const [route] = await db
    .select({ route: alertRoutes.name })
    .from(alertRoutes)
    .where(isUsedBy(alertRoutes))
    .orderBy(alertRoutes.position)
    .limit(1)
  if (route !== undefined) return route
  const [window] = await db
    .select({ window: maintenanceWindows.reason })
    .from(maintenanceWindows)
    .innerJoin(maintenanceScopes, eq(maintenanceScopes.id, maintenanceWindows.scope_id))
    .where(and(isUsedBy(maintenanceScopes), isLiveWindow(now)))
    .orderBy(maintenanceWindows.id)
    .limit(1)
  return window ?? null
}
