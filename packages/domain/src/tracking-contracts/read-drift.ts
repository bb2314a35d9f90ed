import { type DeploymentKind, deploymentRoutes } from '@kustos/contract/deployment'
import { logsRoutes } from '@kustos/contract/logs'
import { can } from '@kustos/contract/permissions'
import type { TrackingDifference, TrackingDrift } from '@kustos/contract/tracking-contracts'
import { type DriftCause, trackingExceptions, trackingJudgements, users, webs } from '@kustos/database/tables'
import { and, asc, eq, gt, or, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { readOpen } from './apply-drift.ts'
import { judgedAuditOf, presentAudit, stateOf } from './contract-state.ts'
import type { DifferenceRow } from './follow-drift.ts'
import { loadJudgedBy } from './load.ts'
import { findWeb } from './scope.ts'

/** How a web differs from its contract. @throws DomainError not-found, also for deleted webs unless the user may restore them */
export async function readTrackingDrift(context: Context, id: number): Promise<TrackingDrift> {
  const { db } = context
  const web = await findWeb(context, id, false)
  const [judgement] = await db
    .select({
      judged_at: trackingJudgements.judged_at,
      recheck_at: trackingJudgements.recheck_at,
      audit: judgedAuditOf(sql`${webs.id}`),
    })
    .from(trackingJudgements)
    .innerJoin(webs, eq(webs.id, trackingJudgements.web_id))
    .where(eq(webs.id, id))
  const audit = judgement?.audit ?? null
  const rows = await readOpen(db, [id])
  const confirmed = rows.filter(({ confirmed_at }) => confirmed_at !== null).length
  return {
    state: stateOf({ audit, confirmed, pending: rows.length - confirmed }, context.now()),
    has_contract: (await loadJudgedBy(db, [id], context.now())).has(id),
    judged_at: judgement?.judged_at.toISOString() ?? null,
    ...presentAudit(audit),
    recheck_at: judgement?.recheck_at?.toISOString() ?? null,
    differences: rows.map((row) => present(row, context)),
    exceptions: await readExceptions(context, web),
  }
}

const present = (row: DifferenceRow, context: Context): TrackingDifference => ({
  id: row.id,
  kind: row.kind,
  subject: row.subject,
  reason: row.reason ?? '',
  reason_code: row.reason_code,
  reason_params: row.reason_params,
  expected: row.expected,
  found: row.found,
  state: row.confirmed_at === null ? 'pending' : 'confirmed',
  since: row.first_seen_at.toISOString(),
  audit_id: row.first_audit_id,
  last_seen_at: row.last_seen_at.toISOString(),
  confirmed_at: row.confirmed_at?.toISOString() ?? null,
  unseen_at: row.unseen_at?.toISOString() ?? null,
  evidence: row.evidence,
  preceded_by: row.preceded_by && presentCause(row.preceded_by, context),
})

function presentCause(
  { at, deployment, entry }: DriftCause,
  { actor }: Context,
): TrackingDifference['preceded_by'] {
  if (deployment !== null)
    return can(actor, deploymentRoutes.listDeployments.access)
      ? { at, deployment: { id: deployment.id, kind: deployment.kind as DeploymentKind }, entry: null }
      : null
  return can(actor, logsRoutes.listLogs.access) ? { at, deployment: null, entry } : null
}

/** Those that have not run out, of the web and its customer. */
async function readExceptions(
  { db, now }: Context,
  web: { readonly id: number; readonly customer_id: number | null },
): Promise<TrackingDrift['exceptions']> {
  const rows = await db
    .select({ exception: trackingExceptions, email: users.email })
    .from(trackingExceptions)
    .leftJoin(users, eq(users.id, trackingExceptions.created_by))
    .where(
      and(
        gt(trackingExceptions.until, now()),
        or(
          eq(trackingExceptions.web_id, web.id),
          web.customer_id === null ? undefined : eq(trackingExceptions.customer_id, web.customer_id),
        ),
      ),
    )
    .orderBy(asc(trackingExceptions.until), asc(trackingExceptions.id))
  return rows.map(({ exception, email }) => ({
    id: exception.id,
    scope: exception.web_id === null ? 'customer' : 'web',
    difference: exception.difference ?? '',
    difference_code: exception.difference_code,
    difference_params: exception.difference_params,
    until: exception.until.toISOString(),
    reason: exception.reason,
    created_at: exception.created_at.toISOString(),
    created_by: exception.created_by === null || email === null ? null : { id: exception.created_by, email },
  }))
}
