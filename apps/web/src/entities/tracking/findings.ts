import {
  type Finding,
  type TrackingAudit,
  type TrackingTopic,
  trackingTopics,
} from '@kustos/contract/tracking'
import { isCurrent, type TrackingData, trackingServices } from '@kustos/contract/webs'

export interface KnownFinding {
  readonly finding: Finding
  /** ISO time of the first of the consecutive audits that found it. */
  readonly since: string
  /** Whether it may be older: no earlier audit proves its absence. */
  readonly mayBeOlder: boolean
  /** ISO time of the last audit that found it. */
  readonly lastSeen: string
  /** unseen: the latest audit did not find it or could not check everything; stale: that was too long ago. */
  readonly state: 'now' | 'unseen' | 'stale'
}

/** Matomo ids are unique per server only; all others are globally unique. */
export const findingKey = ({ topic, value, domain }: Pick<Finding, 'topic' | 'value' | 'domain'>) =>
  `${topic} ${value ?? ''} ${topic === 'matomo' ? (domain ?? '') : ''}`
const hasSucceeded = ({ outcome }: TrackingAudit) => outcome !== 'failed'
const serviceTopics: ReadonlySet<string> = new Set(trackingServices)

/**
 * Returns what is known about a page after an audit: its findings, and earlier ones if it could not check everything.
 * Services also come from `tracking_data`, even when they are stale.
 * @param audits newest first @param at index of the audit @param now in milliseconds
 */
export function collectFindings(
  audits: readonly TrackingAudit[],
  at: number,
  tracking: TrackingData | null,
  now: number,
): readonly KnownFinding[] {
  const from = audits.findIndex((audit, index) => index >= at && hasSucceeded(audit))
  const base = audits[from]
  if (base === undefined) return []
  const isNewest = at === 0
  const known = new Map<string, { readonly finding: Finding; readonly index: number }>()
  for (let index = from; index < audits.length; index++) {
    const audit = audits[index]
    if (audit === undefined || !hasSucceeded(audit)) continue
    for (const finding of audit.findings) {
      const isKnown = known.has(findingKey(finding))
      const isSuperseded =
        index !== from &&
        !serviceTopics.has(finding.topic) &&
        [...known.values()].some((other) => other.finding.topic === finding.topic)
      if (!isKnown && !isSuperseded) known.set(findingKey(finding), { finding, index })
    }
    // A complete audit proves the absence of everything else.
    if (audit.is_complete) break
  }
  const found = [...known.values()].map(({ finding, index }) => {
    const lastSeen = audits[index]?.audited_at ?? base.audited_at
    const isNow = index === from
    return {
      finding,
      ...findFirstSeen(audits, index, finding),
      lastSeen,
      state: stateOf(lastSeen, isNow, isNewest, now),
    }
  })
  const remembered = isNewest ? collectUnseenServices(audits, known, tracking, now) : []
  return [...found, ...remembered].sort(
    (a, b) => trackingTopics.indexOf(a.finding.topic) - trackingTopics.indexOf(b.finding.topic),
  )
}

/** Only the newest audit can be stale. */
function stateOf(lastSeen: string, isNow: boolean, isNewest: boolean, now: number): KnownFinding['state'] {
  if (isNewest && !isCurrent(Date.parse(lastSeen) / 1000, now / 1000)) return 'stale'
  return isNow ? 'now' : 'unseen'
}

/** Services that the latest audit did not find, with the last known evidence. */
function collectUnseenServices(
  audits: readonly TrackingAudit[],
  known: ReadonlyMap<string, unknown>,
  tracking: TrackingData | null,
  now: number,
): readonly KnownFinding[] {
  if (tracking === null) return []
  return trackingServices.flatMap((topic) =>
    tracking.tracking_services[topic].flatMap(({ id, domain, timestamp }): readonly KnownFinding[] => {
      const fallback: Finding = { topic, value: id, domain, version: null, names: null, evidence: [] }
      const key = findingKey(fallback)
      if (known.has(key)) return []
      const findIn = (audit: TrackingAudit) => audit.findings.find((other) => findingKey(other) === key)
      const index = audits.findIndex((audit) => findIn(audit) !== undefined)
      const lastSeen = new Date(timestamp * 1000).toISOString()
      const finding = (audits[index] && findIn(audits[index])) ?? fallback
      const span =
        index === -1 ? { since: lastSeen, mayBeOlder: true } : findFirstSeen(audits, index, finding)
      return [{ finding, ...span, lastSeen, state: stateOf(lastSeen, false, true, now) }]
    }),
  )
}

function findFirstSeen(
  audits: readonly TrackingAudit[],
  index: number,
  finding: Finding,
): { readonly since: string; readonly mayBeOlder: boolean } {
  let since = audits[index]?.audited_at ?? ''
  for (const audit of audits.slice(index + 1)) {
    if (audit.findings.some((other) => findingKey(other) === findingKey(finding))) since = audit.audited_at
    // Only a complete audit proves the absence.
    else if (audit.is_complete) return { since, mayBeOlder: false }
  }
  return { since, mayBeOlder: true }
}

export function findMissingTopics(found: readonly KnownFinding[]): readonly TrackingTopic[] {
  const known = new Set(found.map(({ finding }) => finding.topic))
  return trackingTopics.filter((topic) => !known.has(topic))
}

export const findingGroups = ['consent', 'tags', 'services', 'others'] as const
export type FindingGroup = (typeof findingGroups)[number]

export function findingGroupOf(topic: TrackingTopic): FindingGroup {
  if (serviceTopics.has(topic) || topic === 'fbadvancedmatching') return 'services'
  if (topic === 'gtm' || topic === 'sgtmid') return 'tags'
  if (topic === 'usercentrics' || topic.startsWith('ad_') || topic === 'analytics_storage') return 'consent'
  return 'others'
}
