import type { Database } from '@kustos/database/client'
import { logEntries } from '@kustos/database/tables'
import { desc } from 'drizzle-orm'

/** The id of the audit log's last entry; 0 if there is none. */
export async function readLastEntryId(db: Database): Promise<number> {
  const [entry] = await db
    .select({ id: logEntries.id })
    .from(logEntries)
    .orderBy(desc(logEntries.id))
    .limit(1)
  return entry?.id ?? 0
}
