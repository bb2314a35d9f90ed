import { type Day, dayAfter, dayOf, daysFrom, type Span, spanOf } from '@kustos/domain/monitoring'

/** The time between two rounds of probes. */
export const intervalMs = 60_000
const dayCount = 182

/** The period before the first start that the sandbox has a history of. Times are milliseconds since 1970. */
export interface Period {
  /** The complete days, the oldest first. */
  readonly days: readonly (Span & { readonly day: Day })[]
  readonly today: Day
  /** The first round without a history. */
  readonly until: number
  /** When Kustos was not running, in complete rounds and in order. */
  readonly gaps: readonly Span[]
}

const minuteMs = 60_000

const gaps = [
  { daysAgo: 119, startMinute: 80, minutes: 170 },
  { daysAgo: 8, startMinute: 785, minutes: 47 },
]

/** The span that starts at a minute of a day some days ago. */
export function spanAt(
  today: Day,
  { daysAgo, startMinute, minutes }: { daysAgo: number; startMinute: number; minutes: number },
): Span {
  const from = spanOf(dayAfter(today, -daysAgo)).from + startMinute * minuteMs
  return { from, to: from + minutes * minuteMs }
}

export function createPeriod(now: Date): Period {
  const today = dayOf(now)
  return {
    days: daysFrom(dayAfter(today, -dayCount), dayAfter(today, -1)).map((day) => ({ day, ...spanOf(day) })),
    today,
    until: Math.floor(now.getTime() / intervalMs) * intervalMs,
    gaps: gaps.map((gap) => spanAt(today, gap)),
  }
}

/** The first round at this time or later. */
export function nextRound({ gaps }: Period, time: number): number {
  const round = Math.ceil(time / intervalMs) * intervalMs
  return gaps.find(({ from, to }) => round >= from && round < to)?.to ?? round
}

export function previousRound({ gaps }: Period, round: number): number {
  const previous = round - intervalMs
  const gap = gaps.find(({ from, to }) => previous >= from && previous < to)
  return gap === undefined ? previous : gap.from - intervalMs
}

export function countRounds({ gaps }: Period, { from, to }: Span): number {
  if (from >= to) return 0
  const missed = gaps.reduce(
    (sum, gap) => sum + Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from)),
    0,
  )
  return (to - from - missed) / intervalMs
}
