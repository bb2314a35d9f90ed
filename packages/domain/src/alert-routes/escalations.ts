import type { AlertSeverity, WarningSeverity } from '@kustos/contract/alert-routes'
import type { Transaction } from '@kustos/database/client'
import { alertEscalations, incidents, type RouteStep } from '@kustos/database/tables'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import { readOnCall } from '../rotas/index.ts'
import { assignTo } from './assign.ts'
import { type RoutedWeb, type RouteRow, selectRoutes } from './matching.ts'
import { keepChannels, type RoutedTargets, type StoredTargets } from './notified-targets.ts'
import { readRoutedWebs, readRoutes } from './read.ts'

/** Whom routes alert now, and how to store it for those who are notified of the end. */
export interface RoutedWarning {
  readonly targets: RoutedTargets
  readonly stored: StoredTargets
}

/** An incident that is going to be announced. */
export interface AnnouncedIncident {
  readonly web: number
  readonly severity: AlertSeverity
  readonly incident: number
  /** The incident of several webs that it is a member of. */
  readonly outage: number | null
  /** Whether it was announced before, as another kind. */
  readonly isAgain: boolean
}

/** What a warning is about. */
export interface WarnedOf {
  /** Ids. */
  readonly webs: readonly number[]
  /** Codes of those that it concerns without a web. */
  readonly customers: readonly string[]
}

const minuteMs = 60_000

/** Whether an alert to targets would be sent anywhere. */
export type Reaches = (targets: RoutedTargets) => boolean

/**
 * Whom the first steps of matching routes alert. Nothing follows.
 * @returns whom, for each of what is warned of; undefined where no route matches
 */
export async function routeWarnings(
  db: Transaction,
  severity: WarningSeverity,
  warned: readonly WarnedOf[],
  reaches: Reaches,
  now: Date,
): Promise<readonly (RoutedWarning | undefined)[]> {
  const routes = warned.length === 0 ? [] : await readRoutes(db)
  if (routes.length === 0) return warned.map(() => undefined)
  const webOf = await readRoutedWebs(
    db,
    warned.flatMap(({ webs }) => webs),
  )
  const reach = await readReach(
    db,
    routes.flatMap(({ steps }) => steps.slice(0, 1)),
    now,
  )
  return warned.map(({ webs: ids, customers }) => {
    const subjects: readonly RoutedWeb[] = [
      ...ids.flatMap((id) => webOf.get(id) ?? []),
      ...customers.map((customer) => ({ customer, tags: [], node: null })),
    ]
    const taken = subjects.map((subject) => selectRoutes(routes, subject, severity, now))
    const all = [...new Set(taken.flat())]
    if (all.length === 0) return undefined
    // The channels of one owner are not replaced by the route of another one.
    const replacesChannels = taken.every((ofOne) => targetsOfFirst(ofOne, reach, reaches).replacesChannels)
    const targets = { ...targetsOfFirst(all, reach, reaches), replacesChannels }
    const users = [...new Set(all.flatMap((route) => firstReach(route, reach).users.map(({ id }) => id)))]
    return {
      targets,
      stored: { replaces_channels: replacesChannels, channel_ids: [...targets.channels], user_ids: users },
    }
  })
}

/**
 * Begins the routes of incidents that are being announced: their first steps are done, and the next ones become due. A web that joins
 * an outage is announced with its next step, which is due for all of its webs at once.
 * @returns whom to alert, by the incident's id
 */
export async function startEscalations(
  db: Transaction,
  announced: readonly AnnouncedIncident[],
  reaches: Reaches,
  now: Date,
): Promise<ReadonlyMap<number, RoutedTargets>> {
  const again = announced.flatMap(({ isAgain, incident }) => (isAgain ? incident : []))
  const found = await findRoutes(db, announced, now)
  if (found.length === 0) {
    await keepChannels(db, again, new Set())
    return new Map()
  }
  const others = await readOthers(
    db,
    announced.flatMap(({ outage }) => outage ?? []),
  )
  const taken = found.map(({ one, routes }) => ({
    one,
    routes: routes.map((route) => {
      const ahead = others.get(`${one.outage} ${route.id}`)
      // What an outage goes on with is as it was when it began, also if the route has been edited since.
      return { route: { ...route, steps: ahead?.steps ?? route.steps }, ahead }
    }),
  }))
  const reach = await readReach(
    db,
    taken.flatMap(({ routes }) => routes.flatMap(({ route }) => route.steps.slice(0, 1))),
    now,
  )
  const targets = new Map(
    taken.map(({ one, routes }) => [
      one.incident,
      targetsOfFirst(
        routes.map(({ route }) => route),
        reach,
        reaches,
      ),
    ]),
  )
  const replacing = [...targets].flatMap(([id, { replacesChannels }]) => (replacesChannels ? id : []))
  const notifiedChannels = await keepChannels(db, again, new Set(replacing))
  const rows: (typeof alertEscalations.$inferInsert)[] = []
  for (const { one, routes } of taken) {
    const isReplacing = targets.get(one.incident)?.replacesChannels === true
    rows.push(
      ...routes.map(({ route, ahead }) => {
        const { steps } = route
        const first = firstReach(route, reach)
        return {
          incident_id: one.incident,
          route_id: route.id,
          route_name: route.name,
          replaces_channels: isReplacing && route.replaces_channels && !notifiedChannels.has(one.incident),
          steps,
          done: ahead?.done ?? 1,
          due_at: ahead
            ? ahead.due_at
            : dueAfter(steps, 1, now, reaches(targetsOfFirst([route], reach, reaches))),
          channel_ids: [...first.channels],
          user_ids: first.users.map(({ id }) => id),
          started_at: now,
        }
      }),
    )
  }
  // A route that has begun with what the incident was before goes on.
  for (const batch of chunk(rows))
    await db
      .insert(alertEscalations)
      .values(batch)
      .onConflictDoUpdate({
        target: [alertEscalations.incident_id, alertEscalations.route_id],
        set: {
          channel_ids: sql`${alertEscalations.channel_ids} || excluded.channel_ids`,
          user_ids: sql`${alertEscalations.user_ids} || excluded.user_ids`,
        },
      })
  const ofUsers = Map.groupBy(
    taken,
    ({ routes }) => routes.flatMap(({ route }) => firstReach(route, reach).users)[0]?.id,
  )
  for (const [user, assigned] of ofUsers)
    if (user !== undefined)
      await assignTo(
        db,
        assigned.map(({ one }) => one.incident),
        user,
        now,
      )
  return targets
}

