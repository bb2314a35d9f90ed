import type { Transaction } from '@kustos/database/client'
import { webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'

/** Since when a web with the open incident `i` is down, as all lists of incidents say: null while a flapping web answers. */
const downSince = sql`case when i.calm_since is null then i.started_at end`

/** Writes since when webs are down, only where that changes. @param which limits the webs, `w` */
export async function markWebs(tx: Transaction, which: SQL = sql`true`): Promise<void> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select w.id from webs w left join incidents i on i.web_id = w.id and i.ended_at is null
    where (w.down_since is not null or i.id is not null) and w.down_since is distinct from ${downSince} and ${which}
    order by w.id for no key update of w`)
  if (rows.length === 0) return
  await tx
    .update(webs)
    .set({
      down_since: sql`(select ${downSince} from incidents i where i.web_id = ${webs.id} and i.ended_at is null)`,
    })
    .where(
      isAnyOf(
        webs.id,
        rows.map(({ id }) => id),
      ),
    )
}
