import type { Transaction } from '@kustos/database/client'
import { certificateChecks, webCertificates } from '@kustos/database/tables'
import { and, eq, inArray, sql } from 'drizzle-orm'

/** Removes what the former name of a web and its counterpart showed, and lets the names that it has now be checked at once. */
export async function forgetCertificates(db: Transaction, web: number): Promise<void> {
  await db
    .delete(webCertificates)
    .where(and(eq(webCertificates.web_id, web), inArray(webCertificates.kind, ['main', 'www'])))
  await db
    .update(certificateChecks)
    .set({ due_at: sql`'-infinity'` })
    .where(eq(certificateChecks.web_id, web))
}
