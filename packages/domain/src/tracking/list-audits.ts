import {
  type AuditOutcome,
  type Finding,
  maxAuditsPerWeb,
  type TrackingAudit,
  type TrackingChange,
  type TrackingEngine,
  type TrackingTopic,
  type TrackingVisit,
  trackingTopics,
} from '@kustos/contract/tracking'
import { trackingServices } from '@kustos/contract/webs'
import { trackingAudits, trackingViolations, webs } from '@kustos/database/tables'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { findingKey } from './collect-findings.ts'
import { isVendor } from './vendors.ts'

/** Returns the stored audits of a web, newest first, with the changes between them. @throws DomainError not-found */
export async function listTrackingAudits({ db }: Context, webId: number): Promise<TrackingAudit[]> {
  const [web] = await db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
  if (!web) throw notFound('web_not_found', { id: webId })
  const rows = await db
    .select()
    .from(trackingAudits)
    .where(eq(trackingAudits.web_id, webId))
    .orderBy(desc(trackingAudits.id))
    .limit(maxAuditsPerWeb)
  let known: readonly Finding[] | null = null
  const audits: TrackingAudit[] = []
  for (const row of rows.reverse()) {
    const audit = toTrackingAudit(row)
    if (audit.outcome === 'failed') {
      audits.push(audit)
      continue
    }
    const now: readonly Finding[] = audit.is_complete
      ? audit.findings
      : mergeFindings(known ?? [], audit.findings)
    audits.push({ ...audit, changes: known === null ? [] : diffFindings(known, now) })
    known = now
  }
  return audits.reverse()
}

/** Returns what a web requests without consent by the policy as it is now. */
export async function listViolations({ db }: Context, webId: number): Promise<string[]> {
  const [row] = await db
    .select({ services: trackingViolations.services })
    .from(trackingViolations)
    .where(eq(trackingViolations.web_id, webId))
  return row?.services ?? []
}

const toTrackingAudit = ({
  web_id: _,
  before_consent: __,
  ...row
}: typeof trackingAudits.$inferSelect): TrackingAudit => ({
  ...serializeDates(row),
  // Only audits write to this table.
  engine: row.engine as TrackingEngine,
  outcome: row.outcome as AuditOutcome,
  // Audits of older releases do not say so.
  is_complete: row.is_complete ?? row.outcome === 'seen',
  findings: row.findings as Finding[],
  visit: row.visit as TrackingVisit | null,
  changes: [],
})

const serviceTopics: ReadonlySet<TrackingTopic> = new Set(trackingServices)

/**
 * Compares the findings of two audits. Services are reported as added or removed one by one, other topics as old and new
 * value. A service whose server changed counts as changed.
 */
export function diffFindings(old: readonly Finding[], now: readonly Finding[]): TrackingChange[] {
  return trackingTopics.flatMap((topic) => {
    const before = indexByKey(old, topic)
    const after = indexByKey(now, topic)
    const removed = [...before].filter(([key, text]) => after.get(key) !== text)
    const added = [...after].filter(([key, text]) => before.get(key) !== text)
    // One removed and one added value count as a change; with several, pairs are ambiguous.
    const isReplacement = !serviceTopics.has(topic) && removed.length === 1 && added.length === 1
    const replacementOf = (key: string) =>
      isReplacement ? added[0]?.[1] : before.has(key) && after.has(key) ? after.get(key) : undefined
    return [
      ...removed.map(([key, text]) => ({ topic, old: text, new: replacementOf(key) ?? null })),
      ...added
        .filter(([key]) => !isReplacement && !before.has(key))
        .map(([, text]) => ({ topic, old: null, new: text })),
    ]
  })
}

/** Merges an incomplete audit with earlier findings that it could not re-check. */
export function mergeFindings(known: readonly Finding[], found: readonly Finding[]): Finding[] {
  const keys = new Set(found.map(findingKey))
  const isKept = (old: Finding) =>
    serviceTopics.has(old.topic)
      ? !keys.has(findingKey(old))
      : !found.some(({ topic }) => topic === old.topic)
  return [...found, ...known.filter(isKept)]
}

/** Display text by finding key. */
const indexByKey = (findings: readonly Finding[], topic: TrackingTopic): ReadonlyMap<string, string> =>
  new Map(
    findings
      .filter((finding) => finding.topic === topic)
      .map((finding) => [findingKey(finding), displayText(finding)]),
  )

/** Returns `yes` if nothing but presence is known. */
function displayText(finding: Finding): string {
  const { value, domain, version } = finding
  const words = [value, version === null ? null : `version ${version}`].filter((word) => word !== null)
  if (domain !== null && hasRelevantHost(finding)) words.push(`from ${domain}`)
  return words.length === 0 ? 'yes' : words.join(', ')
}

/**
 * The operator of a site chooses the server of containers and Matomo. Vendors rotate their hosts, so only a non-vendor host
 * is worth showing.
 */
const hasRelevantHost = ({ topic, domain }: Finding): boolean =>
  topic === 'gtm' ||
  topic === 'matomo' ||
  ((serviceTopics.has(topic) || topic === 'usercentrics') &&
    domain !== null &&
    domain !== '' &&
    !isVendor(domain))
