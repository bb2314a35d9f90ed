/** Parses a Retry-After header (RFC 9110, 10.2.3): seconds or a date. Returns null for anything else. */
export function parseRetryAfterMs(header: string | string[] | undefined): number | null {
  const value = String(header ?? '').trim()
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  // A date has the name of its month. A number that is negative or has a fraction would be read as a year.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}
