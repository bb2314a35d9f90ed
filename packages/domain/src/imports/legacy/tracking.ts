import { storable } from '@kustos/clients/legacy'
import { nothingFound, type TrackingData, trackingData, trackingServices } from '@kustos/contract/webs'
import { z } from 'zod'
import { parseJson } from '../../platform/parse-json.ts'

const { tracking_services: serviceLists, ...plain } = trackingData.shape
const services = z.record(z.string(), z.unknown())

/**
 * Reads the tracking data of the former system field by field, since the next audit replaces unreadable ones anyway.
 * @returns also the names of the unreadable fields
 */
export function readTracking(stored: unknown): { tracking: TrackingData | null; unread: readonly string[] } {
  const value = typeof stored === 'string' ? (parseJson(stored) ?? stored) : stored
  // PHP writes an empty object as [].
  if (value == null || value === '' || (Array.isArray(value) && value.length === 0))
    return { tracking: null, unread: [] }
  const parsed = services.safeParse(value)
  if (!parsed.success || !storable(value)) return { tracking: null, unread: ['all of it'] }
  const unread: string[] = []
  const read: Record<string, unknown> = {
    ...nothingFound,
    tracking_services: readServices(parsed.data.tracking_services, serviceLists, unread),
  }
  for (const [name, schema] of Object.entries(plain)) {
    const part = parsed.data[name]
    if (part == null || part === '' || (Array.isArray(part) && part.length === 0)) continue
    const readable = [...interpretations(part)].find((meaning) => schema.safeParse(meaning).success)
    if (readable === undefined) unread.push(name)
    else read[name] = readable
  }
  return { tracking: trackingData.parse(read), unread }
}

/** Accepts numbers as text, and 1 and 0 for true and false. */
function* interpretations(part: unknown): Generator<unknown> {
  yield part
  const number = typeof part === 'string' && /^\d{1,9}$/.test(part) ? Number(part) : part
  yield number
  if (number === 0 || number === 1) yield number === 1
}

type Services = TrackingData['tracking_services']

function readServices(stored: unknown, lists: z.ZodType<Services>, unread: string[]): Services {
  const listed = services.safeParse(stored).data ?? {}
  const read = { ...nothingFound.tracking_services }
  for (const name of trackingServices) {
    const list = listed[name]
    if (list == null) continue
    const parsed = lists.safeParse({ ...nothingFound.tracking_services, [name]: list })
    if (parsed.success) read[name] = parsed.data[name]
    else unread.push(name)
  }
  return read
}
