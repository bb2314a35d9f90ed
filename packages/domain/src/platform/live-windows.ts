import { maintenanceOccurrences, maintenanceWindows } from '@kustos/database/tables'
import { and, gt, gte, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'

const dayMs = 24 * 3_600_000

/** A condition on maintenance windows: that they run, or may take place again. */
export const isLiveWindow = (at: Date): SQL | undefined =>
  and(
    isNull(maintenanceWindows.deleted_at),
    or(
      // Never null, since its opposite selects those that are over.
      and(isNotNull(maintenanceWindows.ends_at), gt(maintenanceWindows.ends_at, at)),
      and(
        isNull(maintenanceWindows.ends_at),
        // A day more, since days of Europe/Rome begin before those of UTC.
        or(
          isNull(maintenanceWindows.last_day),
          gte(maintenanceWindows.last_day, new Date(at.getTime() - dayMs).toISOString().slice(0, 10)),
          // What has begun on the last day may last for days.
          sql`exists (select from ${maintenanceOccurrences} o
            where o.window_id = ${maintenanceWindows.id} and o.ends_at > ${at.toISOString()}::timestamptz)`,
        ),
      ),
    ),
  )
