import type { IncidentEntry } from '@kustos/contract/incidents'
import { attentionHandling, incidentComments, incidents, nodes, users, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { isAcknowledgedAt, isSnoozedAt } from '../platform/handling-state.ts'
import { visibleWebs } from '../platform/visible-webs.ts'

/** Joins what users have done about a web's incident, in the attention list or on its page. @param incident an alias */
export const handlingOf = (incident: string): SQL => sql`left join ${attentionHandling} h
  on h.kind = 'web_down' and h.subject_id = ${sql.raw(incident)}.web_id and h.since = ${sql.raw(incident)}.started_at`

/** Whether the acting user sees the web, a condition on `webs`. */
export const isVisible = (scope: Pick<Scope, 'actor'>): SQL => visibleWebs(scope) ?? sql`true`

/**
 * An open outage is acknowledged if all of its open members are, an ended one if any was. A condition on groups of members as `m`
 * with their handling as `h`.
 */
export const isAcknowledged = (now: Date): SQL => sql`case when bool_or(m.ended_at is null)
  then bool_and(${isAcknowledgedAt(now)}) filter (where m.ended_at is null)
  else bool_or(h.acknowledged_at is not null) end`

const person = (alias: string) => sql`case when ${sql.raw(alias)}.id is null then null
  else json_build_object('id', ${sql.raw(alias)}.id, 'email', ${sql.raw(alias)}.email) end`

/**
 * The incidents of a query, those that the acting user may see: open ones first, oldest first, then ended ones, latest first.
 * @param ids selects `id`
 */
export async function readEntries(scope: Scope, ids: SQL): Promise<IncidentEntry[]> {
  const acknowledged = isAcknowledged(scope.now())
  const { rows } = await scope.db.execute<{ entry: IncidentEntry }>(sql`
    with page as materialized (${ids}),
    member as materialized (
      select page.id as entry_id, i.* from page join ${incidents} i on i.id = page.id where i.web_id is not null
      union all
      select page.id as entry_id, i.* from page join ${incidents} i on i.outage_id = page.id
    ), summed as (
      select m.entry_id, count(*) as members, count(*) filter (where m.ended_at is null) as open_members,
        array_agg(distinct ${webs.customer}) as customers, min(m.alerted_at) as alerted_at,
        min(${webs.fqdn}) as fqdn, min(${webs.node_id}) as node_id,
        case when ${acknowledged} then max(h.acknowledged_at) end as acknowledged_at,
        case when ${acknowledged} then (array_agg(h.acknowledged_by order by h.acknowledged_at desc nulls last))[1] end
          as acknowledged_by,
        case when bool_and(${isSnoozedAt(scope.now())}) filter (where m.ended_at is null)
          then min(h.snoozed_until) filter (where m.ended_at is null) end as snoozed_until,
        (array_agg(h.snoozed_by order by h.snoozed_until) filter (where m.ended_at is null))[1] as snoozed_by,
        case when count(distinct h.assigned_to) = 1
            and count(*) filter (where m.ended_at is null and h.assigned_to is null) = 0 then min(h.assigned_to) end
          as assigned_to,
        (array_agg(h.note order by h.updated_at desc nulls last))[1] as note
      from member m join ${webs} on webs.id = m.web_id ${handlingOf('m')}
      where ${isVisible(scope)}
      group by m.entry_id
    ), commented as (
      select c.incident_id, count(*) as comments from ${incidentComments} c
      where c.incident_id in (select id from page) group by c.incident_id
    )
    select json_build_object(
      'id', i.id,
      'web', case when i.web_id is null then null else json_build_object('id', i.web_id, 'fqdn', summed.fqdn) end,
      'outage_id', i.outage_id, 'kind', i.kind, 'node', n.name, 'customers', summed.customers,
      'members', summed.members, 'open_members', summed.open_members,
      'started_at', i.started_at, 'ended_at', i.ended_at,
      'status', i.status, 'reason', i.reason, 'reason_code', i.reason_code, 'reason_params', i.reason_params,
      'alerted_at', summed.alerted_at, 'acknowledged_at', summed.acknowledged_at,
      'acknowledged_by', ${person('acknowledger')}, 'snoozed_until', summed.snoozed_until,
      'snoozed_by', case when summed.snoozed_until is null then null else ${person('snoozer')} end, 'assigned_to', ${person('assignee')},
      'note', summed.note, 'comments', coalesce(commented.comments, 0)
    ) as entry
    from summed join ${incidents} i on i.id = summed.entry_id
    left join ${nodes} n on n.id = case when i.web_id is null then i.node_id else summed.node_id end
    left join commented on commented.incident_id = i.id
    left join ${users} acknowledger on acknowledger.id = summed.acknowledged_by
    left join ${users} snoozer on snoozer.id = summed.snoozed_by
    left join ${users} assignee on assignee.id = summed.assigned_to
    order by i.ended_at is not null, case when i.ended_at is null then i.started_at end,
      case when i.ended_at is null then i.id end, i.ended_at desc, i.id desc`)
  return rows.map(({ entry }) => entry)
}
