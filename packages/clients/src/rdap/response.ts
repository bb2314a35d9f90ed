import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { isStorableDate, isZeroDate } from '../registration-dates.ts'

/** The members of a list that can be read: a malformed one does not invalidate the others. */
const readable = <Member>(member: z.ZodType<Member>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((members) =>
      members.flatMap((one) => {
        const parsed = member.safeParse(one)
        return parsed.success ? [parsed.data] : []
      }),
    )

/** The members of a domain object (RFC 9083, 5.3) that are used. Servers leave out and add others as they like. */
const domainObject = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().optional(),
  status: readable(z.string()),
  events: readable(z.object({ eventAction: z.string(), eventDate: z.string() })),
  entities: readable(z.object({ roles: readable(z.string()), vcardArray: z.unknown().optional() })),
})

export interface Registration {
  /** When it ends; null if the registry does not say, as that of .de would not. */
  readonly expiresAt: Date | null
  readonly registrar: string | null
  /** Such as `active` and `client transfer prohibited`. */
  readonly status: readonly string[]
}

const maxStatuses = 20

/** @returns null if it is no answer about this domain */
export function readRegistration(body: string, domain: string): Registration | null {
  const parsed = domainObject.safeParse(parseJson(body))
  if (!parsed.success) return null
  const { ldhName, status, events, entities } = parsed.data
  // Some servers give the name in Unicode.
  if (ldhName !== undefined && domainToASCII(ldhName.replace(/\.$/, '')) !== domain) return null
  const ends = events.find(({ eventAction }) => eventAction === 'expiration')?.eventDate
  const end = ends === undefined ? null : readTime(ends)
  if (end !== null && !isStorableDate(end)) return null
  const registrar = entities.find(({ roles }) => roles.includes('registrar'))
  return {
    expiresAt: end === null || isZeroDate(end) ? null : end,
    registrar: registrar ? nameOf(registrar.vcardArray) : null,
    status: status.slice(0, maxStatuses).map((text) => text.slice(0, 100)),
  }
}

/** RFC 3339, and UTC instead of this machine's time zone if a server leaves it out. */
const readTime = (text: string): Date =>
  new Date(/^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(text) ? `${text}Z` : text)

const vcard = z.tuple([z.literal('vcard'), z.array(z.array(z.unknown()))])

/** The formatted name in a jCard (RFC 7095). */
function nameOf(card: unknown): string | null {
  const parsed = vcard.safeParse(card)
  if (!parsed.success) return null
  const [, properties] = parsed.data
  const name = properties.find(([property]) => property === 'fn')?.[3]
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 255) : null
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
