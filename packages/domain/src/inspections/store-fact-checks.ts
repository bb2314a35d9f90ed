import type { FactName } from '@kustos/contract/inspections'
import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { webFacts } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import { excludedColumns } from '../platform/excluded-columns.ts'
import { storedMessage } from '../platform/stored-message.ts'

export interface FactCheck {
  readonly fact: FactName
  readonly seen: boolean
  /** Why not, or remarks. */
  readonly problems: readonly Message[]
}

/** Stores when each fact was last tried and, if it was seen, last seen. */
export async function storeFactChecks(
  db: Transaction,
  webId: number,
  now: Date,
  checks: readonly FactCheck[],
): Promise<void> {
  await db
    .insert(webFacts)
    .values(
      checks.map(({ fact, seen, problems }) => ({
        web_id: webId,
        fact,
        seen_at: seen ? now : null,
        tried_at: now,
        ...storedMessage('error', joinMessages(problems)),
      })),
    )
    .onConflictDoUpdate({
      target: [webFacts.web_id, webFacts.fact],
      set: {
        ...excludedColumns('tried_at', 'error', 'error_code', 'error_params'),
        seen_at: sql`coalesce(excluded.seen_at, ${webFacts.seen_at})`,
      },
    })
}

const joinMessages = ([first, ...others]: readonly Message[]): Message | null => {
  const rest = others.length === 0 ? null : joinMessages(others)
  return first && rest ? message('several_problems', { first, rest }) : (first ?? null)
}
