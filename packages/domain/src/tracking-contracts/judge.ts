import type { Evidence } from '@kustos/contract/tracking'
import {
  anyTagId,
  type ContractSettings,
  consentToolFields,
  type DifferenceKind,
  isTagTopic,
  type TagTopic,
  tagTopics,
} from '@kustos/contract/tracking-contracts/states'
import { isOfConsentTool } from '../third-parties/index.ts'
import { noEvidence, type Observation, type ObservedIds, usercentrics } from './observe.ts'

/** How an audit differs from the contract. */
export interface Difference {
  readonly kind: DifferenceKind
  /** A field of the contract, a topic of tracking audits, or a host. */
  readonly subject: string
  /** The id in question; null if it is about the subject as a whole. */
  readonly value: string | null
  readonly expected: readonly string[]
  readonly found: readonly string[]
  readonly evidence: Evidence | null
}

/** A difference that is allowed. */
export interface AllowedDifference {
  readonly key: string
  readonly until: Date
  /** The agreed ids that the allowed one was found instead of. */
  readonly replaces: readonly string[]
}

/** An open difference of earlier audits. */
export interface EarlierDifference {
  readonly key: string
  readonly kind: DifferenceKind
  readonly expected: readonly string[]
  readonly confirmed_at: Date | null
}

/** By the keys of ids that were found: the agreed ids that each was found instead of. */
type Replacements = ReadonlyMap<string, readonly string[]>

/** What a difference says of its subject; an id that was found is the same, whether another one is missing or not. */
const aspects: Readonly<Record<DifferenceKind, string>> = {
  missing: 'missing',
  unexpected: 'found',
  wrong_id: 'found',
  wrong_version: 'version',
  too_early: 'early',
}

/** Tells the differences of a web apart, and is the same in each audit. */
export const keyOf = ({ kind, subject, value }: Pick<Difference, 'kind' | 'subject' | 'value'>): string =>
  [aspects[kind], subject, ...(value === null ? [] : [value])].join(' ')

/**
 * How what an audit has observed differs from what was agreed on, without what is allowed at this time. An incomplete observation
 * makes nothing missing.
 * @param earlier what is missing is told by itself, unless it was told with one that is confirmed
 */
export function judge(
  observation: Observation,
  contract: ContractSettings,
  exceptions: readonly AllowedDifference[],
  now: Date,
  earlier: readonly EarlierDifference[] = [],
): readonly Difference[] {
  const allowed: Replacements = new Map(
    exceptions.flatMap(({ key, until, replaces }) => (until > now ? [[key, replaces]] : [])),
  )
  const confirmed: Replacements = new Map(
    earlier.flatMap(({ key, kind, expected, confirmed_at }) =>
      confirmed_at === null ? [] : [[key, kind === 'wrong_id' ? expected : []]],
    ),
  )
  return [
    ...judgeTool(observation, contract),
    ...judgeTags(observation, contract, { allowed, confirmed }),
    ...judgeRequests(observation, contract),
  ].filter((difference) => !allowed.has(keyOf(difference)))
}

const about = (
  kind: DifferenceKind,
  subject: string,
  more: Partial<Omit<Difference, 'kind' | 'subject'>> = {},
): Difference => ({ kind, subject, value: null, expected: [], found: [], evidence: null, ...more })

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function judgeTool(
  { tool, hasUnknownTool, isComplete, hasVisit }: Observation,
  contract: ContractSettings,
): readonly Difference[] {
  const [agreed, id, version] = consentToolFields.map((field) => contract[field])
  if (agreed == null) return []
  if (tool === null) {
    // Without a browser, only Usercentrics is found.
    const wouldBeSeen = isComplete && !hasUnknownTool && (hasVisit || isSame(agreed, usercentrics))
    return agreed !== '' && wouldBeSeen ? [about('missing', 'consent_tool', { expected: [agreed] })] : []
  }
  const { name, evidence } = tool
  if (!isSame(name, agreed)) {
    const expected = agreed === '' ? [] : [agreed]
    return [about('unexpected', 'consent_tool', { value: name, expected, found: [name], evidence })]
  }
  const differs = (wanted: string | null | undefined, found: string | null): found is string =>
    wanted != null && wanted !== '' && found !== null && !isSame(found, wanted)
  return [
    ...(differs(id, tool.id)
      ? [
          about('wrong_id', 'consent_tool_id', {
            value: tool.id,
            expected: [id ?? ''],
            found: [tool.id],
            evidence,
          }),
        ]
      : []),
    ...(differs(version, tool.version)
      ? [
          about('wrong_version', 'consent_tool_version', {
            value: tool.version,
            expected: [version ?? ''],
            found: [tool.version],
            evidence,
          }),
        ]
      : []),
  ]
}

