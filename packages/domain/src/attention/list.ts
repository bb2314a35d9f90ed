import {
  type AttentionEntry,
  type AttentionKind,
  type AttentionList,
  type AttentionState,
  attentionStates,
  formatEntryId,
  visibleKinds,
} from '@kustos/contract/attention'
import { planOnce } from '@kustos/database/planned-once'
import { users } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { MonitoringSettings } from '../monitoring/index.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { entryTable } from './entries.ts'

export interface AttentionQuery {
  readonly kind?: AttentionKind | undefined
  readonly state?: AttentionState | 'any' | undefined
  /** Only those that are assigned to the acting user. */
  readonly mine?: '1' | undefined
  readonly customer?: string | undefined
  /** The name of a node. */
  readonly node?: string | undefined
  /** For each kind. */
  readonly limit?: number | undefined
}

const defaultLimit = 20

type Row = Omit<AttentionEntry, 'id'>

const readPlanned = planOnce()

/** The entries of the kinds that the acting user may see, read in one statement. */
export async function listAttention(
  context: Context,
  { internalMarker }: Pick<MonitoringSettings, 'internalMarker'>,
  { kind, state = 'open', mine, customer, node, limit = defaultLimit }: AttentionQuery,
): Promise<AttentionList> {
  const { id: me } = requireActor(context)
  const kinds = visibleKinds(context.actor)
  const nobody = sql`null::json`
  const person = (alias: string) =>
    sql`case when ${sql.raw(alias)}.id is null then ${nobody} else json_build_object('id', ${sql.raw(alias)}.id, 'email', ${sql.raw(alias)}.email) end`
  const isMine = sql`coalesce(assigned_to = ${me}, false)`
  // A filter that is not set is a parameter, too, so that the text depends on the user's permissions alone and is planned once.
  const matches = (column: string, value: string | undefined) =>
    sql`(${value ?? null}::text is null or ${sql.raw(column)} = ${value ?? null})`
  const isWanted = sql`(state = any(${sql.param(state === 'any' ? attentionStates : [state])}::text[])
    and (${isMine} or ${mine === undefined}::boolean)
    and ${matches('customer', customer)} and ${matches('node', node)})`
  // Webs that one outage explains come first and count as one. Both windows have the same order, so that rows are sorted once.
  const rows = await readPlanned<{ list: Omit<AttentionList, 'data'> & { data: Row[] } }>(
    context.database.pool,
    sql`
    with ${entryTable(kinds, { now: context.now(), internalMarker, actor: context.actor })},
    counted as materialized (
      select kind, state, ${isMine} as is_mine, count(*) as number, count(*) filter (where ${isWanted}) as wanted,
        min(due_at) as due_at, min(snoozed_until) as snoozed_until
      from handled group by kind, state, is_mine
    ), ranked as (
      select *,
        dense_rank() over (partition by urgency order by group_id) as group_place,
        row_number() over (partition by urgency, group_id
          order by case when group_id is null then until end nulls last, since desc, subject_id) as place_in_group
      from handled where ${isWanted} and ${matches('kind', kind)}
    ), placed as (
      select *, case when group_id is null then group_place - 1 + place_in_group else group_place end as place from ranked
    ), listed as (
      select * from placed where place <= ${limit} and (group_id is null or place_in_group <= ${limit})
    )
    select json_build_object(
      'data', coalesce((
        select json_agg(json_build_object(
          'kind', kind, 'since', since, 'subject', subject, 'subject_id', subject_id, 'web_id', web_id,
          'customer', customer, 'node', node,
          'deployment', case when deployment_kind is null then ${nobody}
            else json_build_object('id', subject_id, 'kind', deployment_kind) end,
          'until', until, 'framework', framework, 'services', coalesce(services, '{}'),
          'view', case when view_id is null then ${nobody}
            else json_build_object('id', view_id, 'list', view_list, 'entered', entered, 'names', entered_names) end,
          'reason', reason, 'reason_code', reason_code, 'reason_params', reason_params,
          'node_outage', case when group_id is null then ${nobody}
            else json_build_object('node_id', outage_node, 'down', down, 'monitored', monitored, 'incident_id', group_id) end,
          'incident_id', incident_id,
          'acknowledged_at', acknowledged_at, 'acknowledged_by', ${person('acknowledger')},
          'assigned_to', ${person('assignee')},
          'snoozed_until', snoozed_until, 'snoozed_by', ${person('snoozer')},
          'note', note, 'updated_at', listed.updated_at
        ) order by urgency, place, place_in_group)
        from listed
        left join ${users} acknowledger on acknowledger.id = listed.acknowledged_by
        left join ${users} assignee on assignee.id = listed.assigned_to
        left join ${users} snoozer on snoozer.id = listed.snoozed_by
      ), '[]'),
      'counts', (
        select json_build_object(
          'open', coalesce(sum(number) filter (where state = 'open'), 0),
          'mine', coalesce(sum(number) filter (where state = 'open' and is_mine), 0),
          'acknowledged', coalesce(sum(number) filter (where state = 'acknowledged'), 0),
          'snoozed', coalesce(sum(number) filter (where state = 'snoozed'), 0))
        from counted),
      'kinds', (
        select coalesce(json_object_agg(kind, wanted), '{}')
        from (select kind, sum(wanted) as wanted from counted group by kind having sum(wanted) > 0) kinds),
      'changes_at', (
        select least(min(due_at) filter (where state = 'upcoming'), min(snoozed_until) filter (where state = 'snoozed'))
        from counted)
    ) as list`,
  )
  const [row] = rows
  if (!row) throw new Error('Postgres returned no list')
  return { ...row.list, data: row.list.data.map(withId) }
}

const withId = (row: Row): AttentionEntry => ({
  id: formatEntryId({ kind: row.kind, subject: row.subject_id, since: new Date(row.since) }),
  ...row,
})
