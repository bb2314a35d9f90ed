import type { IncidentEntry } from '@kustos/contract/incidents'
import { incidents, nodes, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { handlingOf, isAcknowledged, isVisible, readEntries } from './entries.ts'

export interface IncidentQuery {
  readonly open?: '1' | undefined
  readonly acknowledged?: '0' | '1' | undefined
  /** The id of the user who has it. */
  readonly assignee?: number | undefined
  /** The name of a node. */
  readonly node?: string | undefined
  readonly customer?: string | undefined
  /** ISO time. */
  readonly since?: string | undefined
  /** Of open ones and of ended ones. */
  readonly limit?: number | undefined
}

const defaultLimit = 500

/** Incidents with outages as one entry: open ones first, oldest first, then ended ones, latest first. */
export const listIncidentEntries = (context: Context, query: IncidentQuery): Promise<IncidentEntry[]> =>
  readEntries(context, selectPage(context, query))

function selectPage(context: Context, query: IncidentQuery): SQL {
  const { open, since, limit = defaultLimit } = query
  const matching = selectMatching(context, query)
  const part = (state: SQL, order: SQL) => sql`(
    select i.id from ${incidents} i
    where i.outage_id is null and ${state}
      ${since === undefined ? sql`` : sql`and i.started_at >= ${since}::timestamptz`}
      and ${
        matching === undefined
          ? sql`(i.web_id is null or exists (select from ${webs} where webs.id = i.web_id and ${isVisible(context)}))`
          : sql`i.id in (${matching})`
      }
    order by ${order} limit ${limit})`
  const ongoing = part(sql`i.ended_at is null`, sql`i.started_at, i.id`)
  if (open !== undefined) return ongoing
  return sql`${ongoing} union all ${part(sql`i.ended_at is not null`, sql`i.ended_at desc, i.id desc`)}`
}

/** The entries with a web that matches; undefined if no filter needs that. */
function selectMatching(context: Context, query: IncidentQuery): SQL | undefined {
  const { acknowledged, assignee, node, customer } = query
  if ([acknowledged, assignee, node, customer].every((filter) => filter === undefined)) return undefined
  const conditions = [
    isVisible(context),
    ...(customer === undefined ? [] : [sql`${webs.customer} = ${customer}`]),
    ...(node === undefined ? [] : [sql`webs.node_id = (select n.id from ${nodes} n where n.name = ${node})`]),
  ]
  const ofGroup = [
    ...(acknowledged === undefined ? [] : [sql`${isAcknowledged(context.now())} = ${acknowledged === '1'}`]),
    ...(assignee === undefined ? [] : [sql`bool_or(h.assigned_to = ${assignee})`]),
  ]
  return sql`
    select coalesce(m.outage_id, m.id) from ${incidents} m join ${webs} on webs.id = m.web_id
    ${ofGroup.length === 0 ? sql`` : handlingOf('m')}
    where ${sql.join(conditions, sql` and `)}
    group by 1 ${ofGroup.length === 0 ? sql`` : sql`having ${sql.join(ofGroup, sql` and `)}`}`
}
