import type { Transaction } from '@kustos/database/client'
import { attentionHandling, incidents } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import { isHandledAt } from '../platform/handling-state.ts'

/**
 * Gives open incidents to the user on call, in whose list of what needs attention they appear, unless somebody has acknowledged,
 * snoozed or taken them. Only what a route has assigned before is given to the next one.
 */
export async function assignTo(
  db: Transaction,
  ids: readonly number[],
  user: number,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    insert into ${attentionHandling} as h (kind, subject_id, since, assigned_to, action, updated_at)
    select 'web_down', i.web_id, i.started_at, ${user}, 'assigned', ${now.toISOString()}
    from ${incidents} i where i.id = any(${sql.param([...ids])}::int[]) and i.web_id is not null and i.ended_at is null
    order by i.web_id
    on conflict (kind, subject_id, since) do update
      set assigned_to = excluded.assigned_to, action = 'assigned', updated_by = null,
        updated_at = greatest(excluded.updated_at, h.updated_at + interval '1 ms')
      where not ${isHandledAt(now)} and (h.assigned_to is null or (h.action = 'assigned' and h.updated_by is null))`)
}
