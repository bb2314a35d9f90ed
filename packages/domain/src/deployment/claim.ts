import type { DeploymentKind } from '@kustos/contract/deployment'
import { type Message, message } from '@kustos/contract/messages'
import { deploymentSteps, deployments, nodes, webs } from '@kustos/database/tables'
import { and, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { Context, Scope } from '../platform/context.ts'
import { toError } from '../platform/errors.ts'
import { leaseExpiry } from '../platform/lease.ts'
import { lockInTransaction } from '../platform/locks.ts'
import { storedMessage } from '../platform/stored-message.ts'
import { jobIdOf, runDeployment } from './jobs.ts'
import { writesSameKickDump } from './kick-dump.ts'
import type { ExecutionTools } from './tools.ts'

export interface Claim {
  readonly row: typeof deployments.$inferSelect & { readonly kind: DeploymentKind }
  readonly steps: readonly (typeof deploymentSteps.$inferSelect)[]
}

/**
 * Takes the lease of a deployment, unless the deployment is over, its lease is held, or it has to wait: each web runs one
 * deployment at a time, each kick dump is written by one and each node runs a few, in the order of the requests. One whose command
 * only has to be ended does not wait. Each claim has an epoch of its own.
 */
export async function claimDeployment(
  context: Context,
  id: number,
  { holder, nodeConcurrency }: { readonly holder: string; readonly nodeConcurrency: number },
): Promise<Claim | 'finished' | 'held' | 'waiting'> {
  // A thousand that wait check again and again. They do not take the lock to find out that they still have to.
  const [seen] = await context.db.select().from(deployments).where(eq(deployments.id, id))
  if (seen && (await hasToWait(context, seen, nodeConcurrency))) return 'waiting'
  return context.db.transaction(async (db) => {
    // One claim at a time, since it counts what others have claimed.
    await lockInTransaction(db, 'deployments')
    const [found] = await db
      .select({ row: deployments, isHeld: sql<boolean>`${deployments.held_until} > clock_timestamp()` })
      .from(deployments)
      .where(eq(deployments.id, id))
      .for('update')
    if (!found) return 'finished'
    const { row, isHeld } = found
    if (row.state !== 'waiting' && row.state !== 'running') return 'finished'
    if (row.state === 'running' && isHeld) return 'held'
    if (await hasToWait({ ...context, db }, row, nodeConcurrency)) return 'waiting'
    const now = context.now()
    const epoch = row.epoch + 1
    // Its worker died, since a deployment that is handed over has no holder.
    const died = row.state === 'running' && row.holder !== null
    const failed_executions = row.failed_executions + (died ? 1 : 0)
    await db
      .update(deployments)
      .set({
        state: 'running',
        epoch,
        failed_executions,
        holder,
        held_until: leaseExpiry,
        started_at: row.started_at ?? now,
        ...storedMessage('waits_for', null),
        updated_at: now,
      })
      .where(eq(deployments.id, id))
    const steps = await db
      .select()
      .from(deploymentSteps)
      .where(eq(deploymentSteps.deployment_id, id))
      .orderBy(deploymentSteps.step)
    return { row: { ...row, epoch, failed_executions, kind: row.kind as DeploymentKind }, steps }
  })
}

/** Stores the reason if there is one. */
async function hasToWait(
  scope: Scope,
  row: typeof deployments.$inferSelect,
  nodeConcurrency: number,
): Promise<boolean> {
  if (row.state !== 'waiting' || row.cancel_requested_at !== null) return false
  const reason = await reasonToWait(scope, row, nodeConcurrency)
  if (reason === null) return false
  const waits = storedMessage('waits_for', reason)
  if (waits.waits_for !== row.waits_for)
    await scope.db
      .update(deployments)
      .set({ ...waits, updated_at: scope.now() })
      .where(and(eq(deployments.id, row.id), eq(deployments.state, 'waiting')))
  return true
}

async function reasonToWait(
  { db }: Scope,
  row: typeof deployments.$inferSelect,
  nodeConcurrency: number,
): Promise<Message | null> {
  const others = and(
    ne(deployments.id, row.id),
    or(eq(deployments.state, 'running'), and(eq(deployments.state, 'waiting'), lt(deployments.id, row.id))),
  )
  if (row.web_id !== null) {
    const [other] = await db
      .select({ id: deployments.id, kind: deployments.kind, state: deployments.state })
      .from(deployments)
      .where(and(others, eq(deployments.web_id, row.web_id)))
      .orderBy(deployments.id)
      .limit(1)
    if (other)
      return message(other.state === 'running' ? 'waits_for_running_action' : 'waits_for_waiting_action', {
        kind: other.kind,
        id: other.id,
      })
  }
  if (row.node_id === null) return null
  const isSameKickDump = writesSameKickDump(row)
  if (isSameKickDump !== undefined) {
    const [other] = await db
      .select({ id: deployments.id })
      .from(deployments)
      .where(and(others, isSameKickDump))
      .orderBy(deployments.id)
      .limit(1)
    if (other) return message('waits_for_kick_dump', { id: other.id })
  }
  const isOnNode = eq(deployments.node_id, row.node_id)
  const running = await db.$count(deployments, and(isOnNode, eq(deployments.state, 'running')))
  const free = nodeConcurrency - running
  if (free > 0) {
    // Those ahead that could start; those that wait for their web or kick dump take no slot of the node.
    const ahead = await db.execute(sql`
      select d.id from ${deployments} d
      where d.node_id = ${row.node_id} and d.state = 'waiting' and d.id < ${row.id} and not exists (
        select from ${deployments} same
        where same.web_id = d.web_id and same.id <> d.id
          and (same.state = 'running' or same.state = 'waiting' and same.id < d.id))
        and (d.kind <> 'exportDatabaseKick' or not exists (
          select from ${deployments} same
            join ${webs} its_web on its_web.id = same.web_id
            join ${webs} own_web on own_web.id = d.web_id and own_web.repository = its_web.repository
          where same.kind = d.kind and same.node_id = d.node_id and same.id <> d.id
            and (same.state = 'running' or same.state = 'waiting' and same.id < d.id)))
      order by d.id
      limit ${free}`)
    if (ahead.rows.length < free) return null
  }
  const [node] = await db.select({ name: nodes.name }).from(nodes).where(eq(nodes.id, row.node_id))
  // Without numbers, which would change and update every screen whenever a deployment ends.
  return node ? message('waits_for_node', { node: node.name }) : null
}

/** Whether a deployment waits again, as after a retry. */
export async function isWaiting({ db }: Context, id: number): Promise<boolean> {
  const [row] = await db.select({ state: deployments.state }).from(deployments).where(eq(deployments.id, id))
  return row?.state === 'waiting'
}

/** Promotes the deployments that wait for the web or node of this one. */
export async function promoteNext({ db }: Context, tools: ExecutionTools, row: Claim['row']): Promise<void> {
  try {
    const next = await db
      .select({ id: deployments.id })
      .from(deployments)
      .where(
        and(
          eq(deployments.state, 'waiting'),
          row.node_id === null ? eq(deployments.fqdn, row.fqdn) : eq(deployments.node_id, row.node_id),
        ),
      )
      .orderBy(deployments.id)
      .limit(tools.nodeConcurrency + 1)
    for (const { id } of next)
      await tools.queues.promote(runDeployment.queue, jobIdOf(id)).catch(tools.onError)
  } catch (error) {
    // They check again by themselves.
    tools.onError(toError(error))
  }
}
