import { harmlessActions } from '@kustos/contract/deployment'
import { confirmationMs, maxMissingRounds } from '@kustos/contract/monitoring'
import { typo3SupportEnds } from '@kustos/contract/webs'
import { deployments, incidents, nodes, probeRounds, trackingViolations, webs } from '@kustos/database/tables'
import { notInArray, type SQL, sql } from 'drizzle-orm'
import { maintenanceEnds } from '../maintenance/index.ts'
import { countedWebs, hostOf, listedWebs, monitoredWebs } from '../monitoring/index.ts'
import { type EntryScope, horizonMs, reasonIn, reasonOf, selectEntries } from './entry-sql.ts'

export const ofWeb = {
  subject_id: sql`webs.id`,
  subject: sql`webs.fqdn`,
  web_id: sql`webs.id`,
  customer: sql`webs.customer`,
  node: sql`nodes.name`,
}
export const withNode = sql`left join ${nodes} on nodes.id = webs.node_id`

const mayInterrupt = notInArray(deployments.kind, [...harmlessActions])

/** Those in maintenance are due once it ends. Without webs that a deployment of ours may have taken down: it runs, or has ended since the last probe failed. */
export const downWebs = ({ internalMarker, now }: EntryScope): SQL => sql`
  with deployed as materialized (
    select web_id, ended_at from ${deployments}
    where state = 'running' and web_id is not null and ${mayInterrupt}
    union all
    select web_id, ended_at from ${deployments}
    where web_id is not null and ${mayInterrupt} and ended_at >= (select min(last_failed_at) from ${incidents} where ended_at is null)
  ), maintained as materialized (${maintenanceEnds(now)}), down as materialized (
    select webs.id, webs.fqdn, webs.customer, webs.node_id, incidents.started_at, incidents.id as incident_id,
      incidents.outage_id, incidents.reason, incidents.reason_code, incidents.reason_params,
      maintained.until as maintenance_until
    from ${incidents} join ${webs} on webs.id = incidents.web_id
    left join maintained on maintained.web_id = webs.id
    where incidents.ended_at is null and ${countedWebs(internalMarker)}
      and not exists (
        select from deployed d
        where d.web_id = incidents.web_id and coalesce(d.ended_at >= incidents.last_failed_at, true))
  ), outages as materialized (
    select o.id, o.node_id, members.down, counted.monitored
    from (select outage_id, count(*) as down from down where outage_id is not null group by outage_id) members
    join ${incidents} o on o.id = members.outage_id,
      lateral (
        select count(*) as monitored from ${webs} join ${nodes} n on n.id = webs.node_id
        where ${hostOf('n')} = (select ${hostOf('on_host')} from ${nodes} on_host where on_host.id = o.node_id)
          and ${monitoredWebs(internalMarker)}
      ) counted
    where o.node_id is not null
  )
  ${selectEntries(
    'web_down',
    {
      subject_id: sql`down.id`,
      subject: sql`down.fqdn`,
      web_id: sql`down.id`,
      customer: sql`down.customer`,
      node: sql`nodes.name`,
      since: sql`down.started_at`,
      due_at: sql`coalesce(down.maintenance_until, down.started_at)`,
      incident_id: sql`down.incident_id`,
      group_id: sql`outages.id`,
      outage_node: sql`outages.node_id`,
      down: sql`outages.down`,
      monitored: sql`outages.monitored`,
      ...reasonIn('down', 'reason'),
    },
    sql`from down left join ${nodes} on nodes.id = down.node_id left join outages on outages.id = down.outage_id`,
  )}`

export const stoppedMonitoring = ({ internalMarker }: EntryScope): SQL => {
  const last = sql`(
    select round_at, state, probes, interval_seconds * interval '1 second' as every
    from ${probeRounds} where judged_at is not null order by round_at desc limit 1) last`
  const hasWebs = sql`exists (select from ${webs} where ${monitoredWebs(internalMarker)})`
  const one = { subject_id: sql`1` }
  const lateAfter = (round: SQL) =>
    sql`${round} + ${maxMissingRounds} * last.every + ${confirmationMs} * interval '1 millisecond'`
  const lastKnown = sql`coalesce((select max(round_at) from ${probeRounds} where state = 'known'), '-infinity')`
  const since = sql`(select min(round_at) from ${probeRounds} where state = 'unknown' and round_at > ${lastKnown})`
  const hasUnknown = sql`from ${last} where last.state = 'unknown' and ${hasWebs}`
  return sql`${selectEntries(
    'monitoring_stopped',
    {
      ...one,
      ...reasonOf('monitoring_rounds_missing'),
      since: sql`last.round_at + last.every`,
      due_at: lateAfter(sql`last.round_at`),
    },
    sql`from ${last} where ${hasWebs}`,
  )}
  union all ${selectEntries(
    'monitoring_stopped',
    { ...one, ...reasonOf('monitoring_network_in_doubt'), since },
    sql`${hasUnknown} and last.probes > 0`,
  )}
  union all ${selectEntries(
    'monitoring_stopped',
    { ...one, ...reasonOf('monitoring_nothing_probed'), since, due_at: lateAfter(since) },
    sql`${hasUnknown} and last.probes = 0`,
  )}`
}

export const trackingWithoutConsent = ({ internalMarker }: EntryScope): SQL =>
  selectEntries(
    'tracking_without_consent',
    { ...ofWeb, since: sql`violations.since`, services: sql`violations.services` },
    sql`from ${trackingViolations} violations join ${webs} on webs.id = violations.web_id ${withNode}
      where ${listedWebs(internalMarker)}`,
  )

/** As the index webs_by_framework has it: of "v08.7.32" it is 8. */
const majorVersion = sql`split_part(ltrim(lower(webs.framework_version), ' v0'), '.', 1)`

/** Active webs only: others are not delivered to visitors. */
export function unsupportedFrameworks(scope: EntryScope): SQL {
  // Listed one by one, so that Postgres knows how many webs have them.
  const ended = Object.entries(typo3SupportEnds).filter(
    ([, end]) => Date.parse(end) <= scope.now.getTime() + horizonMs,
  )
  const majors = sql.param(ended.map(([major]) => major))
  const ends = sql.param(ended.map(([, end]) => end))
  return selectEntries(
    'framework_unsupported',
    {
      ...ofWeb,
      since: sql`support.ends`,
      until: sql`support.ends`,
      framework: sql`webs.framework_name || ' ' || webs.framework_version`,
    },
    sql`from ${webs} ${withNode}
      join unnest(${majors}::text[], ${ends}::timestamptz(3)[]) support (major, ends) on support.major = ${majorVersion}
      where lower(webs.framework_name) = 'typo3' and ${majorVersion} = any(${majors}::text[])
        and webs.deleted_at is null and webs.status = 0`,
  )
}
