import type { AlertRouteChange, NewAlertRoute } from '@kustos/contract/alert-routes'
import { maxRoutes } from '@kustos/contract/alert-routes'
import { message } from '@kustos/contract/messages'
import { alertChannels, alertRoutes, rotas } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import { resolveTargets } from '../maintenance/index.ts'
import {
  type AuditTransaction,
  difference,
  entriesOf,
  nextUpdatedAt,
  rejectStaleWrite,
  withAudit,
} from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { conflict, invalid, notFound } from '../platform/errors.ts'
import { lockInTransaction } from '../platform/locks.ts'
import type { RouteRow } from './matching.ts'
import { nameAll, readRouteNames, readRoutes } from './read.ts'

const entry = entriesOf('alert-routes', 'alert_route')

/** @throws DomainError invalid, by field, for what does not exist; conflict if there are too many */
export const createAlertRoute = (context: Context, input: NewAlertRoute): Promise<{ readonly id: number }> =>
  withAudit(context, async (tx) => {
    const values = await resolve(tx, input)
    await lockInTransaction(tx.db, 'alert-routes')
    const others = await readRoutes(tx.db)
    if (others.length >= maxRoutes) throw conflict('alert_routes_full', { max: maxRoutes })
    const position = (others.at(-1)?.position ?? 0) + 1
    const [row] = await tx.db
      .insert(alertRoutes)
      .values({ ...values, position, created_at: tx.now(), updated_at: tx.now() })
      .returning()
    if (!row) throw new Error('The route was not inserted')
    await tx.record({ ...entry('created', row.id), attributes: await logged(tx, row) })
    return { id: row.id }
  })

/** @throws DomainError not-found; conflict if it has changed since `updated_at`; invalid as for a new one */
export const editAlertRoute = (
  context: Context,
  id: number,
  { updated_at: seen, ...input }: AlertRouteChange,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const values = await resolve(tx, input)
    const row = await lockRoute(tx, id)
    await rejectStaleWrite(tx, { type: 'alert_route', id }, 'alert_route', row.updated_at, seen)
    const [before, after] = [await logged(tx, row), await logged(tx, values)]
    const changed =
      difference(before, after) ??
      // A rota may have been replaced by another one of the same name.
      (difference(rotasOf(row), rotasOf(values)) && {
        old: { steps: before.steps },
        attributes: { steps: after.steps },
      })
    if (changed === null) return tx.skipAudit()
    await tx.db
      .update(alertRoutes)
      .set({ ...values, updated_at: nextUpdatedAt(row, tx) })
      .where(eq(alertRoutes.id, id))
    await tx.record({ ...entry('updated', id), ...changed })
  })

/** @throws DomainError not-found */
export const deleteAlertRoute = (context: Context, id: number): Promise<void> =>
  withAudit(context, async (tx) => {
    const row = await lockRoute(tx, id)
    await tx.db.delete(alertRoutes).where(eq(alertRoutes.id, id))
    await tx.record({ ...entry('deleted', id), old: await logged(tx, row) })
  })

/** @param ids all routes in their new order @throws DomainError conflict if there are others */
export const orderAlertRoutes = (context: Context, ids: readonly number[]): Promise<void> =>
  withAudit(context, (tx) => orderRoutesInTransaction(tx, ids))

/** @throws DomainError as `orderAlertRoutes` */
export async function orderRoutesInTransaction(tx: AuditTransaction, ids: readonly number[]): Promise<void> {
  await lockInTransaction(tx.db, 'alert-routes')
  const routes = await readRoutes(tx.db)
  const known = nameRoutes(routes)
  if (ids.length !== routes.length || new Set(ids).size < ids.length || !ids.every((id) => known.has(id)))
    throw conflict('alert_routes_changed')
  if (routes.every(({ id }, index) => ids[index] === id)) return tx.skipAudit()
  await tx.db.execute(sql`
    update ${alertRoutes} set position = placed.position
    from unnest(${sql.param([...ids])}::int[]) with ordinality as placed (id, position)
    where ${alertRoutes.id} = placed.id`)
  // All routes have one order.
  const subject = { type: 'alert_route_order', id: 1 }
  await tx.record({
    log: 'alert-routes',
    description: 'updated',
    subject,
    old: { order: routes.map(({ id }) => known.get(id)) },
    attributes: { order: ids.map((id) => known.get(id)) },
  })
}

