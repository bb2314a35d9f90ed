import { formatTime } from '@kustos/contract/grid'
import { incidentReports, users } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import { type AuditTransaction, withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict } from '../platform/errors.ts'
import { findEntry } from './find.ts'

/** The incident's report, which stays locked until the transaction ends. */
export async function lockReport({ db }: Pick<AuditTransaction, 'db'>, id: number) {
  await db.insert(incidentReports).values({ incident_id: id }).onConflictDoNothing()
  const [report] = await db
    .select()
    .from(incidentReports)
    .where(eq(incidentReports.incident_id, id))
    .for('update')
  if (report === undefined) throw new Error(`The report of incident ${id} is missing`)
  return report
}

interface PostMortemChange {
  readonly text: string
  /** Of the text that was edited, null if there was none; undefined to overwrite it in any case. */
  readonly updated_at?: string | null | undefined
}

/** @throws DomainError not-found; conflict if it has changed since then */
export const writePostMortem = (context: Context, id: number, input: PostMortemChange): Promise<void> =>
  withAudit(context, (tx) => writePostMortemInTransaction(tx, id, input))

/** @throws DomainError as `writePostMortem` */
export async function writePostMortemInTransaction(
  tx: AuditTransaction,
  id: number,
  { text, updated_at: seen }: PostMortemChange,
): Promise<void> {
  await findEntry(tx, id)
  const report = await lockReport(tx, id)
  const { post_mortem: old, post_mortem_at: writtenAt } = report
  if (seen !== undefined && writtenAt !== null && (seen === null || Date.parse(seen) !== writtenAt.getTime()))
    await rejectStale(tx, report.post_mortem_by, writtenAt)
  if (text === (old ?? '')) return tx.skipAudit()
  await tx.db
    .update(incidentReports)
    .set({
      post_mortem: text,
      post_mortem_by: tx.actor?.id ?? null,
      // Later than the last time even if the clock is not, so that nobody's change goes unnoticed.
      post_mortem_at: new Date(Math.max(tx.now().getTime(), (writtenAt?.getTime() ?? 0) + 1)),
    })
    .where(eq(incidentReports.incident_id, id))
  await tx.record({
    log: 'incidents',
    description: 'post-mortem written',
    subject: { type: 'incident', id },
    old: { post_mortem: old },
    attributes: { post_mortem: text },
  })
}

async function rejectStale(tx: AuditTransaction, by: number | null, at: Date): Promise<never> {
  const [user] = await tx.db.select({ email: users.email }).from(users).where(sql`${users.id} = ${by}`)
  throw conflict('stale_post_mortem', { who: user?.email ?? 'Kustos', at: formatTime(at.toISOString()) })
}
