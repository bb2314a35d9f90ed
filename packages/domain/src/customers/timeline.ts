import { type Timeline, type TimelineEntry, timelineLimit, timelineWeeks } from '@kustos/contract/customers'
import { deploymentRoutes } from '@kustos/contract/deployment'
import { logsRoutes } from '@kustos/contract/logs'
import { monitoringRoutes } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { customers, externalDomains, webs } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import { listDeployments } from '../deployment/index.ts'
import { listEntriesOf } from '../logs/index.ts'
import { listIncidents } from '../monitoring/index.ts'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { visibleParts } from './list.ts'

const weekMs = 7 * 24 * 3_600_000

/**
 * What happened to a customer's webs and external domains in the last weeks, newest first, as far as the user may see it.
 * @throws DomainError not-found
 */
export async function readTimeline(
  context: Context,
  code: string,
  weeks: number = timelineWeeks.default,
): Promise<Timeline> {
  const { db, actor, now } = context
  const [customer] = await db.select({ id: customers.id }).from(customers).where(eq(customers.code, code))
  if (!customer) throw notFound('customer_not_found', { code })
  const parts = visibleParts(context)
  const since = new Date(now().getTime() - weeks * weekMs)
  const [ofWebs, ofDomains] = await Promise.all([
    parts.webs
      ? db
          .select({ id: webs.id })
          .from(webs)
          .where(and(eq(webs.customer, code), visibleWebs(context)))
      : [],
    parts.externalDomains
      ? db.select({ id: externalDomains.id }).from(externalDomains).where(eq(externalDomains.customer, code))
      : [],
  ])
  const webIds = ofWebs.map(({ id }) => id)
  const query = { webs: webIds, since, limit: timelineLimit }
  const sees = (route: { readonly access: Parameters<typeof can>[1] }) => can(actor, route.access)
  const lists: readonly TimelineEntry[][] = await Promise.all([
    sees(deploymentRoutes.listDeployments)
      ? listDeployments(context, query).then((found) =>
          found.map((deployment) => ({ kind: 'deployment' as const, at: deployment.created_at, deployment })),
        )
      : [],
    sees(monitoringRoutes.listIncidents)
      ? listIncidents(context, query).then((found) =>
          found.map((incident) => ({ kind: 'incident' as const, at: incident.started_at, incident })),
        )
      : [],
    sees(logsRoutes.listLogs)
      ? listEntriesOf(
          context,
          { customer: [customer.id], web: webIds, external_domain: ofDomains.map(({ id }) => id) },
          query,
        ).then((found) => found.map((change) => ({ kind: 'change' as const, at: change.created_at, change })))
      : [],
  ])
  // A list that was cut is complete from its last entry on.
  const from = lists.reduce(
    (latest, list) =>
      list.length < timelineLimit ? latest : Math.max(latest, Date.parse(list.at(-1)?.at ?? '')),
    since.getTime(),
  )
  const data = lists
    .flat()
    .filter(({ at }) => Date.parse(at) >= from)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return { data, from: new Date(from).toISOString() }
}
