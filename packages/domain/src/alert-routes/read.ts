import type { AlertRoute, alertRoutesRoutes } from '@kustos/contract/alert-routes'
import type { ParsedInput } from '@kustos/contract/route'
import type { Transaction } from '@kustos/database/client'
import { alertChannels, alertRoutes, nodes, rotas, webs } from '@kustos/database/tables'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { isAnyOf } from '../platform/is-any-of.ts'
import { canApply, type RoutedWeb, type RouteRow } from './matching.ts'

/** In the order in which they are evaluated. */
export const readRoutes = (db: Transaction, which?: SQL): Promise<RouteRow[]> =>
  db.select().from(alertRoutes).where(which).orderBy(asc(alertRoutes.position), asc(alertRoutes.id))

/** What routes are chosen by, by the web's id. */
export async function readRoutedWebs(
  db: Transaction,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RoutedWeb>> {
  const rows = ids.length === 0 ? [] : await selectRoutedWebs(db).where(isAnyOf(webs.id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

const selectRoutedWebs = (db: Transaction) =>
  db.select({ id: webs.id, customer: webs.customer, tags: webs.tags, node: webs.node_id }).from(webs)

/** The names of what routes refer to, by id. */
export interface RouteNames {
  readonly nodes: ReadonlyMap<number, string>
  readonly channels: ReadonlyMap<number, string>
  readonly rotas: ReadonlyMap<number, string>
}

type Referring = Pick<RouteRow, 'node_ids' | 'steps'>

export async function readRouteNames(db: Transaction, routes: readonly Referring[]): Promise<RouteNames> {
  const namesIn = async (table: typeof nodes | typeof alertChannels | typeof rotas, ids: number[]) => {
    const rows =
      ids.length === 0
        ? []
        : await db
            .select({ id: table.id, name: table.name })
            .from(table)
            .where(sql`${table.id} = any(${sql.param([...new Set(ids)])}::int[])`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const steps = routes.flatMap((route) => route.steps)
  return {
    nodes: await namesIn(
      nodes,
      routes.flatMap(({ node_ids }) => node_ids),
    ),
    channels: await namesIn(
      alertChannels,
      steps.flatMap(({ channels }) => channels),
    ),
    rotas: await namesIn(
      rotas,
      steps.flatMap((step) => step.rotas),
    ),
  }
}

/** What is known of ids, in their order. */
export const nameAll = (
  ids: readonly number[],
  names: ReadonlyMap<number, string>,
): { id: number; name: string }[] =>
  ids.flatMap((id) => {
    const name = names.get(id)
    return name === undefined ? [] : [{ id, name }]
  })

/** All routes, in the order in which they are evaluated, or the active ones that can apply to a customer or one of its webs. */
export async function listAlertRoutes(
  { db }: Pick<Scope, 'db'>,
  { customer }: ParsedInput<(typeof alertRoutesRoutes)['listAlertRoutes']>['query'] = {},
): Promise<AlertRoute[]> {
  const all = await readRoutes(db)
  const routes = customer === undefined ? all : await filterByCustomer(db, all, customer)
  const names = await readRouteNames(db, routes)
  return routes.map((row) => ({
    id: row.id,
    name: row.name,
    is_active: row.is_active,
    customers: row.customers,
    tags: row.tags,
    nodes: nameAll(row.node_ids, names.nodes).map(({ name }) => name),
    severities: row.severities,
    weekdays: row.weekdays,
    from_time: row.from_time,
    to_time: row.to_time,
    replaces_channels: row.replaces_channels,
    continues: row.continues,
    steps: row.steps.map((step) => ({
      after_minutes: step.after_minutes,
      channels: nameAll(step.channels, names.channels),
      rotas: nameAll(step.rotas, names.rotas),
    })),
    updated_at: row.updated_at.toISOString(),
  }))
}

async function filterByCustomer(
  db: Transaction,
  routes: readonly RouteRow[],
  customer: string,
): Promise<RouteRow[]> {
  const active = await selectRoutedWebs(db).where(and(eq(webs.customer, customer), isNull(webs.deleted_at)))
  // Alerts about its domains are not about a web.
  const subjects: readonly RoutedWeb[] = [...active, { customer, tags: [], node: null }]
  return routes.filter((route) => subjects.some((subject) => canApply(route, subject)))
}
