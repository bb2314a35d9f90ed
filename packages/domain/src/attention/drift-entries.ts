import { trackingDifferences, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { listedWebs } from '../monitoring/index.ts'
import { type EntryScope, reasonIn, selectEntries } from './entry-sql.ts'
import { ofWeb, withNode } from './web-entries.ts'

/** Differences from tracking contracts that two audits agree on, each by itself, so that each can be acknowledged. */
export const trackingDrifts = ({ internalMarker }: EntryScope): SQL =>
  selectEntries(
    'tracking_drift',
    {
      ...ofWeb,
      subject_id: sql`differences.id`,
      since: sql`differences.first_seen_at`,
      due_at: sql`differences.confirmed_at`,
      ...reasonIn('differences', 'reason'),
    },
    sql`from ${trackingDifferences} differences join ${webs} on webs.id = differences.web_id ${withNode}
      where differences.ended_at is null and differences.confirmed_at is not null and ${listedWebs(internalMarker)}`,
  )
