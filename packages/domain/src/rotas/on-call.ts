import type { Handover } from '@kustos/contract/rotas'
import { type Day, dayAfter, dayAt, daysBetween, timeOf, weekdayOf } from '../platform/local-time.ts'

/** Who is on call when, as far as the rota itself says it. */
export interface RotaSchedule {
  /** Ids, in their order. */
  readonly users: readonly number[]
  readonly handover: Handover
  /** 1 is Monday; null if it is daily. */
  readonly weekday: number | null
  /** Local time of Europe/Rome. */
  readonly time: string
  readonly first_day: Day
}

export interface Override {
  readonly id: number
  readonly user_id: number
  readonly starts_at: Date
  readonly ends_at: Date
}

/** Somebody's time on call, or a time without anybody. */
export interface OnCall {
  readonly user: number | null
  readonly from: Date
  readonly to: Date
  /** The id of the override that decides it. */
  readonly override: number | null
}

/** The days from one hand-over to the next. */
const lengthOf = ({ handover }: RotaSchedule): number => (handover === 'weekly' ? 7 : 1)

/** Days from the last hand-over at or before the first day; 0 unless a weekly rota begins between two. */
const offsetOf = ({ weekday, first_day }: RotaSchedule): number =>
  weekday === null ? 0 : (weekdayOf(first_day) - weekday + 7) % 7

/** The number of hand-overs since the start; null before it. The one with this number is `handoverDay`. */
function handoversUntil(rota: RotaSchedule, at: number): number | null {
  const today = dayAt(at)
  const day = at < timeOf(today, rota.time) ? dayAfter(today, -1) : today
  if (day < rota.first_day) return null
  return Math.floor((daysBetween(rota.first_day, day) + offsetOf(rota)) / lengthOf(rota))
}

const handoverDay = (rota: RotaSchedule, number: number): Day =>
  number === 0 ? rota.first_day : dayAfter(rota.first_day, number * lengthOf(rota) - offsetOf(rota))

/**
 * Who is on call at a time, to the minute.
 * @param overrides the newest of those that run decides, unless its user cannot be on call
 * @param available who can be on call; others are skipped, and the next one takes their turn
 * @returns null before the start of the rota, unless an override runs. `from` and `to` are the hand-overs or the override's limits
 * around it, so that the same user may follow.
 */
export function onCallAt(
  rota: RotaSchedule,
  overrides: readonly Override[],
  available: ReadonlySet<number>,
  at: Date,
): OnCall | null {
  const usable = overrides.filter(({ user_id }) => available.has(user_id))
  const running = usable
    .filter(({ starts_at, ends_at }) => starts_at <= at && ends_at > at)
    .reduce<Override | null>((newest, one) => (newest === null || one.id > newest.id ? one : newest), null)
  const number = handoversUntil(rota, at.getTime())
  const turn =
    number === null
      ? { from: Number.NEGATIVE_INFINITY, to: timeOf(rota.first_day, rota.time) }
      : {
          from: timeOf(handoverDay(rota, number), rota.time),
          to: timeOf(handoverDay(rota, number + 1), rota.time),
        }
  const limits = running === null ? turn : { from: +running.starts_at, to: +running.ends_at }
  const changes = usable
    .filter(({ id }) => running === null || id > running.id)
    .flatMap(({ starts_at, ends_at }) => [+starts_at, +ends_at])
  const span = {
    from: new Date(Math.max(limits.from, ...changes.filter((change) => change <= +at))),
    to: new Date(Math.min(limits.to, ...changes.filter((change) => change > +at))),
  }
  if (running !== null) return { ...span, user: running.user_id, override: running.id }
  if (number === null) return null
  return { ...span, user: userOf(rota, number, available), override: null }
}

function userOf({ users }: RotaSchedule, number: number, available: ReadonlySet<number>): number | null {
  const first = number % users.length
  const inTurn = [...users.slice(first), ...users.slice(0, first)]
  return inTurn.find((user) => available.has(user)) ?? null
}

/**
 * The first day with which other users take turns so that the one whose turn it is keeps it. It stays as it is if that needs no
 * other one, if nobody has a turn, and if the user is not among them.
 */
export function keepTurn(
  rota: RotaSchedule,
  users: readonly number[],
  available: ReadonlySet<number>,
  at: Date,
): Day {
  const number = handoversUntil(rota, at.getTime())
  const user = number === null ? null : userOf(rota, number, available)
  const place = user === null ? -1 : users.indexOf(user)
  if (number === null || place === -1 || userOf({ ...rota, users }, number, available) === user)
    return rota.first_day
  return dayAfter(rota.first_day, (number - place) * lengthOf(rota) - offsetOf(rota))
}

/** The shifts that overlap a period, in their order; those of one user that follow each other by the same rule are one. */
export function shiftsWithin(
  rota: RotaSchedule,
  overrides: readonly Override[],
  available: ReadonlySet<number>,
  from: Date,
  to: Date,
): OnCall[] {
  const shifts: OnCall[] = []
  for (let at = from; at < to; ) {
    const found = onCallAt(rota, overrides, available, at)
    if (found === null) {
      at = nextStart(rota, overrides, available, at)
      continue
    }
    const last = shifts.at(-1)
    if (last && last.user === found.user && last.override === found.override && +last.to === +found.from)
      shifts[shifts.length - 1] = { ...last, to: found.to }
    else shifts.push(found)
    at = found.to
  }
  return shifts
}

/** When somebody is on call first, before the start of a rota. */
const nextStart = (
  rota: RotaSchedule,
  overrides: readonly Override[],
  available: ReadonlySet<number>,
  at: Date,
): Date =>
  new Date(
    Math.min(
      timeOf(rota.first_day, rota.time),
      ...overrides
        .filter(({ user_id, starts_at }) => available.has(user_id) && starts_at > at)
        .map(({ starts_at }) => +starts_at),
    ),
  )
