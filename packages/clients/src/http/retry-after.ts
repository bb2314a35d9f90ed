/** What a Retry-After header wishes: seconds or a date (RFC 9110). @returns milliseconds from now; null where it says nothing */
export function retryAfterOf(header: string | string[] | undefined, now = Date.now()): number | null {
  const value = String(header ?? '').trim()
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
