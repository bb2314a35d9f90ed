import type { TFunction } from 'i18next'

/** Units with their length in seconds. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A relative time such as "2 min. ago"; less than a minute is "now". @param now Unix milliseconds */
export function timeAgo(iso: string, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  // The clocks of browser and server may differ by seconds.
  const passed = Math.max(0, now - Date.parse(iso)) / 1000
  const [unit, length] = units.find(([name, seconds]) => name !== 'second' && passed >= seconds) ?? []
  return unit ? format.format(-Math.floor(passed / length), unit) : format.format(0, 'second')
}

/** How far ahead a time is, such as "in 11 days"; less than a minute is "now". @param now Unix milliseconds */
export function timeLeft(iso: string, now: number, language: string): string {
  const left = Math.max(0, Date.parse(iso) - now) / 1000
  const [unit, length] = units.find(([name, seconds]) => name !== 'second' && left >= seconds) ?? []
  return unit
    ? new Intl.RelativeTimeFormat(language).format(Math.floor(left / length), unit)
    : new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
}

const two = (number: number) => String(number).padStart(2, '0')

/** A running clock: 00:41, 1:02:03. Negative values count as 0. */
export function formatClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const minutes = Math.floor(seconds / 60)
  const clock = `${two(minutes % 60)}:${two(seconds % 60)}`
  return minutes < 60 ? clock : `${Math.floor(minutes / 60)}:${clock}`
}

/** A duration: 0.4 s, 12.1 s, and from a minute on like `formatClock`. Negative values count as 0. */
export function formatElapsed(milliseconds: number, language: string): string {
  const tenths = Math.max(0, Math.round(milliseconds / 100))
  if (tenths >= 600) return formatClock(tenths * 100)
  return `${(tenths / 10).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`
}

interface Span {
  readonly started_at: string | null
  readonly ended_at: string | null
}

/** How long something has been running or took; null before its start. @param now Unix milliseconds */
export function elapsedTime({ started_at: start, ended_at: end }: Span, now: number, language: string) {
  if (start === null) return null
  return end === null
    ? formatClock(now - Date.parse(start))
    : formatElapsed(Date.parse(end) - Date.parse(start), language)
}

/**
 * A duration such as "12 min 5 s" or "2 d 4 h".
 * @param seconds negative values count as 0
 * @param parts maximum number of units; smaller ones are cut off
 */
export function formatDuration(seconds: number, t: TFunction, parts: 1 | 2 = 2): string {
  let left = Math.max(0, Math.floor(seconds))
  const counts = units.map(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return { unit, count }
  })
  const largest = counts.findIndex(({ unit, count }) => count > 0 || unit === 'second')
  return counts
    .slice(largest, largest + parts)
    .filter(({ count }, index) => count > 0 || index === 0)
    .map(({ unit, count }) => t(`ui.duration.${unit}s`, { count }))
    .join(' ')
}
