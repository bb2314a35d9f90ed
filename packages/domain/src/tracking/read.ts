import {
  type AuditOutcome,
  type Finding,
  keptAudits,
  type TrackingAudit,
  type TrackingEngine,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import { trackingAudits, webs } from '@kustos/database/tables'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { changesBetween, withFormerFindings } from './changes.ts'

/** The audits of a web that are kept, newest first, with what changed from one to the next. @throws DomainError not-found */
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
    .limit(keptAudits)
  let known: readonly Finding[] | null = null
  const audits: TrackingAudit[] = []
  for (const row of rows.reverse()) {
    const audit = present(row)
    if (audit.outcome === 'failed') {
      audits.push(audit)
      continue
    }
    const now: readonly Finding[] =
      audit.outcome === 'partial' ? withFormerFindings(known ?? [], audit.findings) : audit.findings
    audits.push({ ...audit, changes: known === null ? [] : changesBetween(known, now) })
    known = now
  }
  return audits.reverse()
}

const present = (row: typeof trackingAudits.$inferSelect): TrackingAudit => ({
  id: row.id,
  audited_at: row.audited_at.toISOString(),
  // The table holds what audits wrote.
  engine: row.engine as TrackingEngine,
  outcome: row.outcome as AuditOutcome,
  problems: row.problems,
  problem_codes: row.problem_codes,
  findings: row.findings as Finding[],
  visit: row.visit as TrackingVisit | null,
  changes: [],
})
