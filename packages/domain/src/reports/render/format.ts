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

/** In the largest unit of which there are at least two, such as 13 months as 395 days. */
export function formatLifetime(seconds: number, language: ReportLanguage): string {
  const [unit, length] = units.find(([, size]) => seconds >= 2 * size) ?? ['second', 1]
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
