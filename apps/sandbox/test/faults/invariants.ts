import type { OpenDatabase } from '@kustos/database/client'
import { sql } from 'drizzle-orm'

/** The part of the database that belongs to a load. */
export interface LoadScope {
  /** When the load started. */
  readonly since: Date
  readonly lastKill: Date
  /** The highest ids before the load. */
  readonly log: number
  readonly deployment: number
  readonly inspection: number
  /** Hosts whose status changes by itself. */
  readonly unstable: readonly string[]
  /** Hosts that are always down. */
  readonly dead: readonly string[]
}

/**
 * Rules that hold whenever no work is pending, however often programs were killed. Each query selects the violations.
 * What constraints of the database already prevent is not checked again.
 */
export const invariants = {
  'a deployment ends': ({ deployment }: LoadScope) => sql`
    select id, kind, state, waits_for, held_until from deployments
    where id > ${deployment} and state in ('waiting', 'running')`,

  // One that waits has the workers of those before it on its node, as long as these run and end.
  'an unfinished deployment has a worker': ({ deployment }: LoadScope) => sql`
    select id, kind, state, waits_for, held_until from deployments d
    where id > ${deployment} and (state = 'running' and held_until < clock_timestamp()
      or state = 'waiting' and not exists (select from deployments other where other.node_id = d.node_id
        and (other.state = 'running' or other.ended_at > clock_timestamp() - interval '20 s')))`,

  'a succeeded deployment has finished all its steps': ({ deployment }: LoadScope) => sql`
    select d.id, s.name, s.state from deployments d join deployment_steps s on s.deployment_id = d.id
    where d.id > ${deployment} and d.state = 'succeeded' and s.state not in ('succeeded', 'skipped')`,

  'no deployment fails because of a fault': ({ deployment }: LoadScope) => sql`
    select id, kind, error from deployments
    where id > ${deployment} and error ~* 'kustos itself|recipe|connection|lost|terminated|ECONN|was ended by'`,

  'a deployment has one log entry for its request and one for its end': ({ deployment }: LoadScope) => sql`
    select d.id, d.kind, d.state, count(*) filter (where l.description like '% requested') as requests,
      count(*) filter (where l.description like '% ' || d.state) as ends
    from deployments d left join log_entries l on l.log_name = 'deployment'
      and (l.properties->'attributes'->>'deployment' = d.id::text
        or l.subject_type = 'deployment' and l.subject_id = d.id and l.description = 'newWeb requested')
    where d.id > ${deployment} group by d.id
    having count(*) filter (where l.description like '% requested') <> 1
      or count(*) filter (where l.description like '% ' || d.state) <> 1`,

  'a deployment’s lines are numbered without gaps': ({ deployment }: LoadScope) => sql`
    select deployment_id, count(*), max(number) from deployment_lines where deployment_id > ${deployment}
    group by deployment_id having count(*) <> max(number)`,

  'a succeeded request has created one web': ({ deployment }: LoadScope) => sql`
    select d.id, d.fqdn, count(w.id) from deployments d left join webs w on w.fqdn = d.fqdn
    where d.id > ${deployment} and d.kind = 'newWeb' and d.state = 'succeeded'
    group by d.id having count(w.id) <> 1 or min(w.id) is distinct from d.web_id or min(w.status) is distinct from 0`,

  'a change has one log entry': ({ log }: LoadScope) => sql`
    select value, count(*) from (
      select coalesce(properties->'attributes'->>'comment', properties->'attributes'->>'domainprovider',
        properties->'attributes'->>'name') as value
      from log_entries where id > ${log} and description in ('created', 'updated')) entries
    where value like 'value-%' group by value having count(*) > 1`,

  'a deletion has one log entry': ({ log }: LoadScope) => sql`
    select subject_type, subject_id, count(*) from log_entries where id > ${log} and description = 'deleted'
    group by subject_type, subject_id having count(*) > 1`,

  'a requested inspection has one log entry': ({ inspection }: LoadScope) => sql`
    select i.id, count(l.id) from inspections i left join log_entries l
      on l.description in ('refresh requested', 'audit requested')
      and l.properties->'attributes'->>'inspection' = i.id::text
    where i.id > ${inspection} and i.requested_by is not null group by i.id having count(l.id) <> 1`,

  'a requested inspection ends': ({ inspection }: LoadScope) => sql`
    select id, kind, state, started_at from inspections
    where id > ${inspection} and requested_by is not null and state in ('waiting', 'running')`,

  'an unfinished inspection has a worker': ({ inspection }: LoadScope) => sql`
    select id, kind, state, started_at from inspections
    where id > ${inspection} and requested_by is not null and state in ('waiting', 'running')
      and not exists (select from leases where name = 'inspection ' || inspections.id and expires_at > clock_timestamp())`,

  'no inspection fails because of a fault': ({ inspection }: LoadScope) => sql`
    select id, kind, problems from inspections
    where id > ${inspection} and exists (select from unnest(problems) p where p ~ 'Internal error')`,

  'a round that started before the last kill is evaluated': ({ lastKill }: LoadScope) => sql`
    select round_at, shards from probe_rounds where round_at <= ${lastKill.toISOString()} and judged_at is null`,

  'a finished round is evaluated within a minute': ({ since }: LoadScope) => sql`
    select round_at from probe_rounds where round_at >= ${since.toISOString()} and judged_at is null
      and round_at + make_interval(secs => interval_seconds + 60) < now()`,

  'an evaluated round has the right number of probes': ({ since }: LoadScope) => sql`
    select r.round_at, r.probes, count(s.web_id) from probe_rounds r
    left join statistics s on s.round_at = r.round_at
    where r.round_at >= ${since.toISOString()} and r.judged_at is not null
    group by r.round_at having r.probes <> count(s.web_id)`,

  'a round with all its shards has probed every web that was monitored before and after': ({
    since,
    inspection,
  }: LoadScope) => sql`
    with complete as (
      select r.round_at from probe_rounds r join probe_shards p on p.round_at = r.round_at
      where r.round_at >= ${since.toISOString()} and r.judged_at is not null
      group by r.round_at having count(*) = r.shards),
    monitored as (
      select s.web_id, min(s.round_at) as first, max(s.round_at) as last from statistics s
      where s.round_at >= ${since.toISOString()}
        -- A refresh may end the monitoring of a web for a while.
        and not exists (select from inspections i where i.web_id = s.web_id and i.id > ${inspection})
      group by s.web_id)
    select complete.round_at, monitored.web_id from complete
    join monitored on complete.round_at between monitored.first and monitored.last
    where not exists (
      select from statistics s where s.round_at = complete.round_at and s.web_id = monitored.web_id)`,

  'a web that responds is never down': ({ since, unstable }: LoadScope) => sql`
    select i.id, w.fqdn, i.reason, i.started_at from incidents i join webs w on w.id = i.web_id
    where (i.started_at >= ${since.toISOString()} or i.ended_at is null) and i.kind <> 'moved' and w.fqdn_ascii <> all(${sql.param([...unstable])}::text[])`,

  'a web that never responds has one open incident': ({ since, inspection, dead }: LoadScope) => sql`
    with probed as (
      select s.web_id, max(s.round_at) as last from statistics s
      join probe_rounds r on r.round_at = s.round_at join webs w on w.id = s.web_id
      where s.round_at >= ${since.toISOString()} and r.state = 'known'
        and w.fqdn_ascii = any(${sql.param([...dead])}::text[])
        -- A refresh may end the monitoring of a web for a while.
        and not exists (select from inspections i where i.web_id = s.web_id and i.id > ${inspection})
      -- The second failure confirms the incident.
      group by s.web_id having count(*) > 2)
    select p.web_id, p.last, count(i.id), max(i.watched_until) as until from probed p
    left join incidents i on i.web_id = p.web_id and coalesce(i.ended_at, 'infinity') >= ${since.toISOString()}
    group by p.web_id, p.last
    having count(i.id) <> 1 or bool_or(i.ended_at is not null) or max(i.watched_until) <= p.last`,

  'downtime and gaps lie within their incident': ({ since }: LoadScope) => sql`
    select i.id from incidents i left join incident_gaps g on g.incident_id = i.id
    where i.watched_until >= ${since.toISOString()} and (i.ended_at < i.started_at
      or i.last_failed_at < i.started_at or g.ended_at < g.started_at or g.started_at < i.started_at
      or g.ended_at > coalesce(i.ended_at, i.last_failed_at))`,

  'an alert is sent within a minute': () => sql`
    select id, channel, attempts, error from alerts
    where sent_at is null and failed_at is null and created_at < now() - interval '1 minute'`,

  'a session belongs to an existing user': () => sql`
    select s.number from sessions s join users u on u.id = s.user_id where u.deleted_at is not null`,
} as const satisfies Readonly<Record<string, (scope: LoadScope) => ReturnType<typeof sql>>>

/** @returns a line for each violated rule, with examples */
export async function findViolations(
  { db }: Pick<OpenDatabase, 'db'>,
  scope: LoadScope,
  rules: readonly (keyof typeof invariants)[] = Object.keys(invariants) as (keyof typeof invariants)[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const rule of rules) {
    const { rows } = await db.execute(invariants[rule](scope))
    if (rows.length > 0)
      found.push(`${rule}: ${rows.length} violations, such as ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return found
}

/** Reads the scope of a load that is about to start. */
export async function readLoadScope(
  { db }: Pick<OpenDatabase, 'db'>,
  { unstable, dead }: Pick<LoadScope, 'unstable' | 'dead'>,
): Promise<LoadScope> {
  const { rows } = await db.execute<{
    log: number
    deployment: number
    inspection: number
    since: string
  }>(sql`
    select (select coalesce(max(id), 0)::int from log_entries) as log,
      (select coalesce(max(id), 0)::int from deployments) as deployment,
      (select coalesce(max(id), 0)::int from inspections) as inspection, now() as since`)
  const [latest] = rows
  if (!latest) throw new Error('The query returned no row')
  const since = new Date(latest.since)
  return { ...latest, since, lastKill: since, unstable, dead }
}
