import type { Finding, TrackingAudit, TrackingTopic } from '@kustos/contract/tracking'
import { trackingTopics } from '@kustos/contract/tracking'
import { isCurrent, type TrackingData, trackingServices } from '@kustos/contract/webs'

export interface Found {
  readonly finding: Finding
  /** ISO time of the first of the consecutive audits that found it. */
  readonly since: string
  /** Whether it may be older: no earlier audit proves its absence. */
  readonly isOpen: boolean
  /** ISO time of the last audit that found it. */
  readonly seen: string
  /** unseen: the latest audit did not find it or could not check everything; stale: that was too long ago. */
  readonly state: 'now' | 'unseen' | 'stale'
}

/** Matomo ids are unique per server only; all others are globally unique. */
export const findingKey = ({ topic, value, domain }: Pick<Finding, 'topic' | 'value' | 'domain'>) =>
  `${topic} ${value ?? ''} ${topic === 'matomo' ? (domain ?? '') : ''}`
const sees = ({ outcome }: TrackingAudit) => outcome !== 'failed'
const services: ReadonlySet<string> = new Set(trackingServices)

/**
 * What is known of a page after an audit: its findings, and earlier ones if it could not check everything.
 * Services also come from `tracking_data`, even when they are stale.
 * @param audits newest first @param at index of the audit @param now in milliseconds
 */
export function foundAfter(
  audits: readonly TrackingAudit[],
  at: number,
  tracking: TrackingData | null,
  now: number,
): readonly Found[] {
  const from = audits.findIndex((audit, index) => index >= at && sees(audit))
  const base = audits[from]
  if (base === undefined) return []
  const isNewest = at === 0
  const known = new Map<string, { readonly finding: Finding; readonly index: number }>()
  for (let index = from; index < audits.length; index++) {
    const audit = audits[index]
    if (audit === undefined || !sees(audit)) continue
    for (const finding of audit.findings) {
      const isKnown = known.has(findingKey(finding))
      const isSuperseded =
        index !== from &&
        !services.has(finding.topic) &&
        [...known.values()].some((other) => other.finding.topic === finding.topic)
      if (!isKnown && !isSuperseded) known.set(findingKey(finding), { finding, index })
    }
    // A complete audit proves the absence of everything else.
    if (audit.outcome === 'seen') break
  }
  const found = [...known.values()].map(({ finding, index }) => {
    const seen = audits[index]?.audited_at ?? base.audited_at
    const isNow = index === from
    return { finding, ...sinceOf(audits, index, finding), seen, state: stateOf(seen, isNow, isNewest, now) }
  })
  const remembered = isNewest ? rememberedServices(audits, known, tracking, now) : []
  return [...found, ...remembered].sort(
    (a, b) => trackingTopics.indexOf(a.finding.topic) - trackingTopics.indexOf(b.finding.topic),
  )
}

/** Only the newest audit can be stale. */
function stateOf(seen: string, isNow: boolean, isNewest: boolean, now: number): Found['state'] {
  if (isNewest && !isCurrent(Date.parse(seen) / 1000, now / 1000)) return 'stale'
  return isNow ? 'now' : 'unseen'
}

/** Services that the latest audit did not find, with the last known evidence. */
function rememberedServices(
  audits: readonly TrackingAudit[],
  known: ReadonlyMap<string, unknown>,
  tracking: TrackingData | null,
  now: number,
): readonly Found[] {
  if (tracking === null) return []
  return trackingServices.flatMap((topic) =>
    tracking.tracking_services[topic].flatMap(({ id, domain, timestamp }): readonly Found[] => {
      const bare: Finding = { topic, value: id, domain, version: null, names: null, evidence: [] }
      if (known.has(findingKey(bare))) return []
      const index = audits.findIndex(({ findings }) =>
        findings.some((other) => findingKey(other) === findingKey(bare)),
      )
      const seen = new Date(timestamp * 1000).toISOString()
      const finding = audits[index]?.findings.find((other) => findingKey(other) === findingKey(bare)) ?? bare
      const span = index === -1 ? { since: seen, isOpen: true } : sinceOf(audits, index, finding)
      return [{ finding, ...span, seen, state: stateOf(seen, false, true, now) }]
    }),
  )
}

function sinceOf(
  audits: readonly TrackingAudit[],
  index: number,
  finding: Finding,
): { readonly since: string; readonly isOpen: boolean } {
  let since = audits[index]?.audited_at ?? ''
  for (const audit of audits.slice(index + 1)) {
    if (audit.findings.some((other) => findingKey(other) === findingKey(finding))) since = audit.audited_at
    // Only a complete audit proves the absence.
    else if (audit.outcome === 'seen') return { since, isOpen: false }
  }
  return { since, isOpen: true }
}

export function notFound(found: readonly Found[]): readonly TrackingTopic[] {
  const known = new Set(found.map(({ finding }) => finding.topic))
  return trackingTopics.filter((topic) => !known.has(topic))
}

export const groups = ['consent', 'tags', 'services', 'others'] as const
export type Group = (typeof groups)[number]

export function groupOf(topic: TrackingTopic): Group {
  if (services.has(topic) || topic === 'fbadvancedmatching') return 'services'
  if (topic === 'gtm' || topic === 'sgtmid') return 'tags'
  if (topic === 'usercentrics' || topic.startsWith('ad_') || topic === 'analytics_storage') return 'consent'
  return 'others'
}
