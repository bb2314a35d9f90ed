import type { Finding, RequestedHost, TrackingVisit } from '@kustos/contract/tracking'
import type { Transaction } from '@kustos/database/client'
import { appendRecord } from '../../src/reports/index.ts'

type Evidence = Parameters<typeof appendRecord>[2]

/** A picture of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const requested = (more: Partial<RequestedHost> = {}): RequestedHost => ({
  phase: 'before',
  host: 'www.google-analytics.com',
  topic: 'googleanalytics',
  ids: ['G-ABCDEF1234'],
  requests: 2,
  verdict: 'violation',
  url: 'https://www.google-analytics.com/g/collect?_p=123',
  method: 'POST',
  kind: 'ping',
  initiator: 'https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234',
  ...more,
})

export const visitOf = (more: Partial<TrackingVisit> = {}): TrackingVisit => ({
  refused: { manager: 'Usercentrics', way: 'call' },
  accepted: { manager: null, way: 'button' },
  asked: [requested()],
  stored: [
    { phase: 'before', kind: 'cookie', name: '_ga', host: '.hotel.test', lifetime: 34_560_000, set_by: null },
  ],
  signals: [{ phase: 'before', host: 'www.google-analytics.com', signal: 'gcs', value: 'G111' }],
  tcf: [],
  ...more,
})

export const findingOf = (more: Partial<Finding> = {}): Finding => ({
  topic: 'googleanalytics',
  value: 'G-ABCDEF1234',
  domain: 'www.googletagmanager.com',
  version: null,
  names: null,
  evidence: [{ source: 'script', url: 'https://hotel.test/', excerpt: 'gtag', gated: false }],
  ...more,
})

export const auditOf = (visit: TrackingVisit | null = visitOf()): Evidence['audit'] => ({
  engine: visit === null ? 'static' : 'browser',
  outcome: 'seen',
  problems: [],
  findings: [findingOf()],
  visit,
})

const evidenceOf = (webId: number, more: Partial<Evidence> = {}): Evidence => ({
  web: { id: webId, fqdn: 'hotel.test', customer: 'ALPEN' },
  inspection: null,
  revision: 'abc123',
  browser: '140.0.1',
  audit: auditOf(),
  screenshots: [],
  ...more,
})

interface Transactional {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** Stores a record as an audit does. @returns the visit with its screenshots */
export const keepRecord = (db: Transactional, at: string, webId: number, more: Partial<Evidence> = {}) =>
  db.transaction((tx) => appendRecord(tx, new Date(at), evidenceOf(webId, more)))
