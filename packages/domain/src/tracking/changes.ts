import {
  type Finding,
  type TrackingChange,
  type TrackingTopic,
  trackingTopics,
} from '@kustos/contract/tracking'
import { trackingServices } from '@kustos/contract/webs'
import { keyOf } from './findings.ts'
import { isVendor } from './vendors.ts'

const lists: ReadonlySet<TrackingTopic> = new Set(trackingServices)

/**
 * What differs between two audits' findings: services that came or went, each for itself, and of all else what there
 * was before and is now. A service whose id comes from another server than before changed.
 */
export function changesBetween(old: readonly Finding[], now: readonly Finding[]): TrackingChange[] {
  return trackingTopics.flatMap((topic) => {
    const before = valuesById(old, topic)
    const after = valuesById(now, topic)
    const gone = [...before].filter(([key, text]) => after.get(key) !== text)
    const come = [...after].filter(([key, text]) => before.get(key) !== text)
    // One that took the place of another changed; which one of several did, nobody knows.
    const isOne = !lists.has(topic) && gone.length === 1 && come.length === 1
    const placeOf = (key: string) =>
      isOne ? come[0]?.[1] : before.has(key) && after.has(key) ? after.get(key) : undefined
    return [
      ...gone.map(([key, text]) => ({ topic, old: text, new: placeOf(key) ?? null })),
      ...come
        .filter(([key]) => !isOne && !before.has(key))
        .map(([, text]) => ({ topic, old: null, new: text })),
    ]
  })
}

/**
 * What is known after an audit that could not look at everything: what it found, and what was known before and may well
 * be where it could not look.
 */
export function withFormerFindings(known: readonly Finding[], found: readonly Finding[]): Finding[] {
  const keys = new Set(found.map(keyOf))
  const isKept = (old: Finding) =>
    lists.has(old.topic) ? !keys.has(keyOf(old)) : !found.some(({ topic }) => topic === old.topic)
  return [...found, ...known.filter(isKept)]
}

/** Of each thing what is worth telling when it changes. */
const valuesById = (findings: readonly Finding[], topic: TrackingTopic): ReadonlyMap<string, string> =>
  new Map(
    findings.filter((finding) => finding.topic === topic).map((finding) => [keyOf(finding), textOf(finding)]),
  )

/** That it is there at all where there is nothing else to say. */
function textOf(finding: Finding): string {
  const { value, domain, version } = finding
  const words = [value, version === null ? null : `version ${version}`].filter((word) => word !== null)
  if (domain !== null && hasChosenServer(finding)) words.push(`from ${domain}`)
  return words.length === 0 ? 'yes' : words.join(', ')
}

/**
 * Containers and Matomo have a server that the operator of the site chose. All others come from their vendor's, now from this, now from that
 * one, which says nothing; that they come from one of the operator's own does.
 */
const hasChosenServer = ({ topic, domain }: Finding): boolean =>
  topic === 'gtm' ||
  topic === 'matomo' ||
  ((lists.has(topic) || topic === 'usercentrics') && domain !== null && domain !== '' && !isVendor(domain))
