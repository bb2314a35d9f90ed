import { maintenanceWindows } from '@kustos/database/tables'
import { and, gt, gte, isNull, or, type SQL } from 'drizzle-orm'

const dayMs = 24 * 3_600_000

/** A condition on maintenance windows: that they may take place again. */
export const isLiveWindow = (at: Date): SQL | undefined =>
  and(
    isNull(maintenanceWindows.deleted_at),
    or(
      gt(maintenanceWindows.ends_at, at),
      and(
        isNull(maintenanceWindows.ends_at),
        // A day more, since days of Europe/Rome begin before those of UTC.
        or(
          isNull(maintenanceWindows.last_day),
          gte(maintenanceWindows.last_day, new Date(at.getTime() - dayMs).toISOString().slice(0, 10)),
        ),
      ),
    ),
  )
