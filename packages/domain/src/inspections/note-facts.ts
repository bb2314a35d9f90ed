import type { FactName } from '@kustos/contract/inspections'
import type { Transaction } from '@kustos/database/client'
import { webFacts } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

/** Whether a fact of a web could be found out. */
export interface Noted {
  readonly fact: FactName
  readonly seen: boolean
  /** Why not, or a remark. */
  readonly error: string | null
}

/** Stores when each fact was last tried and, if it was seen, last seen. */
export async function noteFacts(
  db: Transaction,
  webId: number,
  now: Date,
  noted: readonly Noted[],
): Promise<void> {
  await db
    .insert(webFacts)
    .values(
      noted.map(({ fact, seen, error }) => ({
        web_id: webId,
        fact,
        seen_at: seen ? now : null,
        tried_at: now,
        error,
      })),
    )
    .onConflictDoUpdate({
      target: [webFacts.web_id, webFacts.fact],
      set: {
        tried_at: now,
        error: sql`excluded.error`,
        seen_at: sql`coalesce(excluded.seen_at, ${webFacts.seen_at})`,
      },
    })
}
