import type { Finding, RequestedHost, TrackingTopic, TrackingVisit } from '@kustos/contract/tracking'
import type { PageAudit } from '../../src/tracking/audit-page.ts'

const evidence = (url = 'https://hotel.test/') =>
  ({ source: 'inline', url, excerpt: 'gtag()', gated: false }) as const

export const finding = (
  topic: TrackingTopic,
  value: string | null,
  more: Partial<Finding> = {},
): Finding => ({
  topic,
  value,
  domain: null,
  version: null,
  names: null,
  evidence: [evidence()],
  ...more,
})

/** A request before consent, unless something else is said. */
export const request = (host: string, more: Partial<RequestedHost> = {}): RequestedHost => ({
  phase: 'before',
  host,
  topic: null,
  ids: [],
  requests: 1,
  verdict: 'none',
  url: `https://${host}/`,
  method: 'GET',
  kind: 'script',
  initiator: null,
  ...more,
})

const banner = { manager: 'Usercentrics', way: 'call' } as const

export const visit = (asked: readonly RequestedHost[], more: Partial<TrackingVisit> = {}): TrackingVisit => ({
  refused: banner,
  accepted: banner,
  asked: [...asked],
  ...more,
})

/** A complete audit in a browser, unless something else is said. */
export const pageAudit = (findings: readonly Finding[], more: Partial<PageAudit> = {}): PageAudit => ({
  outcome: 'seen',
  engine: 'browser',
  visit: visit([]),
  screenshots: [],
  thirdParties: [],
  problems: [],
  findings: [...findings],
  complete: true,
  ...more,
})
