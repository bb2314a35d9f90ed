import type { Span } from './day.ts'

/** The times of an incident that its downtime is computed from. */
export interface IncidentTimes {
  readonly started_at: Date
  /** Null while it is open. */
  readonly ended_at: Date | null
  /** The end of the round with the last failed probe. */
  readonly watched_until: Date
  /** Since when a flapping web answers, while its incident is open. */
  readonly calm_since?: Date | null
  /** Times that do not count: they were not monitored, or the web answered between its failures. */
  readonly gaps: readonly { readonly started_at: Date; readonly ended_at: Date }[]
}

/**
 * Returns when a web was down, in order and without overlaps, rounded to seconds so that the parts of a range add up to
 * it. An open incident lasts until the end of the round with its last failed probe, or until a flapping web's last recovery.
 */
export function computeDownSpans(incidents: readonly IncidentTimes[]): Span[] {
  const spans = incidents.flatMap(({ started_at, ended_at, watched_until, calm_since, gaps }) => {
    const whole = {
      from: roundToSecondMs(started_at.getTime()),
      to: roundToSecondMs((ended_at ?? calm_since ?? watched_until).getTime()),
    }
    return subtractSpans(whole, mergeSpans(gaps.map(roundedSpan)))
  })
  return mergeSpans(spans)
}

/** Returns when a web was down as planned, as `computeDownSpans` does. @param incidents with the times that were planned */
export function computePlannedSpans(
  incidents: readonly (IncidentTimes & { readonly planned: IncidentTimes['gaps'] })[],
): Span[] {
  const spans = incidents.flatMap((incident) => {
    const down = computeDownSpans([incident])
    const planned = mergeSpans(incident.planned.map(roundedSpan))
    return down.flatMap((span) => intersectSpan(span, planned))
  })
  return mergeSpans(spans)
}

/** Returns how many seconds of `within` the spans cover: a whole number if they all start and end at whole seconds. */
export function overlapSeconds(spans: readonly Span[], within: Span): number {
  const milliseconds = spans.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, within.to) - Math.max(from, within.from)),
    0,
  )
  return milliseconds / 1000
}

export const floorToSecondMs = (at: Date): number => Math.floor(at.getTime() / 1000) * 1000

const roundToSecondMs = (milliseconds: number) => Math.round(milliseconds / 1000) * 1000

const roundedSpan = ({ started_at, ended_at }: IncidentTimes['gaps'][number]): Span => ({
  from: roundToSecondMs(started_at.getTime()),
  to: roundToSecondMs(ended_at.getTime()),
})

/** Returns the spans in order; spans that touch or overlap are combined. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last !== undefined && span.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    else result.push(span)
  }
  return result
}

/** @param holes in order and without overlaps */
function subtractSpans(span: Span, holes: readonly Span[]): Span[] {
  const result: Span[] = []
  let from = span.from
  for (const hole of holes) {
    if (hole.from > from) result.push({ from, to: Math.min(hole.from, span.to) })
    from = Math.max(from, hole.to)
  }
  result.push({ from, to: span.to })
  return result.filter((part) => part.from < part.to)
}

const intersectSpan = (span: Span, others: readonly Span[]): Span[] =>
  others
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to)
