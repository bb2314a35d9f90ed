import type { Transaction } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { inArray, sql } from 'drizzle-orm'

/**
 * Assigns repositories to webs that have none, by name: that of a repository is a generation and a domain, such as
 * `web134-alpenhof.test`.
 */
export async function linkWebs(tx: Transaction): Promise<number> {
  const { rows } = await tx.execute<{ id: number; name: string }>(sql`
    select distinct on (w.id) w.id, r.name
    from webs w
    cross join lateral (select regexp_replace(w.fqdn_ascii, '^www\\.', '') as domain) as named
    join repositories r on r.name in ('web134-' || domain, 'web124-' || domain, 'web115-' || domain)
    where w.repository is null and w.deleted_at is null
    order by w.id, r.updated_on desc`)
  // Every update of webs updates the open screens.
  if (rows.length === 0) return 0
  const names = sql.join(
    [sql`case`, ...rows.map(({ id, name }) => sql`when ${webs.id} = ${id} then ${name}`), sql`end`],
    sql` `,
  )
  await tx
    .update(webs)
    .set({ repository: names })
    .where(
      inArray(
        webs.id,
        rows.map(({ id }) => id),
      ),
    )
  return rows.length
}
