import { z } from 'zod'
import { problemFields } from './inspections.ts'
import { route } from './route.ts'
import { id, time } from './text.ts'
import { consentSignals, trackingServices } from './webs/index.ts'

/** What an audit looks for. */
export const trackingTopics = [
  'usercentrics',
  'gtm',
  'sgtmid',
  ...consentSignals,
  ...trackingServices,
  'fbadvancedmatching',
  'referrerjs',
  't3pref',
  't3pentry',
  'polyfillio',
  'digiaccess',
] as const
export type TrackingTopic = (typeof trackingTopics)[number]

/**
 * Where something was seen: a script that the page loads, code in the page or in such a script, a frame, a picture, a
 * reference in the page's head, a cookie, a tag inside of a Google Tag Manager container, or a request that a browser
 * made.
 */
export const evidenceSources = [
  'script',
  'inline',
  'iframe',
  'image',
  'link',
  'cookie',
  'container',
  'request',
] as const
export type EvidenceSource = (typeof evidenceSources)[number]

/** A visitor's consent at the time of a request: none yet, all refused, or all accepted. */
export const consentPhases = ['before', 'refused', 'accepted'] as const
export type ConsentPhase = (typeof consentPhases)[number]

/** Characters of an excerpt at most. */
export const longestExcerpt = 300

export const evidence = z
  .object({
    source: z.enum(evidenceSources),
    /** What was loaded, or the page or script that it stood in. */
    url: z.string(),
    /** As it stood there. */
    excerpt: z.string().max(longestExcerpt),
    /** Whether it is there, but waits for the visitor's consent. */
    gated: z.boolean(),
    /** Of what a browser saw. */
    phase: z.enum(consentPhases).optional(),
  })
  .meta({ id: 'TrackingEvidence' })
export type Evidence = z.output<typeof evidence>

/** One thing that was found. Services are found once for each of their ids. */
export const finding = z
  .object({
    topic: z.enum(trackingTopics),
    /**
     * The id of a service, container or settings; of a consent signal `granted` or `denied`; of DigiAccess `error` or
     * `installed`. Null where there is nothing to tell but that it is there.
     */
    value: z.string().nullable(),
    /** The host that served the script or receives what it sends. */
    domain: z.string().nullable(),
    /** Of Usercentrics and referrer.js. */
    version: z.int().nullable(),
    /** The services of Usercentrics; null if unknown. */
    names: z.array(z.string()).nullable(),
    /** The first three of what was read, and the first two of each phase of what a browser saw. */
    evidence: z.array(evidence),
  })
  .meta({ id: 'TrackingFinding' })
export type Finding = z.output<typeof finding>

/** What differs between two audits: new is null for what is gone, old for what has come. */
export const trackingChange = z
  .object({ topic: z.enum(trackingTopics), old: z.string().nullable(), new: z.string().nullable() })
  .meta({ id: 'TrackingChange' })
export type TrackingChange = z.output<typeof trackingChange>

export const trackingEngines = ['static', 'browser'] as const
export type TrackingEngine = (typeof trackingEngines)[number]

/** By a consent manager's own function, or by a button of it or of a banner. */
const consentChoice = z.object({ manager: z.string().nullable(), way: z.enum(['call', 'button']) })
export type ConsentChoice = z.output<typeof consentChoice>

/**
 * violation: a request to a tracking service without consent; denied: the same, but it carried that consent is denied
 * (Google's consent mode, Microsoft's `asc`).
 */
export const consentVerdicts = ['violation', 'denied', 'none'] as const
export type ConsentVerdict = (typeof consentVerdicts)[number]

/** The requests of a page to one host, in one phase and for one purpose. */
export const requestedHost = z
  .object({
    phase: z.enum(consentPhases),
    host: z.string(),
    /** Null for anything but a known tracker. */
    topic: z.enum(trackingTopics).nullable(),
    ids: z.array(z.string()),
    requests: z.int(),
    verdict: z.enum(consentVerdicts),
    /** The first request. */
    url: z.string(),
    method: z.string(),
    /** What the browser takes it for: script, image, fetch, … */
    kind: z.string(),
    /** The script or page that made it, if the browser knows. */
    initiator: z.string().nullable(),
  })
  .meta({ id: 'TrackingAskedHost' })
export type RequestedHost = z.output<typeof requestedHost>

/** A visit in a browser, with all requests before consent, after refusing and after accepting it. */
export const trackingVisit = z
  .object({
    /** How consent was refused and accepted; null if that was impossible. */
    refused: consentChoice.nullable(),
    accepted: consentChoice.nullable(),
    /** Violations first, then trackers, then others; `maxRequestedHosts` at most. */
    asked: z.array(requestedHost),
  })
  .meta({ id: 'TrackingVisit' })
export type TrackingVisit = z.output<typeof trackingVisit>

/** Entries of a visit that are kept. */
export const maxRequestedHosts = 100

/** partial: something could not be read; failed: the page itself could not. */
export const auditOutcomes = ['seen', 'partial', 'failed'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** What one audit saw. */
export const trackingAudit = z
  .object({
    id,
    audited_at: time,
    engine: z.enum(trackingEngines),
    outcome: z.enum(auditOutcomes),
    ...problemFields,
    findings: z.array(finding),
    /** Null without a browser. */
    visit: trackingVisit.nullable(),
    /** Since the audit before it that saw the page; empty for the first one, and for one that failed. */
    changes: z.array(trackingChange),
  })
  .meta({ id: 'TrackingAudit' })
export type TrackingAudit = z.output<typeof trackingAudit>

/** Audits of a web that are kept. */
export const keptAudits = 30

export const trackingRoutes = {
  updateTracking: route('POST', '/api/request/updateTracking/:id', {
    summary: 'Requests a tracking audit of a web. 409 while one is waiting or running.',
    access: { any: ['edit webs'] },
    errors: [409],
  }),
  listTrackingAudits: route('GET', '/api/webs/:id/tracking', {
    summary: `The latest tracking audits of a web with their evidence, newest first, at most ${keptAudits}`,
    access: { any: ['view webs'] },
    answer: z.object({ data: z.array(trackingAudit) }),
  }),
} as const
