import {
  type AttentionEntry,
  type AttentionKind,
  type AttentionList,
  type AttentionState,
  formatEntryId,
  visibleKinds,
} from '@kustos/contract/attention'
import { users } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'
import type { MonitoringSettings } from '../monitoring/index.ts'
import { type Context, requireActor } from '../platform/context.ts'
import { entryTables } from './entries.ts'

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
  // Webs that one outage explains count as one, and come first.
  const order = sql`group_id nulls last, case when group_id is null then until end nulls last,
    case when group_id is null then since end desc, case when group_id is null then subject_id end`
  const { rows } = await context.db.execute<{ list: Omit<AttentionList, 'data'> & { data: Row[] } }>(sql`
    with ${entryTables(kinds, { now: context.now(), internalMarker, actor: context.actor })},
    wanted as not materialized (
      select * from handled
      where ${state === 'any' ? sql`true` : sql`state = ${state}`}
        ${mine === undefined ? sql`` : sql`and assigned_to = ${me}`}
        ${customer === undefined ? sql`` : sql`and customer = ${customer}`}
        ${node === undefined ? sql`` : sql`and node = ${node}`}
    ), ranked as (
      select *,
        dense_rank() over (partition by urgency order by ${order}) as place,
        row_number() over (partition by urgency, group_id order by since desc, subject_id) as place_in_group
      from wanted ${kind === undefined ? sql`` : sql`where kind = ${kind}`}
    ), listed as (
      select * from ranked where place <= ${limit} and (group_id is null or place_in_group <= ${limit})
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
            else json_build_object('node_id', group_id, 'down', down, 'monitored', monitored, 'incident_id', outage_id) end,
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
          'open', count(*) filter (where state = 'open'),
          'mine', count(*) filter (where state = 'open' and assigned_to = ${me}),
          'acknowledged', count(*) filter (where state = 'acknowledged'),
          'snoozed', count(*) filter (where state = 'snoozed'))
        from handled),
      'kinds', (select coalesce(json_object_agg(kind, count), '{}') from (select kind, count(*) from wanted group by kind) counted),
      'changes_at', least(
        (select min(due_at) from entries where due_at > ${context.now().toISOString()}::timestamptz),
        (select min(snoozed_until) from handled where state = 'snoozed'))
    ) as list`)
  const [row] = rows
  if (!row) throw new Error('Postgres returned no list')
  return { ...row.list, data: row.list.data.map(withId) }
}

const withId = (row: Row): AttentionEntry => ({
  id: formatEntryId({ kind: row.kind, subject: row.subject_id, since: new Date(row.since) }),
  ...row,
})
