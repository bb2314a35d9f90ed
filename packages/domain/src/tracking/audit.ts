import type { Browser } from '@kustos/clients/browser'
import type { PageFetcher } from '@kustos/clients/page'
import { type Finding, keptAudits, type TrackingTopic } from '@kustos/contract/tracking'
import { trackingFreshnessSeconds } from '@kustos/contract/webs'
import type { Transaction } from '@kustos/database/client'
import { trackingAudits, webs } from '@kustos/database/tables'
import { and, desc, eq, gte, isNull, lt, lte, ne } from 'drizzle-orm'
import { type InspectionResult, noteFacts } from '../inspections/index.ts'
import type { Context } from '../platform/context.ts'
import { mergeTracking } from './merge.ts'
import { type Look, lookAt } from './static-look.ts'

/** What audits take beside the database. */
export interface TrackingTools {
  readonly pages: PageFetcher
  /** Opens the pages as well, where one is configured. */
  readonly browser: Pick<Browser, 'visit'> | null
}

/**
 * Looks at a web's first page and keeps what was seen: the audit with its evidence, when that was, and what is known of
 * the web now. One that fails changes nothing of what is known.
 * @param signal ends it early; nothing of it is kept then
 * @throws the signal's reason
 */
export async function auditTracking(
  context: Context,
  { pages, browser }: TrackingTools,
  webId: number,
  signal?: AbortSignal,
): Promise<InspectionResult> {
  const [web] = await context.db
    .select({ host: webs.fqdn_ascii })
    .from(webs)
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
  if (!web) return { state: 'failed', problems: ['The web was deleted meanwhile.'] }
  const visit = pages.visit()
  try {
    const look = await lookAt({ visit, browser }, web.host, signal)
    signal?.throwIfAborted()
    await keep(context, webId, look)
    return { state: states[look.outcome], problems: look.problems }
  } finally {
    await visit.end()
  }
}

const states = { seen: 'succeeded', partial: 'partial', failed: 'failed' } as const

function keep(context: Context, webId: number, look: Look): Promise<void> {
  const now = context.now()
  return context.db.transaction(async (db) => {
    await context.assertLease?.(db)
    const [web] = await db
      .select({ tracking: webs.tracking_data })
      .from(webs)
      .where(eq(webs.id, webId))
      .for('no key update')
    if (!web) return
    await db.insert(trackingAudits).values({
      web_id: webId,
      audited_at: now,
      engine: look.engine,
      outcome: look.outcome,
      problems: [...look.problems],
      findings: look.findings,
      visit: look.visit,
    })
    await dropOld(db, webId)
    const seen = look.outcome !== 'failed'
    await noteFacts(db, webId, now, [
      { fact: 'tracking', seen, error: seen ? null : (look.problems[0] ?? null) },
    ])
    if (!seen) return
    const lately = look.outcome === 'partial' ? await foundLately(db, webId, now) : null
    const known = mergeTracking(web.tracking, look, Math.floor(now.getTime() / 1000), lately)
    // Each write has every list of webs read anew. The time of a change by staff stays: theirs is not overwritten.
    if (JSON.stringify(known) !== JSON.stringify(web.tracking))
      await db.update(webs).set({ tracking_data: known }).where(eq(webs.id, webId))
  })
}

/**
 * What audits have found within the time that services are current for.
 * @returns null where they do not reach back that far: then nobody knows since when something is missing
 */
async function foundLately(db: Transaction, webId: number, now: Date): Promise<Set<TrackingTopic> | null> {
  const since = new Date(now.getTime() - trackingFreshnessSeconds * 1000)
  const saw = and(eq(trackingAudits.web_id, webId), ne(trackingAudits.outcome, 'failed'))
  const older = await db
    .select({ id: trackingAudits.id })
    .from(trackingAudits)
    .where(and(saw, lt(trackingAudits.audited_at, since)))
    .limit(1)
  if (older.length === 0) return null
  const audits = await db
    .select({ findings: trackingAudits.findings })
    .from(trackingAudits)
    .where(and(saw, gte(trackingAudits.audited_at, since)))
  return new Set(audits.flatMap(({ findings }) => (findings as Finding[]).map(({ topic }) => topic)))
}

async function dropOld(db: Transaction, webId: number): Promise<void> {
  const [oldest] = await db
    .select({ id: trackingAudits.id })
    .from(trackingAudits)
    .where(eq(trackingAudits.web_id, webId))
    .orderBy(desc(trackingAudits.id))
    .offset(keptAudits)
    .limit(1)
  if (oldest)
    await db
      .delete(trackingAudits)
      .where(and(eq(trackingAudits.web_id, webId), lte(trackingAudits.id, oldest.id)))
}
