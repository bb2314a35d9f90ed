import type { DeploymentKind } from '@kustos/contract/deployment'
import { deploymentSteps, deployments, nodes } from '@kustos/database/tables'
import { and, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { Context, Scope } from '../context.ts'

export interface Claim {
  readonly row: typeof deployments.$inferSelect & { readonly kind: DeploymentKind }
  readonly steps: readonly (typeof deploymentSteps.$inferSelect)[]
}

export interface Claimant {
  /** Names this execution among all. */
  readonly holder: string
  readonly nodeConcurrency: number
}

/** How long an execution that says nothing counts as alive, in seconds; it speaks every second. */
const silence = 8

/** Those who claim come one after the other: what they count must not change meanwhile. */
const claiming = 4_071_969

/**
 * Takes hold of a deployment, unless it is over, held by a living execution, or has to wait for its turn: one at a time
 * for each web, some for each node, in the order in which they were asked for.
 */
export function claim(
  context: Context,
  id: number,
  { holder, nodeConcurrency }: Claimant,
): Promise<Claim | 'over' | 'held' | 'waiting'> {
  return context.db.transaction(async (db) => {
    await db.execute(sql`select pg_advisory_xact_lock(${claiming})`)
    const [found] = await db
      .select({ row: deployments, isHeld: sql<boolean>`${deployments.held_until} > clock_timestamp()` })
      .from(deployments)
      .where(eq(deployments.id, id))
      .for('update')
    if (!found) return 'over'
    const { row, isHeld } = found
    if (row.state !== 'waiting' && row.state !== 'running') return 'over'
    if (row.state === 'running') {
      if (isHeld) return 'held'
    } else {
      const reason = await reasonToWait({ ...context, db }, row, nodeConcurrency)
      if (reason !== null) {
        if (reason !== row.waits_for)
          await db
            .update(deployments)
            .set({ waits_for: reason, updated_at: context.now() })
            .where(eq(deployments.id, id))
        return 'waiting'
      }
    }
    const now = context.now()
    await db
      .update(deployments)
      .set({
        state: 'running',
        holder,
        held_until: aWhile,
        started_at: row.started_at ?? now,
        waits_for: null,
        updated_at: now,
      })
      .where(eq(deployments.id, id))
    const steps = await db
      .select()
      .from(deploymentSteps)
      .where(eq(deploymentSteps.deployment_id, id))
      .orderBy(deploymentSteps.step)
    // The table holds what the contract's kinds wrote.
    return { row: { ...row, kind: row.kind as DeploymentKind }, steps }
  })
}

const aWhile = sql`clock_timestamp() + make_interval(secs => ${silence})`

/**
 * Says that the holder still lives.
 * @returns whether its end was asked for; 'lost' where another execution holds the deployment meanwhile
 */
export async function holdOn(
  { db }: Pick<Context, 'db'>,
  id: number,
  holder: string,
): Promise<'go on' | 'cancel' | 'lost'> {
  const [row] = await db
    .update(deployments)
    .set({ held_until: aWhile })
    .where(and(eq(deployments.id, id), eq(deployments.holder, holder), eq(deployments.state, 'running')))
    .returning({ cancel: deployments.cancel_requested_at })
  if (!row) return 'lost'
  return row.cancel === null ? 'go on' : 'cancel'
}

async function reasonToWait(
  { db }: Scope,
  row: typeof deployments.$inferSelect,
  nodeConcurrency: number,
): Promise<string | null> {
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
    if (other) return `${other.kind} (deployment ${other.id}) of the same web is ${other.state}.`
  }
  if (row.node_id === null) return null
  // Those ahead of it that could begin: what waits for its web takes no place on the node.
  const taken = await db.execute<{ running: number; ahead: number; name: string }>(sql`
    select n.name,
      count(*) filter (where d.state = 'running')::int as running,
      count(*) filter (where d.state = 'waiting' and d.id < ${row.id} and not exists (
        select from ${deployments} same
        where same.web_id = d.web_id and same.id <> d.id
          and (same.state = 'running' or same.state = 'waiting' and same.id < d.id)))::int as ahead
    from ${nodes} n
    left join ${deployments} d on d.node_id = n.id and d.state in ('waiting', 'running') and d.id <> ${row.id}
    where n.id = ${row.node_id}
    group by n.name`)
  const [node] = taken.rows
  if (!node || node.running + node.ahead < nodeConcurrency) return null
  // Without figures: they would change, and be told to every screen, with each that ends.
  return `Node ${node.name} carries out as many deployments as it may; it takes them in their order.`
}
