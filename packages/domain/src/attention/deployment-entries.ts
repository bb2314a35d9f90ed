import { deployments, nodes, webs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { type EntryScope, horizon, reasonIn, reasonOf, selectEntries, time } from './entry-sql.ts'

const ofDeployment = {
  subject_id: sql`d.id`,
  subject: sql`d.fqdn`,
  web_id: sql`d.web_id`,
  customer: sql`coalesce(webs.customer, d.request ->> 'customer')`,
  node: sql`nodes.name`,
  deployment_kind: sql`d.kind`,
}
const from = sql`from ${deployments} d
  left join ${webs} on webs.id = d.web_id
  left join ${nodes} on nodes.id = d.node_id`

/** Older failures are history. */
const failedForDays = 30

/** The latest deployment of its kind and web has failed. */
export const failedDeployments = ({ now }: EntryScope): SQL => {
  const later = sql`select from ${deployments} later where later.id > d.id and later.kind = d.kind`
  return selectEntries(
    'deployment_failed',
    { ...ofDeployment, since: sql`d.ended_at`, ...reasonIn('d', 'error') },
    sql`${from}
      where d.state = 'failed' and d.ended_at > ${time(now)} - ${failedForDays} * interval '1 day'
        and webs.deleted_at is null
        and not exists (${later} and later.web_id = d.web_id)
        and (d.web_id is not null or not exists (${later} and later.fqdn = d.fqdn))`,
  )
}

/** Minutes after which what should take seconds counts as stuck, and the time that a step may take. */
const startMinutes = 15
const takeoverMinutes = 5
const stepMinutes = 60

/**
 * Waiting ones that nobody starts although nothing keeps them waiting, and running ones without a worker or without progress.
 * `updated_at` is when a step last ended. Those that wait for another deployment are stuck only if that one is.
 */
export const stuckDeployments = (scope: EntryScope): SQL => {
  const since = { ...ofDeployment, since: sql`d.updated_at` }
  const after = (at: SQL, minutes: number) => sql`${at} + ${minutes} * interval '1 minute'`
  const isNear = (at: SQL) => sql`${at} <= ${horizon(scope)}`
  const start = after(sql`d.updated_at`, startMinutes)
  const takeover = after(sql`coalesce(d.held_until, d.updated_at)`, takeoverMinutes)
  const progress = after(sql`d.updated_at`, stepMinutes)
  return sql`${selectEntries(
    'deployment_stuck',
    { ...since, due_at: start, ...reasonOf('deployment_not_started') },
    sql`${from} where d.state = 'waiting' and d.waits_for is null and ${isNear(start)}`,
  )}
  union all ${selectEntries(
    'deployment_stuck',
    { ...since, due_at: takeover, ...reasonOf('deployment_worker_lost') },
    sql`${from} where d.state = 'running' and ${takeover} < ${progress} and ${isNear(takeover)}`,
  )}
  union all ${selectEntries(
    'deployment_stuck',
    { ...since, due_at: progress, ...reasonOf('deployment_no_progress') },
    sql`${from} where d.state = 'running' and ${takeover} >= ${progress} and ${isNear(progress)}`,
  )}`
}
