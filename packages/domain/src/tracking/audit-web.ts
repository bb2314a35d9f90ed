import type { Browser } from '@kustos/clients/browser'
import type { PageFetcher } from '@kustos/clients/page'
import { message } from '@kustos/contract/messages'
import {
  type Finding,
  maxAuditsPerWeb,
  type TrackingTopic,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import type { EarlyRequest } from '@kustos/contract/web-summary'
import { trackingFreshnessSeconds } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { trackingAudits, trackingViolations, webs } from '@kustos/database/tables'
import { and, desc, eq, gte, isNull, lt, lte, ne } from 'drizzle-orm'
import { type InspectionResult, storeFactChecks } from '../inspections/index.ts'
import { type AlertTools, enqueueAlerts } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { storedProblems } from '../platform/stored-message.ts'
import { judgeAudit } from '../tracking-contracts/index.ts'
import { auditPage, type PageAudit } from './audit-page.ts'
import { mergeTracking } from './merge-tracking.ts'

/** The tools that audits need besides the database. */
export interface TrackingTools {
  readonly pages: PageFetcher
  readonly browser: Pick<Browser, 'visit'> | null
  /** Where differences from tracking contracts are announced. */
  readonly alerts: AlertTools
}

/**
 * Audits a web's first page and stores the audit with its evidence and what is known of the web now. A failed audit
 * changes nothing of what is known.
 * @param signal ends the audit without storing anything
 * @throws the signal's reason
 */
export async function auditTracking(
  context: Context,
  { pages, browser, alerts }: TrackingTools,
  webId: number,
  signal?: AbortSignal,
): Promise<InspectionResult> {
  const [web] = await context.db
    .select({ host: webs.fqdn_ascii })
    .from(webs)
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
  if (!web) return { state: 'failed', problems: [message('web_deleted_meanwhile')] }
  const visit = pages.visit()
  try {
    const audit = await auditPage({ visit, browser }, web.host, signal)
    signal?.throwIfAborted()
    await storeAudit(context, alerts, webId, audit)
    return { state: states[audit.outcome], problems: audit.problems }
  } finally {
    await visit.end()
  }
}

const states = { seen: 'succeeded', partial: 'partial', failed: 'failed' } as const

/** Stores an audit, what is known of the web by it, and how it differs from the web's contract, in one transaction. */
export async function storeAudit(
  context: Context,
  alerts: AlertTools,
  webId: number,
  audit: PageAudit,
): Promise<void> {
  const now = context.now()
  const announced = await context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    const [web] = await db
      .select({ host: webs.fqdn_ascii, tracking: webs.tracking_data })
      .from(webs)
      .where(eq(webs.id, webId))
      .for('no key update')
    if (!web) return []
    const [stored] = await db
      .insert(trackingAudits)
      .values({
        web_id: webId,
        audited_at: now,
        engine: audit.engine,
        outcome: audit.outcome,
        ...storedProblems(audit.problems),
        findings: audit.findings,
        visit: audit.visit,
        before_consent: audit.visit && findEarlyRequests(audit.visit),
      })
      .returning({ id: trackingAudits.id })
    if (!stored) throw new Error('The audit was not stored')
    await deleteOldAudits(db, webId)
    if (audit.visit !== null) await storeViolations(db, webId, audit.visit, now)
    const seen = audit.outcome !== 'failed'
    await storeFactChecks(db, webId, now, [
      { fact: 'tracking', seen, problems: seen ? [] : audit.problems.slice(0, 1) },
    ])
    if (!seen) return []
    const recent = audit.outcome === 'partial' ? await recentTopics(db, webId, now) : null
    const known = mergeTracking(web.tracking, audit, Math.floor(now.getTime() / 1000), recent)
    // Each write makes every open list of webs reload. `updated_at` is that of the last change by a user.
    if (JSON.stringify(known) !== JSON.stringify(web.tracking))
      await db.update(webs).set({ tracking_data: known }).where(eq(webs.id, webId))
    return judgeAudit(context, db, { id: webId, host: web.host }, { id: stored.id, ...audit }, alerts)
  })
  await enqueueAlerts(alerts, announced)
}

/**
 * Returns what audits have found while services count as current; null if the first audit is younger than that, so that
 * it is unknown since when something is missing.
 */
async function recentTopics(db: Transaction, webId: number, now: Date): Promise<Set<TrackingTopic> | null> {
  const since = new Date(now.getTime() - trackingFreshnessSeconds * 1000)
  const successful = and(eq(trackingAudits.web_id, webId), ne(trackingAudits.outcome, 'failed'))
  const older = await db
    .select({ id: trackingAudits.id })
    .from(trackingAudits)
    .where(and(successful, lt(trackingAudits.audited_at, since)))
    .limit(1)
  if (older.length === 0) return null
  const audits = await db
    .select({ findings: trackingAudits.findings })
    .from(trackingAudits)
    .where(and(successful, gte(trackingAudits.audited_at, since)))
  return new Set(audits.flatMap(({ findings }) => (findings as Finding[]).map(({ topic }) => topic)))
}

/** Each once, though a host may be asked several times. */
function findEarlyRequests({ asked }: TrackingVisit): EarlyRequest[] {
  const early = asked.filter(({ phase, verdict }) => phase === 'before' && verdict === 'violation')
  const byKey = new Map(early.map(({ topic, host }) => [`${topic} ${host}`, { topic, host }]))
  return [...byKey.values()]
}

/** The time of the first violation stays as long as each later visit has one. */
async function storeViolations(db: Transaction, web_id: number, { asked }: TrackingVisit, now: Date) {
  const topics = asked.flatMap(({ verdict, topic }) =>
    verdict === 'violation' && topic !== null ? [topic] : [],
  )
  const services = [...new Set(topics)].sort()
  if (services.length === 0)
    return void (await db.delete(trackingViolations).where(eq(trackingViolations.web_id, web_id)))
  await db
    .insert(trackingViolations)
    .values({ web_id, since: now, services })
    .onConflictDoUpdate({ target: trackingViolations.web_id, set: { services } })
}

async function deleteOldAudits(db: Transaction, webId: number): Promise<void> {
  const [oldest] = await db
    .select({ id: trackingAudits.id })
    .from(trackingAudits)
    .where(eq(trackingAudits.web_id, webId))
    .orderBy(desc(trackingAudits.id))
    .offset(maxAuditsPerWeb)
    .limit(1)
  if (oldest)
    await db
      .delete(trackingAudits)
      .where(and(eq(trackingAudits.web_id, webId), lte(trackingAudits.id, oldest.id)))
}
