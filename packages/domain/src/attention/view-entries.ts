import { evaluatedLists } from '@kustos/contract/views'
import { viewEvaluations, viewRows, viewSubscriptions, views } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { keptDays, scopesOf } from '../subscriptions/index.ts'
import { visibleViews } from '../views/index.ts'
import { type EntryScope, selectEntries, time } from './entry-sql.ts'

/** The newest rows that are named. */
const maxNames = 3

/** Views of the acting user that rows have entered, as far as the user may still see these rows. */
export function enteredViews({ now, actor }: EntryScope): SQL {
  const visible = evaluatedLists.flatMap((list) =>
    actor === null ? [] : scopesOf(actor, list).map((scope) => [list, scope] as const),
  )
  const lists = sql`${sql.param(visible.map(([list]) => list))}::text[]`
  const scopes = sql`${sql.param(visible.map(([, scope]) => scope))}::text[]`
  return selectEntries(
    'view_entered',
    {
      subject_id: sql`${viewSubscriptions.id}`,
      since: sql`${viewSubscriptions.entered_at}`,
      subject: sql`${views.name}`,
      view_id: sql`${views.id}`,
      view_list: sql`${views.list}`,
      entered: sql`entered.number`,
      entered_names: sql`entered.names`,
    },
    sql`from ${viewSubscriptions}
      join ${views} on ${views.id} = ${viewSubscriptions.view_id}
      join ${viewEvaluations} on ${viewEvaluations.id} = ${viewSubscriptions.evaluation_id}
      cross join lateral (
        select count(*) as number, (array_agg(name order by entered_at desc, name))[1:${sql.raw(String(maxNames))}] as names
        from ${viewRows} r
        where r.evaluation_id = ${viewEvaluations.id} and r.entered_at > ${viewSubscriptions.seen_until}
      ) entered
      where ${viewSubscriptions.user_id} = ${actor?.id ?? null} and entered.number > 0
        and ${viewSubscriptions.entered_at} > ${time(now)} - ${keptDays} * interval '1 day'
        and (${views.list}, ${viewEvaluations.scope}) in (select * from unnest(${lists}, ${scopes}))
        and ${actor === null ? sql`false` : visibleViews(actor)}`,
  )
}
