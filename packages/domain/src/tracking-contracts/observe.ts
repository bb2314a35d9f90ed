import { registrableDomain } from '@kustos/clients/dns'
import {
  type ConsentPhase,
  consentPhases,
  type Evidence,
  type Finding,
  hasCollected,
  maxExcerptLength,
  saysDenied,
  type TrackingVisit,
} from '@kustos/contract/tracking'
import { isTagTopic, type TagTopic } from '@kustos/contract/tracking-contracts/states'
import { trackingServices } from '@kustos/contract/webs'
import { isOfConsentTool } from '../third-parties/index.ts'

/** What an audit that could read the page has found. */
export interface AuditResult {
  /** The web's host name, in ASCII. */
  readonly host: string
  readonly findings: readonly Finding[]
  /** Null without a browser. */
  readonly visit: TrackingVisit | null
  /** Whether everything that can contain a tracker was read. Only then is something known to be absent. */
  readonly isComplete: boolean
}

export interface ObservedTool {
  readonly name: string
  readonly id: string | null
  readonly version: string | null
  readonly evidence: Evidence | null
}

/** The ids of a tag with their evidence; an empty id stands for a tag whose id is unknown. */
export type ObservedIds = ReadonlyMap<string, Evidence>

/** A host that is not the web's own, or hides a service behind it, in a phase without consent or with it. */
export interface ObservedRequest {
  readonly host: string
  readonly topic: string | null
  /** The name of the service or its company; null if it is unknown. */
  readonly entity: string | null
  /** Whether it is known to ask visitors for consent. */
  readonly isConsentTool: boolean
  /** Whether visitors had not agreed, or no longer did, and the request does not say so itself. */
  readonly isWithoutConsent: boolean
  /** Whether it is known to need consent. */
  readonly isViolation: boolean
  /** Whether staff must decide whether it needs consent. */
  readonly isToReview: boolean
  readonly evidence: Evidence
}

/** An audit in the terms of tracking contracts. */
export interface Observation {
  readonly tool: ObservedTool | null
  /** Whether a banner was answered by its labels, which do not say whose it is. */
  readonly hasUnknownTool: boolean
  readonly tags: ReadonlyMap<TagTopic, ObservedIds>
  readonly requests: readonly ObservedRequest[]
  readonly isComplete: boolean
  /** Whether a browser visited the page. */
  readonly hasVisit: boolean
  /** Whether that browser could accept the consent banner. */
  readonly hasAccepted: boolean
  /** The phases of which that browser saw all. */
  readonly collected: readonly ConsentPhase[]
}

export const usercentrics = 'Usercentrics'

/** Stands for evidence that is unknown. */
export const noEvidence: Evidence = { source: 'request', url: '', excerpt: '', gated: false }

export function observe({ host, findings, visit, isComplete }: AuditResult): Observation {
  const tool = observeTool(findings, visit)
  return {
    tool,
    hasUnknownTool: tool === null && (visit?.accepted != null || visit?.refused != null),
    tags: observeTags(findings, visit),
    requests: observeRequests(host, visit),
    isComplete,
    hasVisit: visit !== null,
    hasAccepted: visit?.accepted != null,
    collected: visit === null ? [] : consentPhases.filter((phase) => hasCollected(visit, phase)),
  }
}

function observeTool(findings: readonly Finding[], visit: TrackingVisit | null): ObservedTool | null {
  const found = findings.find(({ topic }) => topic === 'usercentrics')
  if (found !== undefined)
    return {
      name: usercentrics,
      id: found.value,
      version: found.version === null ? null : String(found.version),
      evidence: found.evidence[0] ?? null,
    }
  const name = visit?.accepted?.manager ?? visit?.refused?.manager ?? null
  return name === null ? null : { name, ...observeAddresses(name, visit) }
}

/** What the requests to a consent tool say of it; with several ids or versions, it is unknown which one is the tool's. */
function observeAddresses(
  name: string,
  visit: TrackingVisit | null,
): Pick<ObservedTool, 'id' | 'version' | 'evidence'> {
  const requests = (visit?.asked ?? []).filter(
    ({ topic, host }) => topic === null && isOfConsentTool(name, host),
  )
  const id = only(requests.flatMap(({ ids }) => ids))
  const version = only(requests.flatMap(({ versions = [] }) => versions))
  const shown = requests.find(({ ids }) => ids.length > 0) ?? requests.find(({ versions }) => versions)
  return { id, version, evidence: shown === undefined ? null : evidenceOf(shown) }
}

/** The value, if all are the same. */
function only(values: readonly string[]): string | null {
  const [value, ...others] = new Set(values)
  return value === undefined || others.length > 0 ? null : value
}

const services: ReadonlySet<string> = new Set(trackingServices)

function observeTags(
  findings: readonly Finding[],
  visit: TrackingVisit | null,
): ReadonlyMap<TagTopic, ObservedIds> {
  const tags = new Map<TagTopic, Map<string, Evidence>>()
  const add = (topic: TagTopic, id: string, evidence: Evidence) => {
    const ids = tags.get(topic) ?? new Map<string, Evidence>()
    tags.set(topic, ids)
    if (!ids.has(id)) ids.set(id, evidence)
  }
  for (const { topic, value, domain, evidence } of findings)
    if (isTagTopic(topic)) add(topic, qualifyId(topic, value, domain), evidence[0] ?? noEvidence)
  for (const request of visit?.asked ?? []) {
    const { topic, ids, host } = request
    if (!isTagTopic(topic)) continue
    const evidence = evidenceOf(request)
    for (const id of ids) add(topic, qualifyId(topic, id, host), evidence)
    // Google's tag host serves more than Tag Manager.
    if (ids.length === 0 && services.has(topic) && !tags.has(topic)) add(topic, '', evidence)
  }
  return tags
}

/** Ids of Matomo are only unique per server. */
const qualifyId = (topic: TagTopic, id: string | null, host: string | null): string =>
  id === null ? '' : topic === 'matomo' && host !== null && host !== '' ? `${id}@${host}` : id

function observeRequests(host: string, visit: TrackingVisit | null): readonly ObservedRequest[] {
  const own = registrableDomain(host)
  return (visit?.asked ?? []).flatMap((request) =>
    registrableDomain(request.host) === own && !hidesService(request)
      ? []
      : {
          host: request.host,
          topic: request.topic,
          entity: request.entity ?? null,
          isConsentTool: request.category === 'consent_tool',
          isWithoutConsent: request.phase !== 'accepted' && !saysDenied(request),
          isViolation: request.verdict === 'violation',
          isToReview: request.verdict === 'review',
          evidence: evidenceOf(request),
        },
  )
}

/** Whether a host of the web's own domain serves a tag, or is an alias of a tracking service. Other tools are usually installed there. */
const hidesService = ({ topic, alias }: TrackingVisit['asked'][number]) =>
  isTagTopic(topic) || alias !== undefined

const evidenceOf = ({ url, method, kind, initiator, phase }: TrackingVisit['asked'][number]): Evidence => ({
  source: 'request',
  url,
  excerpt: `${method} ${kind}${initiator === null ? '' : ` by ${initiator}`}`.slice(0, maxExcerptLength),
  gated: phase === 'accepted',
  phase,
})
