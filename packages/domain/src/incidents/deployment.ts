import { type DeploymentSummary, deploymentRoutes } from '@kustos/contract/deployment'
import type { IncidentEntry } from '@kustos/contract/incidents'
import { can } from '@kustos/contract/permissions'
import { deployments, incidentReports, incidents } from '@kustos/database/tables'
import { and, desc, eq, gte, isNull, lte, or, sql } from 'drizzle-orm'
import { listDeployments } from '../deployment/index.ts'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { refusedField } from '../platform/errors.ts'
import { findEntry } from './find.ts'
import { lockReport } from './post-mortem.ts'

/** A deployment that has ended at most this long before an incident may have caused it. */
const precedingMs = 30 * 60_000

interface Choice {
  readonly deployment: DeploymentSummary | null
  readonly is_deployment_chosen: boolean
}

/** The deployment that preceded an incident: the one that a user has chosen, or the last that ran shortly before. */
export async function readPrecedingDeployment(
  context: Context,
  entry: IncidentEntry,
  report: typeof incidentReports.$inferSelect | undefined,
): Promise<Choice> {
  const isChosen = report?.is_deployment_chosen === true
  if (!can(context.actor, deploymentRoutes.listDeployments.access))
    return { deployment: null, is_deployment_chosen: isChosen }
  const id = isChosen ? report.deployment_id : await findPreceding(context, entry)
  const [deployment = null] = id === null ? [] : await listDeployments(context, { ids: [id], limit: 1 })
  return { deployment, is_deployment_chosen: isChosen }
}

const websOf = (id: number) => sql`(
  select m.web_id from ${incidents} m where (m.id = ${id} or m.outage_id = ${id}) and m.web_id is not null)`

async function findPreceding({ db }: Pick<Scope, 'db'>, { id, started_at }: IncidentEntry) {
  const start = new Date(started_at)
  // Of one that was retried, only the last start is stored, but an earlier attempt may have caused the incident.
  const startedAt = sql`case when ${deployments.attempts} > 1 then ${deployments.created_at} else ${deployments.started_at} end`
  const [found] = await db
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        sql`${deployments.web_id} in ${websOf(id)}`,
        lte(startedAt, start),
        or(isNull(deployments.ended_at), gte(deployments.ended_at, new Date(start.getTime() - precedingMs))),
      ),
    )
    .orderBy(desc(startedAt), desc(deployments.id))
    .limit(1)
  return found?.id ?? null
}

interface Link {
  /** Null if no deployment preceded the incident. */
  readonly deployment: number | null
}

/** @throws DomainError not-found; invalid, for deployment, if it is not one of a web of the incident */
export const linkDeployment = (context: Context, id: number, link: Link): Promise<void> =>
  withAudit(context, (tx) => linkDeploymentInTransaction(tx, id, link))

/** @throws DomainError as `linkDeployment` */
export async function linkDeploymentInTransaction(
  tx: AuditTransaction,
  id: number,
  { deployment }: Link,
): Promise<void> {
  await findEntry(tx, id)
  if (deployment !== null) {
    const [found] = await tx.db
      .select({ id: deployments.id })
      .from(deployments)
      .where(and(eq(deployments.id, deployment), sql`${deployments.web_id} in ${websOf(id)}`))
    if (found === undefined) throw refusedField('deployment', 'deployment_of_other_web', { id: deployment })
  }
  const old = await lockReport(tx, id)
  if (old.is_deployment_chosen && old.deployment_id === deployment) return tx.skipAudit()
  await tx.db
    .update(incidentReports)
    .set({ is_deployment_chosen: true, deployment_id: deployment })
    .where(eq(incidentReports.incident_id, id))
  await tx.record({
    log: 'incidents',
    description: deployment === null ? 'deployment unlinked' : 'deployment linked',
    subject: { type: 'incident', id },
    ...(old.is_deployment_chosen && { old: { deployment: old.deployment_id } }),
    attributes: { deployment },
  })
}

/** Undoes the choice of a deployment. @throws DomainError not-found */
export const findDeployment = (context: Context, id: number): Promise<void> =>
  withAudit(context, (tx) => findDeploymentInTransaction(tx, id))

/** @throws DomainError as `findDeployment` */
export async function findDeploymentInTransaction(tx: AuditTransaction, id: number): Promise<void> {
  await findEntry(tx, id)
  const old = await lockReport(tx, id)
  if (!old.is_deployment_chosen) return tx.skipAudit()
  await tx.db
    .update(incidentReports)
    .set({ is_deployment_chosen: false, deployment_id: null })
    .where(eq(incidentReports.incident_id, id))
  await tx.record({
    log: 'incidents',
    description: 'deployment unlinked',
    subject: { type: 'incident', id },
    old: { deployment: old.deployment_id },
  })
}
