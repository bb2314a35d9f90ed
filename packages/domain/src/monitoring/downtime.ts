import type { Span } from './day.ts'

/** What downtime is counted from. */
export interface IncidentTimes {
  readonly started_at: Date
  /** Null while it goes on. */
  readonly ended_at: Date | null
  /** The end of the round that saw it fail last. */
  readonly watched_until: Date
  /** Times that were not monitored. */
  readonly gaps: readonly { readonly started_at: Date; readonly ended_at: Date }[]
}

/**
 * The times for which a web was down, in order and apart from each other, in whole seconds so that the parts of any
 * range add up to it. One that goes on counts up to the end of the round that saw it fail last.
 */
export function downSpans(incidents: readonly IncidentTimes[]): Span[] {
  const spans = incidents.flatMap(({ started_at, ended_at, watched_until, gaps }) => {
    const whole = {
      from: second(started_at.getTime()),
      to: second((ended_at ?? watched_until).getTime()),
    }
    const unwatched = gaps.map((gap) => ({
      from: second(gap.started_at.getTime()),
      to: second(gap.ended_at.getTime()),
    }))
    return without(whole, merged(unwatched))
  })
  return merged(spans)
}

/** How much of `within` the spans fill, in whole seconds where their ends are such. */
export function secondsWithin(spans: readonly Span[], within: Span): number {
  const milliseconds = spans.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, within.to) - Math.max(from, within.from)),
    0,
  )
  return milliseconds / 1000
}

/** The last one that is over. In milliseconds since 1970. */
export const wholeSecond = (at: Date): number => Math.floor(at.getTime() / 1000) * 1000

const second = (milliseconds: number) => Math.round(milliseconds / 1000) * 1000

/** In order, with those that touch or overlap made one. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last !== undefined && span.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    else result.push(span)
  }
  return result
}

/** @param holes in order and apart from each other */
function without(span: Span, holes: readonly Span[]): Span[] {
  const result: Span[] = []
  let from = span.from
  for (const hole of holes) {
    if (hole.from > from) result.push({ from, to: Math.min(hole.from, span.to) })
    from = Math.max(from, hole.to)
  }
  result.push({ from, to: span.to })
  return result.filter((part) => part.from < part.to)
}
