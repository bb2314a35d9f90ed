import {
  type Finding,
  type TrackingChange,
  type TrackingTopic,
  trackingTopics,
} from '@kustos/contract/tracking'
import { trackingServices } from '@kustos/contract/webs'

const lists: ReadonlySet<TrackingTopic> = new Set(trackingServices)

/**
 * What differs between two audits' findings: services that came or went, each for itself, and of all else what there
 * was before and is now.
 */
export function changesBetween(old: readonly Finding[], now: readonly Finding[]): TrackingChange[] {
  return trackingTopics.flatMap((topic) => {
    const before = told(old, topic)
    const after = told(now, topic)
    const gone = before.filter((value) => !after.includes(value))
    const come = after.filter((value) => !before.includes(value))
    // One that took the place of another changed; which one of several did, nobody knows.
    if (!lists.has(topic) && gone.length === 1 && come.length === 1)
      return [{ topic, old: gone[0] ?? null, new: come[0] ?? null }]
    return [
      ...gone.map((value) => ({ topic, old: value, new: null })),
      ...come.map((value) => ({ topic, old: null, new: value })),
    ]
  })
}

/**
 * What is known after an audit that could not look at everything: what it found, and what was known before and may well
 * be where it could not look.
 */
export function carriedOn(known: readonly Finding[], found: readonly Finding[]): Finding[] {
  const isStill = (old: Finding) =>
    lists.has(old.topic)
      ? !told(found, old.topic).includes(textOf(old))
      : !found.some(({ topic }) => topic === old.topic)
  return [...found, ...known.filter(isStill)]
}

function told(findings: readonly Finding[], topic: TrackingTopic): string[] {
  return findings.filter((finding) => finding.topic === topic).map(textOf)
}

/** What is worth telling when it changes; that it is there at all where there is nothing else to say. */
function textOf({ topic, value, domain, version }: Finding): string {
  const words = [value, version === null ? null : `version ${version}`].filter((word) => word !== null)
  if (domain !== null && (topic === 'gtm' || topic === 'matomo')) words.push(`from ${domain}`)
  return words.length === 0 ? 'yes' : words.join(', ')
}
