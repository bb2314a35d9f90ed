import { accessOf, type DeploymentKind } from '@kustos/contract/deployment'
import { can } from '@kustos/contract/permissions'
import { deploymentSteps, deployments, nodes } from '@kustos/database/tables'
import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { type Change, change } from '../audit.ts'
import type { Context, Scope } from '../context.ts'
import { conflict, forbidden, notFound } from '../errors.ts'
import { handOver } from './accept.ts'
import { jobIdOf, runDeployment } from './jobs.ts'
import { strangenessOf, unlessUnderWay, wrongServer } from './refusals.ts'
import { whoHasSystemUser } from './system-user.ts'
import type { DeploymentTools } from './tools.ts'

/**
 * Lets a deployment that failed or was cancelled go on with the step that was not done.
 * @throws DomainError not-found; forbidden; conflict in another state, on a node that is not cloud-enabled any more, and
 * where its like is under way
 */
export async function retryDeployment(context: Context, tools: DeploymentTools, id: number): Promise<void> {
  const row = await unlessUnderWay(() =>
    change(context, async (inside) => {
      const found = await lock(inside, id)
      if (found.state !== 'failed' && found.state !== 'cancelled')
        throw conflict(
          `Deployment ${id} is ${found.state}: only what failed or was cancelled can be retried.`,
        )
      await checkTarget(inside, found)
      await inside.db
        .update(deployments)
        .set({
          state: 'waiting',
          attempts: found.attempts + 1,
          error: null,
          waits_for: null,
          cancel_requested_at: null,
          holder: null,
          held_until: null,
          ended_at: null,
          updated_at: inside.now(),
        })
        .where(eq(deployments.id, id))
      await inside.db
        .update(deploymentSteps)
        .set({ state: 'pending', started_at: null, ended_at: null, error: null })
        .where(
          and(
            eq(deploymentSteps.deployment_id, id),
            notInArray(deploymentSteps.state, ['succeeded', 'skipped']),
          ),
        )
      await record(inside, found, 'retried')
      return found
    }),
  )
  await handOver(context, tools, { deployment: id, kind: row.kind, fqdn: row.fqdn, web_id: row.web_id })
}

/**
 * Takes a waiting deployment out, or asks for the end of a running one; its holder ends the command and then the row.
 * @throws DomainError not-found; forbidden; conflict where it has ended already
 */
export async function cancelDeployment(context: Context, tools: DeploymentTools, id: number): Promise<void> {
  const state = await change(context, async (inside) => {
    const found = await lock(inside, id)
    const now = inside.now()
    if (found.state !== 'waiting' && found.state !== 'running')
      throw conflict(
        `Deployment ${id} has ${found.state === 'cancelled' ? 'been cancelled' : found.state} already.`,
      )
    if (found.state === 'waiting') {
      await inside.db
        .update(deployments)
        .set({ state: 'cancelled', ended_at: now, updated_at: now, waits_for: null })
        .where(eq(deployments.id, id))
      await inside.db
        .update(deploymentSteps)
        .set({ state: 'cancelled' })
        .where(
          and(eq(deploymentSteps.deployment_id, id), inArray(deploymentSteps.state, ['pending', 'running'])),
        )
    } else {
      await inside.db
        .update(deployments)
        .set({ cancel_requested_at: found.cancel_requested_at ?? now, updated_at: now })
        .where(eq(deployments.id, id))
    }
    await record(inside, found, 'cancelled')
    return found.state
  })
  // A job that stays finds the row cancelled, and does nothing.
  if (state === 'waiting') await tools.queues.remove(runDeployment.queue, jobIdOf(id)).catch(tools.onError)
}

type Row = typeof deployments.$inferSelect & { readonly kind: DeploymentKind }

async function lock(inside: Change, id: number): Promise<Row> {
  const [row] = await inside.db.select().from(deployments).where(eq(deployments.id, id)).for('update')
  if (!row) throw notFound(`Deployment ${id}`)
  // The table holds what the contract's kinds wrote.
  const kind = row.kind as DeploymentKind
  if (!can(inside.actor, accessOf(kind))) throw forbidden(`${kind} takes another permission.`)
  return { ...row, kind }
}

/** What is refused when it is asked for is refused when it is retried. */
async function checkTarget(inside: Scope, row: Row): Promise<void> {
  if (row.node_id !== null) {
    const [node] = await inside.db.select().from(nodes).where(eq(nodes.id, row.node_id))
    if (node?.cloud_enabled !== true) throw conflict(wrongServer)
    if (row.request !== null && row.web_id === null) {
      const { fqdn, request } = row
      const taken = await whoHasSystemUser(inside.db, { fqdn, bnName: request.bnName, node })
      if (taken !== null) throw conflict(`${taken}: ask anew with another TP number.`)
    }
  }
  const strangeness = row.web_id === null ? null : await strangenessOf(inside.db, row, row.web_id)
  if (strangeness !== null) throw conflict(strangeness)
}

const record = (inside: Change, row: Row, what: 'retried' | 'cancelled') =>
  inside.record({
    log: 'deployment',
    description: `${row.kind} ${what}`,
    subject: row.web_id === null ? { type: 'deployment', id: row.id } : { type: 'web', id: row.web_id },
    attributes: { deployment: row.id },
  })
