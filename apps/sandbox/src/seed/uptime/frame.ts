import { type Day, dayAfter, dayOf, daysFrom, type Span, spanOf } from '@kustos/domain/monitoring'

/** From one round of probes to the next, in milliseconds. */
export const interval = 60_000
/** Six months. */
const reach = 182

/** The time that is told of. Moments are milliseconds since 1970. */
export interface Frame {
  /** Those that are over, the oldest first. */
  readonly days: readonly (Span & { readonly day: Day })[]
  readonly today: Day
  /** The first round that is not told of any more: it may be under way. */
  readonly until: number
  /** When Kustos itself was away, in whole rounds; in order. */
  readonly unwatched: readonly Span[]
}

const [minute, hour] = [60_000, 3_600_000]

/** Days ago, the time of that day, and for how long. */
const absences = [
  { ago: 119, at: 1 * hour + 20 * minute, lasting: 170 * minute },
  { ago: 8, at: 13 * hour + 5 * minute, lasting: 47 * minute },
] as const

export function frameOf(now: Date): Frame {
  const today = dayOf(now)
  return {
    days: daysFrom(dayAfter(today, -reach), dayAfter(today, -1)).map((day) => ({ day, ...spanOf(day) })),
    today,
    until: Math.floor(now.getTime() / interval) * interval,
    unwatched: absences.map(({ ago, at, lasting }) => {
      const from = spanOf(dayAfter(today, -ago)).from + at
      return { from, to: from + lasting }
    }),
  }
}

/** The first round at this time or later that took place. */
export function roundFrom({ unwatched }: Frame, time: number): number {
  const round = Math.ceil(time / interval) * interval
  return unwatched.find(({ from, to }) => round >= from && round < to)?.to ?? round
}

/** The last round before this one that took place. */
export function roundBefore({ unwatched }: Frame, round: number): number {
  const before = round - interval
  const away = unwatched.find(({ from, to }) => before >= from && before < to)
  return away === undefined ? before : away.from - interval
}

/** How many rounds took place in a time, whose ends are those of rounds. */
export function roundsWithin({ unwatched }: Frame, { from, to }: Span): number {
  if (from >= to) return 0
  const missed = unwatched.reduce(
    (sum, away) => sum + Math.max(0, Math.min(to, away.to) - Math.max(from, away.from)),
    0,
  )
  return (to - from - missed) / interval
}