/** When the step after the first `done` ones is due: at once if the last one has reached nobody; null if there is none. */
export function dueAfter(
  steps: readonly RouteStep[],
  done: number,
  now: Date,
  hasReached: boolean,
): Date | null {
  const next = steps[done]
  if (next === undefined) return null
  return new Date(now.getTime() + (hasReached ? next.after_minutes * minuteMs : 0))
}

/** Whom a step alerts at a time. */
export interface Reach {
  readonly channels: readonly number[]
  readonly users: readonly { readonly id: number; readonly email: string }[]
}
const nobody: Reach = { channels: [], users: [] }

/** Reads who is on call for the rotas of steps. @returns whom a step alerts */
export async function readReach(
  db: Transaction,
  steps: readonly RouteStep[],
  at: Date,
): Promise<(step: RouteStep) => Reach> {
  const onCall = await readOnCall(db, [...new Set(steps.flatMap(({ rotas }) => rotas))], at)
  return ({ channels, rotas }) => ({
    channels,
    users: rotas.flatMap((rota) => onCall.get(rota)?.user ?? []),
  })
}

type Stepped = Pick<RouteRow, 'steps'>

const firstReach = ({ steps: [first] }: Stepped, reach: (step: RouteStep) => Reach): Reach =>
  first ? reach(first) : nobody

/** Whom the first steps of routes alert. They replace the web's own channels only if they reach somebody, or nobody would be notified. */
function targetsOfFirst(
  routes: readonly (Stepped & Pick<RouteRow, 'replaces_channels'>)[],
  reach: (step: RouteStep) => Reach,
  reaches: Reaches,
): RoutedTargets {
  const reached = routes.map((route) => firstReach(route, reach))
  const targets = {
    replacesChannels: routes.some((route) => route.replaces_channels),
    channels: [...new Set(reached.flatMap(({ channels }) => channels))],
    mails: [...new Set(reached.flatMap((one) => one.users.map(({ email }) => email)))],
  }
  return { ...targets, replacesChannels: targets.replacesChannels && reaches(targets) }
}

/** Those that take at least one route. */
async function findRoutes(db: Transaction, announced: readonly AnnouncedIncident[], at: Date) {
  const routes = announced.length === 0 ? [] : await readRoutes(db)
  if (routes.length === 0) return []
  const webOf = await readRoutedWebs(
    db,
    announced.map(({ web }) => web),
  )
  return announced.flatMap((one) => {
    const web = webOf.get(one.web)
    const taken = web === undefined ? [] : selectRoutes(routes, web, one.severity, at)
    return taken.length === 0 ? [] : [{ one, routes: taken }]
  })
}

/** How far the routes of outages are for those that are still open, by outage and route. */
async function readOthers(db: Transaction, outages: readonly number[]) {
  const rows =
    outages.length === 0
      ? []
      : await db
          .select({
            outage: incidents.outage_id,
            route: alertEscalations.route_id,
            steps: alertEscalations.steps,
            done: alertEscalations.done,
            due_at: alertEscalations.due_at,
          })
          .from(alertEscalations)
          .innerJoin(incidents, eq(incidents.id, alertEscalations.incident_id))
          .where(and(inArray(incidents.outage_id, [...new Set(outages)]), isNull(incidents.ended_at)))
          .orderBy(alertEscalations.done, alertEscalations.started_at)
  return new Map(rows.map((row) => [`${row.outage} ${row.route}`, row]))
}
