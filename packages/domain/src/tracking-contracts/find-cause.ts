import { harmlessActions } from '@kustos/contract/deployment'
import { deploymentOutcomes, type LogDescription } from '@kustos/contract/log-words'
import type { Transaction } from '@kustos/database/client'
import { type DriftCause, deployments, logEntries, trackingAudits } from '@kustos/database/tables'
import { and, desc, eq, gte, inArray, lt, lte, notInArray, sql } from 'drizzle-orm'
import { wasComplete } from './load.ts'

const dayMs = 86_400_000
/** Older changes have had audits of their own. */
const maxDays = 7

/** Entries about a web that change nothing of it. */
const harmless: readonly LogDescription[] = [
  'audit requested',
  'refresh requested',
  'refreshed',
  'contract changed',
  'difference allowed',
  'exception ended',
  'drift confirmed',
  'drift ended',
  ...harmlessActions.flatMap((action) =>
    deploymentOutcomes.map((outcome) => `${action} ${outcome}` as const),
  ),
]

/**
 * What happened to a web between its last complete audit and the one that shows a difference first: its last deployment, unless that
 * only read it, otherwise its last change in the audit log.
 */
export async function findCause(
  db: Transaction,
  webId: number,
  audit: { readonly id: number; readonly at: Date },
): Promise<DriftCause | null> {
  const [previous] = await db
    .select({ at: trackingAudits.audited_at })
    .from(trackingAudits)
    .where(and(eq(trackingAudits.web_id, webId), wasComplete, lt(trackingAudits.id, audit.id)))
    .orderBy(desc(trackingAudits.id))
    .limit(1)
  const earliest = audit.at.getTime() - maxDays * dayMs
  const from = new Date(Math.max(previous?.at.getTime() ?? audit.at.getTime() - dayMs, earliest))
  const startedAt = sql<Date>`coalesce(${deployments.started_at}, ${deployments.created_at})`.mapWith(
    deployments.created_at,
  )
  const [deployment] = await db
    .select({ id: deployments.id, kind: deployments.kind, at: startedAt })
    .from(deployments)
    .where(
      and(
        eq(deployments.web_id, webId),
        inArray(deployments.state, ['running', 'succeeded', 'failed']),
        notInArray(deployments.kind, [...harmlessActions]),
        // One that was running then has changed something since.
        sql`coalesce(${deployments.ended_at}, ${audit.at.toISOString()}) >= ${from.toISOString()}`,
        sql`${startedAt} <= ${audit.at.toISOString()}`,
      ),
    )
    .orderBy(desc(deployments.id))
    .limit(1)
  if (deployment)
    return {
      at: deployment.at.toISOString(),
      deployment: { id: deployment.id, kind: deployment.kind },
      entry: null,
    }
  const [entry] = await db
    .select({ id: logEntries.id, description: logEntries.description, at: logEntries.created_at })
    .from(logEntries)
    .where(
      and(
        eq(logEntries.subject_type, 'web'),
        eq(logEntries.subject_id, webId),
        gte(logEntries.created_at, from),
        lte(logEntries.created_at, audit.at),
        notInArray(logEntries.description, [...harmless]),
      ),
    )
    .orderBy(desc(logEntries.created_at), desc(logEntries.id))
    .limit(1)
  return entry
    ? {
        at: entry.at.toISOString(),
        deployment: null,
        entry: { id: entry.id, description: entry.description },
      }
    : null
}
