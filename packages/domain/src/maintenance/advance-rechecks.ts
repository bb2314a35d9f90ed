import type { Transaction } from '@kustos/database/client'
import { maintenanceOccurrences, trackingDifferences, trackingJudgements } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { runningAt } from './coverage.ts'

/**
 * Brings forward the audits that wait for the end of maintenance because differences in tracking were held back by it: to when it ends
 * now. Has to be called in the transaction that ends it.
 * @param webs a query of their ids
 */
export async function advanceRechecks(tx: Transaction, webs: SQL, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  await tx.execute(sql`
    with waiting as (
      select j.web_id from ${trackingJudgements} j
      where j.recheck_at > ${at} and j.web_id in (${webs})
        and exists (
          select from ${trackingDifferences} d
          where d.web_id = j.web_id and d.confirmed_at is not null and d.alerted_at is null and d.ended_at is null)
      order by j.web_id for no key update
    )
    update ${trackingJudgements} j
    set recheck_at = least(j.recheck_at,
      coalesce((select max(m.ends_at) from ${runningAt(now)} and m.web_id = j.web_id), ${at}))
    from waiting where j.web_id = waiting.web_id`)
}

/** The webs that occurrences cover. @param ids of the occurrences */
export const websOfOccurrences = (ids: readonly number[]): SQL => sql`
  select c.web_id from ${maintenanceOccurrences} o join maintenance_coverage c on c.scope_id = o.scope_id
  where o.id = any(${sql.param([...ids])}::int[])`
