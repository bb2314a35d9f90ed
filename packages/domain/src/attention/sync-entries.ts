import { inspections, nodes, registrarSyncs, repositorySyncs } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { type EntryScope, reasonIn, selectEntries, time } from './entry-sql.ts'

/** A single failed attempt, which is soon repeated, is none. */
const toleratedMinutes = 10

const failingSync = (
  kind: 'registrar_sync_failing' | 'repository_sync_failing',
  table: typeof registrarSyncs | typeof repositorySyncs,
): SQL => {
  // Releases before the column store no first failure.
  const since = sql`coalesce(sync.failing_since, sync.succeeded_at, sync.failed_at)`
  const due_at = sql`${since} + ${toleratedMinutes} * interval '1 minute'`
  return selectEntries(
    kind,
    { subject_id: sql`1`, since, due_at, ...reasonIn('sync', 'error') },
    sql`from ${table} sync where sync.error is not null`,
  )
}

export const failingRegistrarSync = (): SQL => failingSync('registrar_sync_failing', registrarSyncs)
export const failingRepositorySync = (): SQL => failingSync('repository_sync_failing', repositorySyncs)

/** Nodes whose webs could not be read, since the first failure after the last success, as far as inspections are kept. */
export const failingNodeSyncs = ({ now }: EntryScope): SQL => {
  const ended = sql`from ${inspections} i where i.node_id = nodes.id and i.kind = 'discovery' and i.ended_at <= ${time(now)}`
  return selectEntries(
    'node_sync_failing',
    {
      subject_id: sql`nodes.id`,
      since: sql`failing.since`,
      subject: sql`nodes.name`,
      node: sql`nodes.name`,
      reason: sql`failing.problem`,
      reason_code: sql`failing.codes -> 0 ->> 'code'`,
      reason_params: sql`failing.codes -> 0 -> 'params'`,
    },
    sql`from ${nodes}, lateral (
      select min(ended_at) as since, (array_agg(problems[1] order by id desc))[1] as problem,
        (array_agg(problem_codes order by id desc))[1] as codes
      from (select id, ended_at, problems, problem_codes ${ended} and i.state = 'failed') failed
      where ended_at > coalesce((select max(i.ended_at) ${ended} and i.state <> 'failed'), '-infinity')
    ) failing where failing.since is not null`,
  )
}
