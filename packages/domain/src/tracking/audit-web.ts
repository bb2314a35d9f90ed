import { isDeepStrictEqual } from 'node:util'
import type { Browser } from '@kustos/clients/browser'
import type { Dns } from '@kustos/clients/dns'
import type { PageFetcher } from '@kustos/clients/page'
import { message } from '@kustos/contract/messages'
import {
  type AuditOutcome,
  type Finding,
  maxAuditsPerWeb,
  type TrackingTopic,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import type { Transaction } from '@kustos/database/client'
import { trackingAudits, webs } from '@kustos/database/tables'
import { and, desc, eq, gte, isNull, lt, lte, ne, sql } from 'drizzle-orm'
import { type InspectionResult, storeFactChecks } from '../inspections/index.ts'
import { type AlertTools, enqueueAlerts } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { storedProblems } from '../platform/stored-message.ts'
import { type AuditInspection, appendRecord } from '../reports/index.ts'
import {
  evaluateWebs,
  freshSince,
  holdPolicy,
  readPolicy,
  storeThirdParties,
} from '../third-parties/index.ts'
import { judgeAudit } from '../tracking-contracts/index.ts'
import { auditPage, type PageAudit } from './audit-page.ts'
import { mergeTracking } from './merge-tracking.ts'
import { fullySeenPhases } from './visit-stops.ts'

/** The tools that audits need besides the database. */
export interface TrackingTools {
  readonly pages: PageFetcher
  readonly browser: Pick<Browser, 'visit'> | null
  /** As of `AuditClients`. */
  readonly dns?: Pick<Dns, 'records'>
  /** The revision of Kustos, for records. */
  readonly revision?: string | undefined
  /** Where differences from tracking contracts are announced. */
  readonly alerts: AlertTools
}

/**
 * Audits a web's first page and stores the audit with its evidence and what is known of the web now. A failed audit
 * changes nothing of what is known.
 * @param signal ends the audit without storing anything
 * @param inspection that the audit belongs to, by which its record is found
 * @throws the signal's reason
 */
export async function auditTracking(
  context: Context,
  { pages, browser, dns, alerts, revision = 'unknown' }: TrackingTools,
  webId: number,
  signal?: AbortSignal,
  inspection: AuditInspection | null = null,
): Promise<InspectionResult> {
  const [web] = await context.db
    .select({ host: webs.fqdn_ascii })
    .from(webs)
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
  if (!web) return deleted
  const stored = await readStored(context, webId, inspection)
  if (stored !== null) return stored
  const startedAt = context.now()
  const visit = pages.visit()
  try {
    const policy = await readPolicy(context)
    const audit = await auditPage({ visit, browser, policy, ...(dns && { dns }) }, web.host, signal)
    signal?.throwIfAborted()
    const origin = { inspection, revision, startedAt }
    return await storeAudit(context, alerts, { id: webId, host: web.host }, audit, origin)
  } finally {
    await visit.end()
  }
}

/**
 * The result of an audit that its inspection has stored already, before its worker died or its database did not answer: a second one
 * would confirm the differences of the first.
 */
async function readStored(
  { db }: Context,
  webId: number,
  inspection: AuditInspection | null,
): Promise<InspectionResult | null> {
  if (inspection === null) return null
  const [audit] = await db
    .select({ outcome: trackingAudits.outcome, problems: trackingAudits.problem_codes })
    .from(trackingAudits)
    .where(and(eq(trackingAudits.web_id, webId), eq(trackingAudits.inspection_id, inspection.id)))
  // Only audits write to this table.
  return audit === undefined
    ? null
    : { state: states[audit.outcome as AuditOutcome], problems: audit.problems }
}

const deleted: InspectionResult = { state: 'failed', problems: [message('web_deleted_meanwhile')] }
const changed: InspectionResult = { state: 'failed', problems: [message('web_changed_meanwhile')] }

const states = { seen: 'succeeded', partial: 'partial', failed: 'failed' } as const

interface AuditOrigin {
  readonly inspection: AuditInspection | null
  readonly revision: string
  readonly startedAt?: Date
}

/**
 * Stores an audit, what is known of the web by it, and how it differs from the web's contract, in one transaction. Stores nothing if
 * the web was deleted or has another name than the one that was audited: its record would testify to a page that nobody read.
 * @param web with the host that was audited, in ASCII
 */
export async function storeAudit(
  context: Context,
  alerts: AlertTools,
  { id: webId, host }: { readonly id: number; readonly host: string },
  audit: PageAudit,
  origin: AuditOrigin,
): Promise<InspectionResult> {
  const now = context.now()
  let refused: InspectionResult | null = null
  const announced = await context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    await holdPolicy(db)
    const [web] = await db
      .select({
        host: webs.fqdn_ascii,
        deleted_at: webs.deleted_at,
        tracking: webs.tracking_data,
        named: { id: webs.id, fqdn: webs.fqdn, customer: webs.customer },
      })
      .from(webs)
      .where(eq(webs.id, webId))
      .for('no key update')
    if (!web || web.deleted_at !== null || web.host !== host) {
      refused = web?.deleted_at === null ? changed : deleted
      return []
    }
    const { tracking, named } = web
    const { browser = null, screenshots } = audit
    const visit = await appendRecord(db, now, { web: named, ...origin, browser, audit, screenshots })
    const [stored] = await db
      .insert(trackingAudits)
      .values({
        web_id: webId,
        inspection_id: origin.inspection?.id ?? null,
        audited_at: now,
        engine: audit.engine,
        outcome: audit.outcome,
        is_complete: audit.complete,
        ...storedProblems(audit.problems),
        findings: audit.findings,
        visit,
      })
      .returning({ id: trackingAudits.id })
    if (!stored) throw new Error('The audit was not stored')
    await deleteOldAudits(db, webId)
    const seen = audit.outcome !== 'failed'
    await storeFactChecks(db, webId, now, [
      { fact: 'tracking', seen, problems: seen ? [] : audit.problems.slice(0, 1) },
    ])
    if (!seen) return []
    const recent = audit.outcome === 'partial' ? await recentTopics(db, webId, now) : null
    const known = {
      ...mergeTracking(tracking, audit, Math.floor(now.getTime() / 1000), recent),
      third_parties: await storeLoads(db, webId, audit, now),
      before_consent: tracking?.before_consent ?? null,
    }
    // Each write makes every open list of webs reload. `updated_at` is that of the last change by a user.
    if (!isDeepStrictEqual(known, tracking))
      await db.update(webs).set({ tracking_data: known }).where(eq(webs.id, webId))
    if (audit.visit !== null) await evaluateWebs(db, sql`web_id = ${webId}`, now)
    const inspection = origin.inspection?.id ?? null
    return judgeAudit(context, db, { id: webId, host }, { id: stored.id, inspection, ...audit }, alerts)
  })
  await enqueueAlerts(alerts, announced)
  return refused ?? { state: states[audit.outcome], problems: audit.problems }
}

