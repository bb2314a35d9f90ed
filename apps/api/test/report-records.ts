import type { RequestedHost, TrackingVisit } from '@kustos/contract/tracking'
import type { OpenDatabase } from '@kustos/database/client'
import { inspections } from '@kustos/database/tables'
import { appendRecord } from '@kustos/domain/reports'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const violation: RequestedHost = {
  phase: 'before',
  host: 'www.google-analytics.com',
  topic: 'googleanalytics',
  ids: ['G-ABCDEF1234'],
  requests: 2,
  verdict: 'violation',
  url: 'https://www.google-analytics.com/g/collect',
  method: 'POST',
  kind: 'ping',
  initiator: null,
}

/** Stores a finished tracking audit and its record. @returns the inspection's id */
export async function keepAudit(
  db: OpenDatabase['db'],
  { id, fqdn }: { readonly id: number; readonly fqdn: string },
  at: Date = new Date('2026-11-20T10:00:00Z'),
  visit: Partial<TrackingVisit> = {},
): Promise<number> {
  const times = { created_at: at, started_at: at, ended_at: at }
  return db.transaction(async (tx) => {
    const [inspection] = await tx
      .insert(inspections)
      .values({ web_id: id, kind: 'tracking', state: 'succeeded', ...times })
      .returning({ id: inspections.id })
    if (!inspection) throw new Error('The inspection was not inserted')
    await appendRecord(tx, at, {
      web: { id, fqdn, customer: 'ALPEN' },
      inspection: { id: inspection.id, isRequested: false },
      revision: 'abc123',
      browser: '140.0.1',
      audit: {
        engine: 'browser',
        outcome: 'seen',
        problems: [],
        findings: [],
        visit: { refused: null, accepted: null, asked: [violation], ...visit },
      },
      screenshots: [{ phase: 'before', image: png }],
    })
    return inspection.id
  })
}
