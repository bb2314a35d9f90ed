import type { AlertSeverity } from '@kustos/contract/alert-routes'
import { splitTag } from '@kustos/contract/tags'
import type { alertRoutes } from '@kustos/database/tables'
import { clockAt, dayAfter, dayAt, weekdayOf } from '../platform/local-time.ts'

export type RouteRow = typeof alertRoutes.$inferSelect

/** What routes are chosen by. */
export type Conditions = Pick<
  RouteRow,
  'is_active' | 'customers' | 'tags' | 'node_ids' | 'severities' | 'weekdays' | 'from_time' | 'to_time'
>

export interface RoutedWeb {
  readonly customer: string
  readonly tags: readonly string[]
  /** The id of its node. */
  readonly node: number | null
}

/** The routes that an alert takes, in the order given: up to the first one that matches and does not continue. */
export function selectRoutes<Route extends Conditions & Pick<RouteRow, 'continues'>>(
  routes: readonly Route[],
  web: RoutedWeb,
  severity: AlertSeverity,
  at: Date,
): Route[] {
  const matching = routes.filter((route) => matches(route, web, severity, at))
  const last = matching.findIndex(({ continues }) => !continues)
  return last === -1 ? matching : matching.slice(0, last + 1)
}

const isOneOf = <T>(wanted: readonly T[], value: T) => wanted.length === 0 || wanted.includes(value)

const matches = (route: Conditions, web: RoutedWeb, severity: AlertSeverity, at: Date): boolean =>
  canApply(route, web) && isOneOf(route.severities, severity) && isWithin(route, at)

/** Whether some alert about a web takes the route at some time, unless an earlier route ends the evaluation. */
export function canApply(route: Conditions, web: RoutedWeb): boolean {
  const keys = new Set([...web.tags, ...web.tags.map((tag) => splitTag(tag).name)])
  return (
    route.is_active &&
    isOneOf(route.customers, web.customer) &&
    isOneOf<number | null>(route.node_ids, web.node) &&
    (route.tags.length === 0 || route.tags.some((tag) => keys.has(tag)))
  )
}

/**
 * Whether clocks in Europe/Rome show one of the times. A time over midnight belongs to the day on which it begins, so that Friday from
 * 18:00 to 08:00 ends on Saturday.
 */
function isWithin(
  { weekdays, from_time: from, to_time: to }: Pick<Conditions, 'weekdays' | 'from_time' | 'to_time'>,
  at: Date,
): boolean {
  const today = dayAt(at.getTime())
  const isDay = (day: string) => weekdays.length === 0 || weekdays.includes(weekdayOf(day))
  if (from === null || to === null) return isDay(today)
  const clock = clockAt(at.getTime())
  if (from < to) return isDay(today) && clock >= from && clock < to
  return (isDay(today) && clock >= from) || (isDay(dayAfter(today, -1)) && clock < to)
}
