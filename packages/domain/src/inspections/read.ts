import {
  type Connection,
  type FactName,
  type Inspection,
  type InspectionKind,
  type InspectionReason,
  type InspectionState,
  inspectionRoutes,
  type WebFact,
} from '@kustos/contract/inspections'
import { nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { inspections, users, webFacts, webs } from '@kustos/database/tables'
import { and, asc, eq, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { visibleWebs } from '../platform/visible-webs.ts'

/**
 * @throws DomainError not-found, also if the web is deleted unless the user may restore it, and for what the user may not see
 */
export async function readInspection(context: Context, id: number): Promise<Inspection> {
  const { actor } = context
  const isOfWeb = isNotNull(inspections.web_id)
  const isVisible = [
    ...(actor === null || can(actor, inspectionRoutes.listWebFacts.access)
      ? [and(isOfWeb, visibleWebs(context))]
      : []),
    ...(actor === null || can(actor, nodesRoutes.testNode.access) ? [not(isOfWeb)] : []),
  ]
  const [found] = await context.db
    .select({ row: inspections, email: users.email })
    .from(inspections)
    .leftJoin(webs, eq(webs.id, inspections.web_id))
    .leftJoin(users, eq(users.id, inspections.requested_by))
    .where(and(eq(inspections.id, id), or(...isVisible, sql`false`)))
  if (!found) throw notFound('inspection_not_found', { id })
  const { row, email } = found
  return {
    ...serializeDates(row),
    kind: row.kind as InspectionKind,
    state: row.state as InspectionState,
    reason: row.reason as InspectionReason | null,
    connection: row.connection as Connection | null,
    requested_by: row.requested_by === null || email === null ? null : { id: row.requested_by, email },
  }
}

/** When each fact of a web was last seen. @throws DomainError not-found */
export async function listWebFacts({ db }: Context, webId: number): Promise<WebFact[]> {
  const [web] = await db
    .select({ id: webs.id })
    .from(webs)
    .where(and(eq(webs.id, webId), isNull(webs.deleted_at)))
  if (!web) throw notFound('web_not_found', { id: webId })
  const rows = await db.select().from(webFacts).where(eq(webFacts.web_id, webId)).orderBy(asc(webFacts.fact))
  return rows.map(({ web_id: _, ...row }) => ({ ...serializeDates(row), fact: row.fact as FactName }))
}