/**
 * Returns what audits have found while services count as current; null if the first audit is younger than that, so that
 * it is unknown since when something is missing.
 */
async function recentTopics(db: Transaction, webId: number, now: Date): Promise<Set<TrackingTopic> | null> {
  const since = freshSince(now)
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

/** The limit of names per web; only a hostile page has more. */
const maxNames = 400

/**
 * Stores what the web loads from whom.
 * @returns the hosts, services and cookies; after a partial audit also those that others have seen recently
 */
async function storeLoads(
  db: Transaction,
  webId: number,
  { visit, thirdParties, unresolvedHosts = [], complete }: PageAudit,
  now: Date,
): Promise<string[]> {
  const collected = visit === null ? [] : fullySeenPhases(visit)
  const sightings = { found: thirdParties, visit, collected, unresolvedHosts, isComplete: complete }
  const names = await storeThirdParties(db, webId, sightings, now)
  for (const { kind, name } of visit?.stored ?? []) if (kind === 'cookie') names.add(name)
  if (!complete || visit === null) for (const name of await recentCookies(db, webId, now)) names.add(name)
  return [...names].sort().slice(0, maxNames)
}

/** The cookies that audits have seen while services count as current. */
async function recentCookies(db: Transaction, webId: number, now: Date): Promise<readonly string[]> {
  const audits = await db
    .select({ visit: trackingAudits.visit })
    .from(trackingAudits)
    .where(and(eq(trackingAudits.web_id, webId), gte(trackingAudits.audited_at, freshSince(now))))
  const stored = audits.flatMap(({ visit }) => (visit as TrackingVisit | null)?.stored ?? [])
  return stored.flatMap(({ kind, name }) => (kind === 'cookie' ? name : []))
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
