const minute = 60
const hour = 3600
/** Longer downtimes are shown in hours. */
const hoursThreshold = 2 * hour
const maxSteps = 5
/** Minimum length of the axis, so that a second does not look like an outage. */
const minLength = 5 * minute
const stepsOf = {
  min: [1, 2, 5, 10, 15, 20, 30].map((count) => count * minute),
  h: [0.5, 1, 2, 3, 4, 6].map((count) => count * hour),
}

/**
 * The axis for downtimes, in round steps of minutes or hours.
 * @param longest in seconds
 * @returns the grid lines in seconds, from 0, and the unit of their labels with its seconds
 */
export function axisFor(longest: number) {
  const unit = longest > hoursThreshold ? 'h' : 'min'
  const steps = stepsOf[unit]
  const end = Math.max(minLength, longest)
  const step = steps.find((size) => end <= size * maxSteps) ?? steps.at(-1) ?? minute
  const count = Math.ceil(end / step)
  return {
    unit,
    size: unit === 'h' ? hour : minute,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  }
}

/** Grid lines for response times: at most four round steps from 0. @param longest in milliseconds */
export function roundTicks(longest: number): readonly number[] {
  const most = 4
  const end = Math.max(longest, most)
  const least = end / most
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 2.5, 5, 10].map((size) => size * power).find((size) => size >= least) ?? least
  return Array.from({ length: Math.ceil(end / step) + 1 }, (_, index) => index * step)
}
