import type { Transaction } from '@kustos/database/client'
import { trackingViolations } from '@kustos/database/tables'
import type { WithoutConsent } from '../platform/tracking-grid.ts'
import { nameService } from './topics.ts'

/** What webs request without consent, as the tracking list names it. */
export async function readWithoutConsent(db: Transaction): Promise<WithoutConsent> {
  const rows = await db.select().from(trackingViolations)
  return new Map(rows.map(({ web_id: web, services }) => [web, services.map(nameService)]))
}
