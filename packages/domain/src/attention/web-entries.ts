import { certificateAttentionDays } from '@kustos/contract/attention'
import { supportEnds } from '@kustos/contract/webs'
import { deployments, incidents, nodes, probeRounds, trackingViolations, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { listedWebs, monitoredWebs } from '../monitoring/index.ts'
import { type EntryScope, horizon, reasonIn, reasonOf, selectEntries, time } from './entry-sql.ts'

const ofWeb = {
  subject_id: sql`webs.id`,
  subject: sql`webs.fqdn`,
  web_id: sql`webs.id`,
  customer: sql`webs.customer`,
  node: sql`nodes.name`,
}
const withNode = sql`left join ${nodes} on nodes.id = webs.node_id`

/** From this number of webs on, as in alerts, a failure of their node is the likelier reason. */
const minWebsOfOutage = 3

/** Without webs that a deployment of ours may have taken down: it runs, or has ended since the last probe failed. */
export const downWebs = ({ internalMarker }: EntryScope): SQL => sql`
  with down as materialized (
    select incidents.*, webs.node_id
    from ${incidents} join ${webs} on webs.id = incidents.web_id
    where incidents.ended_at is null and ${monitoredWebs(internalMarker)}
      and not exists (
        select from ${deployments} d where d.web_id = incidents.web_id
          and (d.state = 'running' or d.ended_at >= incidents.last_failed_at))
  ), outages as (
    select on_node.*, counted.monitored
    from (select node_id, count(*) as down from down group by node_id having count(*) >= ${minWebsOfOutage}) on_node,
      lateral (
        select count(*) as monitored from ${webs}
        where webs.node_id = on_node.node_id and ${monitoredWebs(internalMarker)}) counted
    where on_node.down * 2 >= counted.monitored
  )
  ${selectEntries(
    'web_down',
    {
      ...ofWeb,
      since: sql`down.started_at`,
      group_id: sql`outages.node_id`,
      down: sql`outages.down`,
      monitored: sql`outages.monitored`,
      ...reasonIn('down', 'reason'),
    },
    sql`from down join ${webs} on webs.id = down.web_id ${withNode} left join outages on outages.node_id = webs.node_id`,
  )}`

/** After this number of rounds, and the time to confirm one, monitoring counts as stopped (`healthOf` of the web app). */
const maxMissingRounds = 3
const confirmationMs = 30_000

export const stoppedMonitoring = ({ internalMarker }: EntryScope): SQL => {
  const last = sql`(
    select round_at, state, interval_seconds * interval '1 second' as every
    from ${probeRounds} where judged_at is not null order by round_at desc limit 1) last`
  const hasWebs = sql`exists (select from ${webs} where ${monitoredWebs(internalMarker)})`
  const one = { subject_id: sql`1` }
  const lastKnown = sql`coalesce((select max(round_at) from ${probeRounds} where state = 'known'), '-infinity')`
  return sql`${selectEntries(
    'monitoring_stopped',
    {
      ...one,
      ...reasonOf('monitoring_rounds_missing'),
      since: sql`last.round_at + last.every`,
      due_at: sql`last.round_at + ${maxMissingRounds} * last.every + ${confirmationMs} * interval '1 millisecond'`,
    },
    sql`from ${last} where ${hasWebs}`,
  )}
  union all ${selectEntries(
    'monitoring_stopped',
    {
      ...one,
      ...reasonOf('monitoring_network_in_doubt'),
      since: sql`(select min(round_at) from ${probeRounds} where state = 'unknown' and round_at > ${lastKnown})`,
    },
    sql`from ${last} where last.state = 'unknown' and ${hasWebs}`,
  )}`
}

export const trackingWithoutConsent = ({ internalMarker }: EntryScope): SQL =>
  selectEntries(
    'tracking_without_consent',
    { ...ofWeb, since: sql`violations.since`, services: sql`violations.services` },
    sql`from ${trackingViolations} violations join ${webs} on webs.id = violations.web_id ${withNode}
      where ${listedWebs(internalMarker)}`,
  )

/** An end has two stages: some days before it, and once it is over. Each is an occurrence of its own. */
export const stages = (scope: EntryScope, end: SQL, days: number): SQL => sql`
  lateral (values (${end} - ${days} * interval '1 day'), (${end})) stage (since)
  where ${end} <= ${horizon(scope)} + ${days} * interval '1 day' and stage.since <= ${horizon(scope)}
    and (stage.since = ${end} or ${end} > ${time(scope.now)})`

export const expiringCertificates = (scope: EntryScope): SQL =>
  selectEntries(
    'certificate_expiring',
    { ...ofWeb, since: sql`stage.since`, until: sql`webs.cert_expiration` },
    sql`from ${webs} ${withNode}, ${stages(scope, sql`webs.cert_expiration`, certificateAttentionDays)}
      and ${monitoredWebs(scope.internalMarker)}`,
  )

/** Active webs only: others are not delivered to visitors. */
export const unsupportedFrameworks = (scope: EntryScope): SQL =>
  selectEntries(
    'framework_unsupported',
    {
      ...ofWeb,
      since: sql`support.ends_at`,
      until: sql`support.ends_at`,
      framework: sql`webs.framework_name || ' ' || webs.framework_version`,
    },
    sql`from jsonb_to_recordset(${JSON.stringify(supportEnds)}::jsonb) support (framework text, major text, ends_at timestamptz)
      join ${webs} on lower(webs.framework_name) = lower(support.framework)
        and substring(webs.framework_version from '^\\s*v?0*(\\d+)(?:\\.|\\s*$)') = support.major
      ${withNode}
      where support.ends_at <= ${horizon(scope)} and webs.deleted_at is null and webs.status = 0`,
  )