/** The name of a route among others of the same name. */
export const nameWithId = ({ id, name }: Pick<RouteRow, 'id' | 'name'>): string => `${name} (${id})`

/** Names that tell routes apart, by id. */
function nameRoutes(routes: readonly RouteRow[]): ReadonlyMap<number, string> {
  const byName = Map.groupBy(routes, ({ name }) => name)
  return new Map(
    routes.map((route) => [route.id, byName.get(route.name)?.length === 1 ? route.name : nameWithId(route)]),
  )
}

async function lockRoute(tx: AuditTransaction, id: number): Promise<RouteRow> {
  // Before its row, as a change of the order does.
  await lockInTransaction(tx.db, 'alert-routes')
  const [row] = await tx.db.select().from(alertRoutes).where(eq(alertRoutes.id, id)).for('update')
  if (!row) throw notFound('alert_route_not_found', { id })
  return row
}

type Values = Omit<RouteRow, 'id' | 'position' | 'created_at' | 'updated_at'>

/**
 * What a form names, as it is stored. Locks it, and so has to come before the locks of routes: a tag that is renamed and a customer that
 * is merged are locked before the routes that name them.
 */
async function resolve(tx: AuditTransaction, input: NewAlertRoute): Promise<Values> {
  const scope = await resolveTargets(tx, { ...input, webs: [] })
  const named = (name: 'channels' | 'rotas') => [...new Set(input.steps.flatMap((step) => step[name]))].sort()
  // Kept from being deleted until the route is stored.
  const known = async (table: typeof alertChannels | typeof rotas, ids: number[]) => {
    const rows = await tx.db
      .select({ id: table.id })
      .from(table)
      .where(sql`${table.id} = any(${sql.param(ids)}::int[])`)
      .orderBy(table.id)
      .for('key share')
    const found = new Set(rows.map(({ id }) => id))
    return ids.find((id) => !found.has(id))
  }
  const channel = await known(alertChannels, named('channels'))
  if (channel !== undefined) throw invalid({ steps: message('alert_channel_not_found', { id: channel }) })
  const rota = await known(rotas, named('rotas'))
  if (rota !== undefined) throw invalid({ steps: message('rota_not_found', { id: rota }) })
  return {
    name: input.name,
    is_active: input.is_active,
    customers: scope.customers,
    tags: scope.tags,
    node_ids: scope.node_ids,
    severities: [...new Set(input.severities)],
    weekdays: [...new Set(input.weekdays)].sort(),
    from_time: input.from_time,
    to_time: input.to_time,
    replaces_channels: input.replaces_channels,
    continues: input.continues,
    steps: input.steps.map((step, index) => ({
      channels: [...new Set(step.channels)],
      rotas: [...new Set(step.rotas)],
      after_minutes: index === 0 ? 0 : step.after_minutes,
    })),
  }
}

const rotasOf = ({ steps }: Values) => ({ rotas: steps.map((step) => step.rotas) })

/** What users edit. */
async function logged({ db }: AuditTransaction, row: Values) {
  const names = await readRouteNames(db, [row])
  const { is_active, customers, tags, severities, weekdays, from_time, to_time } = row
  return {
    name: row.name,
    is_active,
    customers,
    tags,
    nodes: nameAll(row.node_ids, names.nodes).map(({ name }) => name),
    severities,
    weekdays,
    from_time,
    to_time,
    replaces_channels: row.replaces_channels,
    continues: row.continues,
    steps: row.steps.map(({ after_minutes, channels, rotas: ofStep }) => ({
      after_minutes,
      channels: nameAll(channels, names.channels).map(({ name }) => name),
      rotas: nameAll(ofStep, names.rotas).map(({ name }) => name),
    })),
  }
}
