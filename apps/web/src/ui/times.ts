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

/** Such as `d h min s`: what Intl's own forms lack is one that is short in every language. */
const symbols: Readonly<Record<string, readonly [string, string, string, string]>> = {
  en: ['d', 'h', 'min', 's'],
  de: ['Tg.', 'Std.', 'Min.', 's'],
}
const lengths = [86_400, 3600, 60, 1] as const

/**
 * A length of time in words, such as "12 min 5 s" or "2 d 4 h".
 * @param seconds negative ones count as none
 * @param parts how many units it may have, the largest first; what is less than the last is cut off
 */
export function lengthOf(seconds: number, language: string, parts: 1 | 2 = 2): string {
  const whole = Math.max(0, Math.floor(seconds))
  const units = symbols[language] ?? symbols.en ?? []
  const first = lengths.findIndex((length) => whole >= length)
  const from = first === -1 ? lengths.length - 1 : first
  let left = whole
  const said = lengths.slice(from, from + parts).flatMap((length, index) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 && index > 0 ? [] : `${count.toLocaleString(language)} ${units[from + index]}`
  })
  return said.join(' ')
}