/** Whether an id is the agreed one, however it was typed. That of a Matomo may be agreed without its server. */
const isAgreedId = (agreed: string, found: string): boolean =>
  agreed === anyTagId || isSame(agreed, found) || found.toLowerCase().startsWith(`${agreed.toLowerCase()}@`)

interface Known {
  readonly allowed: Replacements
  readonly confirmed: Replacements
}

function judgeTags(
  observation: Observation,
  contract: ContractSettings,
  known: Known,
): readonly Difference[] {
  // A contract without any tag says nothing about them.
  if (tagTopics.every((topic) => contract[topic] === null)) return []
  return tagTopics.flatMap((topic) =>
    judgeTag(
      topic,
      contract[topic] ?? [],
      observation.tags.get(topic) ?? new Map(),
      mayMissTags(observation, contract),
      known,
    ),
  )
}

/**
 * Tags may load after consent only, so they are not missing if it could not be given, unless it was agreed that the web has no consent
 * tool. Where nothing was agreed on, it may have an unknown one.
 */
const mayMissTags = (
  { isComplete, hasVisit, hasAccepted }: Observation,
  { consent_tool }: ContractSettings,
) => isComplete && (consent_tool === '' || !hasVisit || hasAccepted)

function judgeTag(
  topic: TagTopic,
  agreed: readonly string[],
  found: ObservedIds,
  mayMiss: boolean,
  { allowed, confirmed }: Known,
): readonly Difference[] {
  const ids = [...found.keys()].filter((id) => id !== '')
  const evidenceOf = (id: string | undefined) => found.get(id ?? '') ?? [...found.values()][0] ?? null
  if (agreed.length === 0)
    return found.size === 0 ? [] : [about('unexpected', topic, { found: ids, evidence: evidenceOf(ids[0]) })]
  const wanted = agreed.filter((id) => id !== anyTagId)
  const missing = wanted.filter((id) => !ids.some((one) => isAgreedId(id, one)))
  const additional = ids.filter((one) => !agreed.some((id) => isAgreedId(id, one)))
  const keyOfFound = (value: string) => keyOf({ kind: 'unexpected', subject: topic, value })
  const others = additional.filter((id) => !allowed.has(keyOfFound(id)))
  const replacedBy = (id: string) => allowed.get(keyOfFound(id)) ?? confirmed.get(keyOfFound(id)) ?? []
  const told = new Set(additional.flatMap(replacedBy))
  // An id that was already told to be there has not taken the place of one that is missing since.
  const untold = missing.filter((id) => !told.has(id))
  const isNew = (id: string) => !confirmed.has(keyOfFound(id))
  const differences = others.map((id) => {
    const replaced = isNew(id) ? untold : missing.filter((one) => replacedBy(id).includes(one))
    return about(replaced.length > 0 ? 'wrong_id' : 'unexpected', topic, {
      value: id,
      expected: replaced.length > 0 ? replaced : agreed,
      found: [id],
      evidence: evidenceOf(id),
    })
  })
  if (!mayMiss || others.some(isNew)) return differences
  if (found.size === 0 && wanted.length === 0) return [about('missing', topic, { expected: agreed })]
  // The id of a tag that is there may be unknown.
  if (found.has('')) return differences
  return [...differences, ...untold.map((id) => about('missing', topic, { value: id, expected: [id] }))]
}

/** Whether a host is one of these, or below one of `*.example.com`. */
const isAgreedHost = (patterns: readonly string[], host: string): boolean =>
  patterns.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern))

