import type { Transaction } from '@kustos/database/client'
import { maintenanceScopes, maintenanceWindows } from '@kustos/database/tables'
import { and, eq, sql } from 'drizzle-orm'
import { isLiveWindow } from '../platform/live-windows.ts'
import { readWebsInMaintenance, scopeCovers } from './coverage.ts'
import { occurrencesWithin } from './occurrences.ts'
import { horizonMs } from './plan-occurrences.ts'

/** Workers store the last occurrences of the horizon up to an hour late, or later if they did not run. */
const reliablyStoredMs = horizonMs / 2

/** Whether a web is in maintenance at a time, as far as windows are planned; also after the days whose occurrences are stored. */
export async function isMaintainedAt(db: Transaction, web: number, at: Date, now: Date): Promise<boolean> {
  if (at.getTime() - now.getTime() < reliablyStoredMs)
    return (await readWebsInMaintenance(db, at, web)).has(web)
  const windows = await db
    .select({ window: maintenanceWindows })
    .from(maintenanceWindows)
    .innerJoin(maintenanceScopes, eq(maintenanceScopes.id, maintenanceWindows.scope_id))
    .where(and(isLiveWindow(now), scopeCovers(sql`${maintenanceScopes.id}`, sql`select ${web}::int`)))
  const end = new Date(at.getTime() + 1)
  return windows.some(({ window }) => occurrencesWithin(window, at, end).length > 0)
}
