import type { Finding, TrackingTopic } from '@kustos/contract/tracking'

/** A finding as an audit returns it. */
export const finding = (
  topic: TrackingTopic,
  value: string | null = null,
  more: Partial<Finding> = {},
): Finding => ({
  topic,
  value,
  domain: null,
  version: null,
  names: null,
  evidence: [{ source: 'script', url: 'https://a.test/x.js', excerpt: 'x', gated: false }],
  ...more,
})
