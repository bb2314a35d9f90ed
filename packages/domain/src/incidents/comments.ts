import type { IncidentComment } from '@kustos/contract/incidents'
import { incidentComments, users } from '@kustos/database/tables'
import { asc, eq } from 'drizzle-orm'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { findEntry } from './find.ts'

/** Those on an incident and on its outage, oldest first. @throws DomainError not-found */
export async function listIncidentComments(context: Context, id: number): Promise<IncidentComment[]> {
  const { outage_id: outage } = await findEntry(context, id)
  const rows = await context.db
    .select({ comment: incidentComments, email: users.email })
    .from(incidentComments)
    .leftJoin(users, eq(users.id, incidentComments.created_by))
    .where(isAnyOf(incidentComments.incident_id, outage === null ? [id] : [id, outage]))
    .orderBy(asc(incidentComments.id))
  return rows.map(({ comment, email }) => present(comment, email))
}

/** @throws DomainError not-found */
export const addIncidentComment = (
  context: Context,
  id: number,
  { text }: { readonly text: string },
): Promise<IncidentComment> =>
  withAudit(context, async (tx) => {
    await findEntry(tx, id)
    const [comment] = await tx.db
      .insert(incidentComments)
      .values({ incident_id: id, text, created_by: tx.actor?.id ?? null, created_at: tx.now() })
      .returning()
    if (comment === undefined) throw new Error('Postgres returned no comment')
    await tx.record({
      log: 'incidents',
      description: 'commented',
      subject: { type: 'incident', id },
      attributes: { comment: comment.id, text },
    })
    return present(comment, tx.actor?.email ?? null)
  })

const present = (
  { id, incident_id, text, created_by, created_at }: typeof incidentComments.$inferSelect,
  email: string | null,
): IncidentComment => ({
  id,
  incident_id,
  text,
  created_at: created_at.toISOString(),
  created_by: created_by === null || email === null ? null : { id: created_by, email },
})
