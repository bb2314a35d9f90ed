const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
]

/**
 * How long ago a time is, such as "2 min. ago"; less than a minute is "now".
 * @param now in milliseconds
 */
export function timeAgo(iso: string, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  // Clocks of browser and server may differ by some seconds: nothing is in the future.
  const passed = Math.max(0, now - Date.parse(iso))
  for (const [unit, length] of units)
    if (passed >= length) return format.format(-Math.floor(passed / length), unit)
  return format.format(0, 'second')
}

const two = (number: number) => String(number).padStart(2, '0')

/**
 * A duration as a clock that runs: 00:41, 1:02:03.
 * @param milliseconds negative ones count as none
 */
export function runningTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / second))
  const minutes = Math.floor(seconds / 60)
  const clock = `${two(minutes % 60)}:${two(seconds % 60)}`
  return minutes < 60 ? clock : `${Math.floor(minutes / 60)}:${clock}`
}

/**
 * A duration that is over: 0.4 s, 12.1 s, and from a minute on as `runningTime` has it.
 * @param milliseconds negative ones count as none
 */
export function duration(milliseconds: number, language: string): string {
  const tenths = Math.max(0, Math.round(milliseconds / 100))
  if (tenths >= 600) return runningTime(tenths * 100)
  return `${(tenths / 10).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`
}
