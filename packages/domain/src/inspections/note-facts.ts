import type { FactName } from '@kustos/contract/inspections'
import type { Transaction } from '@kustos/database/client'
import { webFacts } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

/** How a look for one fact of a web went. */
export interface Noted {
  readonly fact: FactName
  readonly seen: boolean
  /** What could not be learnt and why, or what is known in its place; null where there is nothing to say. */
  readonly error: string | null
}

/** Keeps when each fact was looked for and seen; one that was not seen keeps its old time. */
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
