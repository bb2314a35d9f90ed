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

/** @throws DomainError not-found */
export async function readInspection({ db }: Context, id: number): Promise<Inspection> {
  const [found] = await db
    .select({ row: inspections, email: users.email })
    .from(inspections)
    .leftJoin(users, eq(users.id, inspections.requested_by))
    .where(eq(inspections.id, id))
  if (!found) throw notFound('inspection_not_found', { id })
  const { row, email } = found
  return {
    id: row.id,
    web_id: row.web_id,
    kind: row.kind as InspectionKind,
    state: row.state as InspectionState,
    requested_by: row.requested_by === null || email === null ? null : { id: row.requested_by, email },
    problems: row.problems,
    problem_codes: row.problem_codes,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
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
  return rows.map((row) => ({
    fact: row.fact as FactName,
    seen_at: row.seen_at?.toISOString() ?? null,
    tried_at: row.tried_at.toISOString(),
    error: row.error,
    error_code: row.error_code,
    error_params: row.error_params,
  }))
}
