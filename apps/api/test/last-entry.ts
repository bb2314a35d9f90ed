import type { Database } from '@kustos/database/client'
import { logEntries } from '@kustos/database/tables'
import { and, desc, eq } from 'drizzle-orm'
import { only } from './logged-fixtures.ts'

/** The id of the audit log's last entry; 0 if there is none. */
export async function readLastEntryId(db: Database): Promise<number> {
  const [entry] = await db
    .select({ id: logEntries.id })
    .from(logEntries)
    .orderBy(desc(logEntries.id))
    .limit(1)
  return entry?.id ?? 0
}

/** The last entry about a subject. */
export const readLastEntryOf = async (db: Database, type: string, id: number) =>
  only(
    await db
      .select()
      .from(logEntries)
      .where(and(eq(logEntries.subject_type, type), eq(logEntries.subject_id, id)))
      .orderBy(desc(logEntries.id))
      .limit(1),
  )
