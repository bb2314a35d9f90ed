import type { ReportLanguage } from '@kustos/contract/reports'

/** A time in Europe/Rome, in words. */
export const formatMoment = (iso: string, language: ReportLanguage): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'de-DE', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'Europe/Rome',
  }).format(new Date(iso))

const units = [
  ['year', 365 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** How much a rounded lifetime may differ from the one that was seen, as a part of it. */
const tolerance = 0.02

/**
 * In the largest unit of which there are at least two and whose number needs not be rounded much: 13 months as 395 days, and 30 months as
 * 913 days, not as 3 years.
 */
export function formatLifetime(seconds: number, language: ReportLanguage): string {
  const isClose = (size: number) =>
    Math.abs(Math.round(seconds / size) * size - seconds) <= tolerance * seconds
  const [unit, length] = units.find(([, size]) => seconds >= 2 * size && isClose(size)) ?? ['second', 1]
  const value = Math.round(seconds / length)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** `a, b and c`; markup is joined elsewhere. */
export const formatList = (items: readonly string[], language: ReportLanguage): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(items)

const signatures = [
  ['image/png', Buffer.from('89504e470d0a1a0a', 'hex'), 0],
  ['image/jpeg', Buffer.from('ffd8ff', 'hex'), 0],
  ['image/webp', Buffer.from('WEBP'), 8],
] as const

/** The type of an image by its content; null if it is none that browsers show here. */
export const imageType = (content: Buffer): string | null =>
  signatures.find(([, bytes, at]) => content.subarray(at, at + bytes.length).equals(bytes))?.[0] ?? null
