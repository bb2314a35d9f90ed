import type {
  FactName,
  Inspection,
  InspectionKind,
  InspectionState,
  WebFact,
} from '@kustos/contract/inspections'
import { inspections, users, webFacts, webs } from '@kustos/database/tables'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { visibleWebs } from '../platform/visible-webs.ts'

/** @throws DomainError not-found, also if the web is deleted unless the user may restore it */
export async function readInspection(context: Context, id: number): Promise<Inspection> {
  const [found] = await context.db
    .select({ row: inspections, email: users.email })
    .from(inspections)
    .innerJoin(webs, eq(webs.id, inspections.web_id))
    .leftJoin(users, eq(users.id, inspections.requested_by))
    .where(and(eq(inspections.id, id), visibleWebs(context)))
  if (!found) throw notFound('inspection_not_found', { id })
  const { row, email } = found
  return {
    ...serializeDates(row),
    kind: row.kind as InspectionKind,
    state: row.state as InspectionState,
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
