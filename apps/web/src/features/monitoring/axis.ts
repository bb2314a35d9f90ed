export interface Axis {
  readonly unit: 'min' | 'h'
  /** Of one unit, in seconds. */
  readonly size: number
  /** Where the axis has lines, in seconds, from 0 to its end. */
  readonly ticks: readonly number[]
}

const minute = 60
const hour = 3600
/** From here on hours are easier to read. */
const hoursFrom = 2 * hour
const mostSteps = 5
/** A second of downtime shall not look like an outage, in seconds. */
const shortest = 5 * minute
const stepsOf = {
  min: [1, 2, 5, 10, 15, 20, 30].map((count) => count * minute),
  h: [0.5, 1, 2, 3, 4, 6].map((count) => count * hour),
}

/** The axis of downtimes, in round steps of minutes or hours. @param longest of them, in seconds */
export function axisFor(longest: number): Axis {
  const unit = longest > hoursFrom ? 'h' : 'min'
  const steps = stepsOf[unit]
  const end = Math.max(shortest, longest)
  const step = steps.find((size) => end <= size * mostSteps) ?? steps.at(-1) ?? minute
  const count = Math.ceil(end / step)
  return {
    unit,
    size: unit === 'h' ? hour : minute,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  }
}

/** Where an axis of response times has lines: four round steps or fewer, from 0. @param longest in milliseconds */
export function roundTicks(longest: number): readonly number[] {
  const most = 4
  const end = Math.max(longest, most)
  const least = end / most
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 2.5, 5, 10].map((size) => size * power).find((size) => size >= least) ?? least
  return Array.from({ length: Math.ceil(end / step) + 1 }, (_, index) => index * step)
}
