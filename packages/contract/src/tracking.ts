import { z } from 'zod'
import { problemFields } from './inspections.ts'
import { noBody, route } from './route.ts'
import { id, idParam, time } from './text.ts'
import { trackingServices } from './webs/index.ts'

export const consentSignals = [
  'ad_storage',
  'analytics_storage',
  'ad_user_data',
  'ad_personalization',
] as const
export type ConsentSignal = (typeof consentSignals)[number]

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

/** What a visitor had said when a browser asked for something: nothing yet, no to all, or yes to all. */
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
 * violation: a tracking service was asked although nobody had consented, or had refused; denied: the same, but it was told
 * that consent is denied (Google's consent mode, Microsoft's `asc`).
 */
export const consentVerdicts = ['violation', 'denied', 'none'] as const
export type ConsentVerdict = (typeof consentVerdicts)[number]

/** Whom a page asked in a browser: what went to one host in one phase, for one purpose. */
export const askedHost = z
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
    /** The script or page that asked for it, where the browser knows. */
    initiator: z.string().nullable(),
  })
  .meta({ id: 'TrackingAskedHost' })
export type AskedHost = z.output<typeof askedHost>

/** A visit in a browser, with all that the page asked for before consent was given, after a refusal and after a yes. */
export const trackingVisit = z
  .object({
    /** How consent was refused, and given; null where there was no way to. */
    refused: consentChoice.nullable(),
    accepted: consentChoice.nullable(),
    /** Violations first, then trackers, then others; `mostAskedHosts` at most. */
    asked: z.array(askedHost),
  })
  .meta({ id: 'TrackingVisit' })
export type TrackingVisit = z.output<typeof trackingVisit>

/** Entries of a visit that are kept. */
export const mostAskedHosts = 100

/** partial: something could not be looked at; failed: the page itself could not. */
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
    /** Null where no browser looked. */
    visit: trackingVisit.nullable(),
    /** Since the audit before it that saw the page; empty for the first one, and for one that failed. */
    changes: z.array(trackingChange),
  })
  .meta({ id: 'TrackingAudit' })
export type TrackingAudit = z.output<typeof trackingAudit>

/** Audits of a web that are kept. */
export const keptAudits = 30

const byId = z.object({ id: idParam })

export const trackingRoutes = {
  updateTracking: route({
    method: 'POST',
    path: '/api/request/updateTracking/:id',
    summary: 'Asks for a tracking audit of a web; 409 while one is under way',
    access: { any: ['edit webs'] },
    params: byId,
    status: 204,
    answer: noBody,
    errors: [404, 409],
  }),
  listTrackingAudits: route({
    method: 'GET',
    path: '/api/webs/:id/tracking',
    summary: `The latest tracking audits of a web, ${keptAudits} at most, newest first, with their evidence`,
    access: { any: ['view webs'] },
    params: byId,
    status: 200,
    answer: z.object({ data: z.array(trackingAudit) }),
    errors: [404],
  }),
} as const
