import { type MaintenanceWindow, type maintenanceRoutes, maxPastWindows } from '@kustos/contract/maintenance'
import type { ParsedInput, RouteResponse } from '@kustos/contract/route'
import {
  maintenanceOccurrences,
  maintenanceScopes,
  maintenanceWindows,
  nodes,
  users,
  webs,
} from '@kustos/database/tables'
import { and, arrayContains, desc, eq, gt, isNull, lte, max, not, type SQL, sql } from 'drizzle-orm'
import type { Context, Scope } from '../platform/context.ts'
import { isLiveWindow } from '../platform/live-windows.ts'
import { visibleWebs } from '../platform/visible-webs.ts'
import { readWebsInMaintenance, scopeCovers } from './coverage.ts'
import { nextOccurrence } from './occurrences.ts'
import type { WindowRow } from './plan-occurrences.ts'
import { isVisible, readTargets, type StoredScope, type Targets } from './targets.ts'

type Filters = ParsedInput<(typeof maintenanceRoutes)['listWindows']>['query']

/** Windows that run, then those to come, then past ones, the newest first; as far as the acting user may see them. */
export async function listWindows(context: Context, filters: Filters): Promise<MaintenanceWindow[]> {
  const now = context.now()
  const which = await conditionOf(context, filters)
  if (which === null) return []
  const [live, past] = await Promise.all([
    readWindows(context.db, now, and(which, isLiveWindow(now))),
    readWindows(context.db, now, and(which, not(isLiveWindow(now) ?? sql`false`)), maxPastWindows),
  ])
  const found = [...live, ...past]
  const targetsOf = await readTargets(
    context,
    found.map(({ scope }) => scope),
  )
  return found
    .map((row) => ({ row, targets: targetsOf(row.scope) }))
    .filter(({ targets }) => isVisible(targets))
    .map(({ row, targets }) => present(row, targets, now))
    .filter(({ state }) => filters.state === undefined || filters.state === state)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The webs that are in maintenance now, as far as the acting user may see them. */
export async function listWebsInMaintenance(
  context: Context,
  web?: number,
): Promise<RouteResponse<(typeof maintenanceRoutes)['listWebsInMaintenance']>> {
  const visible = context.db.select({ id: webs.id }).from(webs).where(visibleWebs(context))
  const ends = await readWebsInMaintenance(context.db, context.now(), web, visible.getSQL())
  return { data: [...ends].map(([web_id, until]) => ({ web_id, until: until.toISOString() })) }
}

/** Null if nothing matches. */
async function conditionOf(context: Context, { web, node, customer, tag }: Filters): Promise<SQL | null> {
  const conditions: SQL[] = [isNull(maintenanceWindows.deleted_at)]
  if (web !== undefined) {
    const found = await context.db
      .select({ id: webs.id })
      .from(webs)
      .where(and(eq(webs.id, web), visibleWebs(context)))
    if (found.length === 0) return null
    conditions.push(scopeCovers(sql`${maintenanceScopes.id}`, sql`select ${web}::int`))
  }
  if (node !== undefined) {
    const [found] = await context.db.select({ id: nodes.id }).from(nodes).where(eq(nodes.name, node))
    if (!found) return null
    conditions.push(arrayContains(maintenanceScopes.node_ids, [found.id]))
  }
  if (customer !== undefined) {
    const ofCustomer = sql`select w.id from webs w where w.customer = ${customer} and w.deleted_at is null`
    conditions.push(
      sql`(${arrayContains(maintenanceScopes.customers, [customer])}
        or ${scopeCovers(sql`${maintenanceScopes.id}`, ofCustomer)})`,
    )
  }
  if (tag !== undefined) conditions.push(arrayContains(maintenanceScopes.tags, [tag]))
  return and(...conditions) ?? null
}

export interface FoundWindow {
  readonly window: WindowRow
  readonly scope: StoredScope
  readonly planner: MaintenanceWindow['planned_by']
  readonly runningUntil: Date | null
}

/** @param limit of the newest */
export async function readWindows(
  db: Scope['db'],
  now: Date,
  which: SQL | undefined,
  limit?: number,
): Promise<FoundWindow[]> {
  const { window_id, starts_at, ends_at } = maintenanceOccurrences
  const running = db
    .select({ window_id, until: max(ends_at).as('until') })
    .from(maintenanceOccurrences)
    .where(and(lte(starts_at, now), gt(ends_at, now)))
    .groupBy(window_id)
    .as('running')
  const query = db
    .select({
      window: maintenanceWindows,
      scope: maintenanceScopes,
      planner: { id: users.id, email: users.email },
      runningUntil: running.until,
    })
    .from(maintenanceWindows)
    .innerJoin(maintenanceScopes, eq(maintenanceScopes.id, maintenanceWindows.scope_id))
    .leftJoin(users, eq(users.id, maintenanceWindows.planned_by))
    .leftJoin(running, eq(running.window_id, maintenanceWindows.id))
    .where(which)
    .orderBy(desc(maintenanceWindows.id))
  return limit === undefined ? query : query.limit(limit)
}

/** When a window takes place next, after what runs. */
export const nextStart = (window: WindowRow, now: Date): Date | null =>
  nextOccurrence(window, now)?.starts_at ?? null

function present(
  { window, planner, runningUntil }: FoundWindow,
  targets: Targets,
  now: Date,
): MaintenanceWindow {
  const next = nextStart(window, now)
  const iso = (at: Date | null) => at?.toISOString() ?? null
  const { weekdays, month_days, start_time, duration_minutes, first_day, last_day } = window
  return {
    id: window.id,
    reason: window.reason,
    ...targets,
    repeats: window.repeats,
    starts_at: iso(window.starts_at),
    ends_at: iso(window.ends_at),
    weekdays,
    month_days,
    start_time,
    duration_minutes,
    first_day,
    last_day,
    state: runningUntil !== null ? 'running' : next !== null ? 'upcoming' : 'past',
    running_until: iso(runningUntil),
    next_starts_at: iso(next),
    planned_by: planner,
    created_at: window.created_at.toISOString(),
    updated_at: window.updated_at.toISOString(),
  }
}

const states = ['running', 'upcoming', 'past']
/** Those that end or begin soonest come first, of past ones the newest. */
function placeOf({ state, running_until, next_starts_at, id }: MaintenanceWindow): number {
  const within = state === 'past' ? -id : Date.parse(running_until ?? next_starts_at ?? '')
  return states.indexOf(state) * 1e14 + within
}
