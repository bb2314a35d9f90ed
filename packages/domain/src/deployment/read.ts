import {
  type Deployment,
  type DeploymentKind,
  type DeploymentState,
  type DeploymentStep,
  type DeploymentSummary,
  type LogLine,
  maxLinesPerResponse,
  maxOwnDeployments,
} from '@kustos/contract/deployment'
import type { Transaction } from '@kustos/database/client'
import { deploymentLines, deploymentSteps, deployments, nodes, users } from '@kustos/database/tables'
import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, lte, max, not, or } from 'drizzle-orm'
import { type Context, requireActor } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { serializeDates } from '../platform/serialize-dates.ts'
import { nodeForFork, nodeForNewWeb } from './nodes.ts'
import type { DeploymentTools } from './tools.ts'

const pageSize = 1_000

/** In the words of an index. */
const isUnderWay = inArray(deployments.state, ['waiting', 'running'])

/** Newest first. @param query `before` is the id of the last deployment of the previous page, `since` when they were requested */
export async function listDeployments(
  { db }: Context,
  query: {
    readonly web?: number | undefined
    readonly webs?: readonly number[]
    readonly node?: number
    /** Only those that have ended, or only those that wait or run. */
    readonly isOver?: boolean
    readonly before?: number | undefined
    readonly ids?: readonly number[]
    readonly since?: Date
    readonly until?: Date
    readonly limit?: number
  },
): Promise<DeploymentSummary[]> {
  const rows = await selectDeployments(db)
    .where(
      and(
        query.web === undefined ? undefined : eq(deployments.web_id, query.web),
        query.webs && isAnyOf(deployments.web_id, query.webs),
        query.node === undefined ? undefined : eq(deployments.node_id, query.node),
        query.isOver === undefined ? undefined : query.isOver ? not(isUnderWay) : isUnderWay,
        query.before === undefined ? undefined : lt(deployments.id, query.before),
        query.ids && isAnyOf(deployments.id, query.ids),
        query.since && gte(deployments.created_at, query.since),
        query.until && lte(deployments.created_at, query.until),
      ),
    )
    .orderBy(desc(deployments.id))
    .limit(query.limit ?? pageSize)
  return rows.map(presentSummary)
}

/** Those that the acting user asked for and that are under way or have ended. @param endedAfter ISO time */
export async function listOwnDeployments(
  context: Context,
  endedAfter?: string,
): Promise<DeploymentSummary[]> {
  const { id } = requireActor(context)
  const rows = await selectDeployments(context.db)
    .where(
      and(
        eq(deployments.requested_by, id),
        // Users are notified of a batch as a whole, and of what was retried individually after that.
        or(isNull(deployments.batch_id), gt(deployments.attempts, 1)),
        endedAfter === undefined
          ? undefined
          : or(isNull(deployments.ended_at), gt(deployments.ended_at, new Date(endedAfter))),
      ),
    )
    // Those without an end come first.
    .orderBy(desc(deployments.ended_at), desc(deployments.id))
    .limit(maxOwnDeployments)
  return rows.map(presentSummary)
}

/** @throws DomainError not-found */
export async function readDeployment({ db }: Context, id: number): Promise<Deployment> {
  const [[found], steps, [lines], [ahead]] = await Promise.all([
    selectDeployments(db).where(eq(deployments.id, id)),
    db
      .select()
      .from(deploymentSteps)
      .where(eq(deploymentSteps.deployment_id, id))
      .orderBy(deploymentSteps.step),
    db
      .select({ last: max(deploymentLines.number) })
      .from(deploymentLines)
      .where(eq(deploymentLines.deployment_id, id)),
    db
      .select({ count: count() })
      .from(deployments)
      .where(and(eq(deployments.state, 'waiting'), lte(deployments.id, id))),
  ])
  if (!found) throw notFound('deployment_not_found', { id })
  const { deployment: row } = found
  return {
    ...presentSummary(found),
    place: row.state === 'waiting' ? (ahead?.count ?? null) : null,
    cancel_requested: row.ended_at === null && row.cancel_requested_at !== null,
    request: row.request,
    repository: row.repository,
    steps: steps.map(presentStep),
    last_line: lines?.last ?? 0,
  }
}

/** @param after the number of the last known line @throws DomainError not-found */
export async function readDeploymentLines({ db }: Context, id: number, after: number): Promise<LogLine[]> {
  const lines = await db
    .select()
    .from(deploymentLines)
    .where(and(eq(deploymentLines.deployment_id, id), gt(deploymentLines.number, after)))
    .orderBy(asc(deploymentLines.number))
    .limit(maxLinesPerResponse)
  if (lines.length === 0) {
    const [row] = await db.select({ id: deployments.id }).from(deployments).where(eq(deployments.id, id))
    if (!row) throw notFound('deployment_not_found', { id })
  }
  return lines.map(({ deployment_id: _, ...line }) => ({
    ...serializeDates(line),
    source: line.source as LogLine['source'],
  }))
}

/** @param source the repository to fork, which determines the node */
export async function readRequestOptions({ db }: Context, tools: DeploymentTools, source?: string) {
  const node = (source === undefined ? undefined : await nodeForFork(db, source)) ?? (await nodeForNewWeb(db))
  return { trial_day: tools.trialDay, node: node?.name ?? null }
}

const selectDeployments = (db: Transaction) =>
  db
    .select({ deployment: deployments, node: nodes.name, email: users.email })
    .from(deployments)
    .leftJoin(nodes, eq(nodes.id, deployments.node_id))
    .leftJoin(users, eq(users.id, deployments.requested_by))
    .$dynamic()

type JoinedDeployment = Awaited<ReturnType<typeof selectDeployments>>[number]

/** @param email of that user */
export const presentRequester = (
  id: number | null,
  email: string | null,
): DeploymentSummary['requested_by'] => (id === null || email === null ? null : { id, email })

const presentSummary = ({ deployment: row, node, email }: JoinedDeployment): DeploymentSummary => ({
  id: row.id,
  kind: row.kind as DeploymentKind,
  state: row.state as DeploymentState,
  fqdn: row.fqdn,
  web_id: row.web_id,
  batch_id: row.batch_id,
  node,
  requested_by: presentRequester(row.requested_by, email),
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
  attempts: row.attempts,
  error: row.error,
  error_code: row.error_code,
  error_params: row.error_params,
  waits_for: row.waits_for,
  waits_for_code: row.waits_for_code,
  waits_for_params: row.waits_for_params,
})

const presentStep = ({
  name,
  name_code,
  place,
  state,
  started_at,
  ended_at,
  error,
  error_code,
  error_params,
}: typeof deploymentSteps.$inferSelect): DeploymentStep => ({
  name,
  name_code,
  place: place as DeploymentStep['place'],
  state: state as DeploymentStep['state'],
  ...serializeDates({ started_at, ended_at }),
  error,
  error_code,
  error_params,
})
