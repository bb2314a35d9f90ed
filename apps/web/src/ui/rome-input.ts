import { romeOffsetMs } from '@kustos/contract/grid'

/** Formats a time for a datetime-local input, in Europe/Rome; empty if invalid. */
export function toLocal(iso: string): string {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? '' : new Date(at + romeOffsetMs(at)).toISOString().slice(0, 16)
}

/** The ISO time of a datetime-local input; empty if invalid. An hour skipped by daylight saving becomes the next one. */
export function fromLocal(local: string): string {
  const shown = Date.parse(`${local}Z`)
  if (Number.isNaN(shown)) return ''
  const near = shown - romeOffsetMs(shown)
  return new Date(shown - romeOffsetMs(near)).toISOString()
}
