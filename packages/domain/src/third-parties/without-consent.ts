import type { Transaction } from '@kustos/database/client'
import { trackingViolations } from '@kustos/database/tables'
import type { ServicesByWeb } from '../platform/services-without-consent.ts'
import { nameService } from './topics.ts'

/** What webs request without consent, as the tracking list names it. */
export async function readWithoutConsent(db: Transaction): Promise<ServicesByWeb> {
  const rows = await db.select().from(trackingViolations)
  return new Map(rows.map(({ web_id: web, services }) => [web, services.map(nameService)]))
}