function judgeRequests({ requests, tool }: Observation, contract: ContractSettings): readonly Difference[] {
  const found = new Map<string, Difference>()
  const add = (difference: Difference) => {
    const key = keyOf(difference)
    if (!found.has(key)) found.set(key, difference)
  }
  const { hosts, before_consent: early, consent_tool: agreedTool } = contract
  const hasAgreedTool = !!agreedTool && (tool === null || isSame(tool.name, agreedTool))
  for (const { host, topic, isConsentTool, isWithoutConsent, evidence } of requests) {
    // Judged as the consent tool. Its host may be one that the lists do not know.
    const isOfAgreedTool = hasAgreedTool && (isConsentTool || isOfConsentTool(agreedTool, host))
    if ((topic === 'usercentrics' && agreedTool !== null) || isOfAgreedTool) continue
    // One host may serve several tags, each of which has to be allowed by itself.
    const mayBeEarly =
      early !== null &&
      ((topic !== null && early.includes(topic)) || (!isTagTopic(topic) && isAgreedHost(early, host)))
    const isOther = hosts !== null && !isTagTopic(topic) && !mayBeEarly && !isAgreedHost(hosts, host)
    if (isOther) add(about('unexpected', host, { found: [host], evidence }))
    // Also of such a host, or that it is early would be told only once the host is agreed on.
    if (early !== null && isWithoutConsent && !mayBeEarly)
      add(about('too_early', topic ?? host, { found: [host], evidence }))
  }
  return [...found.values()]
}

/**
 * Whether an audit shows that a difference is over, apart from not showing it: what was missing is there, or the consent tool has
 * other properties. Of what it has not found, it shows nothing else if it is incomplete, or did not come to where that was found.
 */
export function isRefuted(
  difference: Pick<Difference, 'kind' | 'subject' | 'value' | 'evidence'>,
  observation: Observation,
  contract: ContractSettings,
): boolean {
  const { kind, subject, value } = difference
  const { tool, tags } = observation
  if (wouldBeSeen(difference, observation, contract)) return true
  if (subject === 'consent_tool') return tool !== null
  if (subject === 'consent_tool_id') return tool !== null && tool.id !== null
  if (subject === 'consent_tool_version') return tool !== null && tool.version !== null
  if (kind !== 'missing' || !isTagTopic(subject)) return false
  const ids = [...(tags.get(subject)?.keys() ?? [])]
  return value === null ? ids.length > 0 : ids.some((id) => isAgreedId(value, id))
}

function wouldBeSeen(
  { kind, subject, evidence }: Pick<Difference, 'kind' | 'subject' | 'evidence'>,
  observation: Observation,
  contract: ContractSettings,
): boolean {
  if (kind === 'missing' && isTagTopic(subject)) return mayMissTags(observation, contract)
  const phase = evidence?.phase ?? 'before'
  return observation.isComplete && (phase === 'before' || observation.collected.includes(phase))
}

/** Whether a contract and exceptions have nothing against a difference, whatever audits show of it. */
export const isAgreed = (
  difference: Omit<Difference, 'expected'>,
  contract: ContractSettings,
  exceptions: readonly AllowedDifference[],
  now: Date,
): boolean =>
  judge(onlyWith(difference, contract), contract, exceptions, now).every(
    (one) => keyOf(one) !== keyOf(difference),
  )

/** What an audit observes that shows a difference and nothing else. */
function onlyWith(
  { kind, subject, value, found, evidence }: Omit<Difference, 'expected'>,
  { consent_tool: agreedTool }: ContractSettings,
): Observation {
  const nothing: Observation = {
    tool: null,
    hasUnknownTool: false,
    tags: new Map(),
    requests: [],
    isComplete: kind === 'missing',
    hasVisit: true,
    hasAccepted: true,
    collected: [],
  }
  if (kind === 'missing') return nothing
  const tool = { name: agreedTool ?? '', id: null, version: null, evidence }
  if (subject === 'consent_tool') return { ...nothing, tool: { ...tool, name: value ?? '' } }
  if (subject === 'consent_tool_id') return { ...nothing, tool: { ...tool, id: value } }
  if (subject === 'consent_tool_version') return { ...nothing, tool: { ...tool, version: value } }
  const proof = evidence ?? noEvidence
  if (kind !== 'too_early' && isTagTopic(subject)) {
    const ids = found.length === 0 ? [''] : found
    return { ...nothing, tags: new Map([[subject, new Map(ids.map((id) => [id, proof]))]]) }
  }
  const [host = subject] = found
  const request = {
    host,
    topic: subject === host ? null : subject,
    entity: null,
    isConsentTool: false,
    isWithoutConsent: kind === 'too_early',
    isViolation: false,
    isToReview: false,
    evidence: proof,
  }
  return { ...nothing, requests: [request] }
}
