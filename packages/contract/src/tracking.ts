import { z } from 'zod'
import { problemFields } from './inspections.ts'
import { messageParams } from './messages/schema.ts'
import { route } from './route.ts'
import { id, timestamp } from './text.ts'
import { thirdPartyCategories } from './third-parties/states.ts'
import { consentSignals, trackingServices } from './webs/index.ts'

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
 * Where evidence was found: `inline` is code in the page or a script, `link` a reference in the page's head, `container` a
 * tag inside a Google Tag Manager container, `request` was made by a browser.
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

/** Before a choice, with all consent refused, with all accepted, and after it was withdrawn again. */
export const consentPhases = ['before', 'refused', 'accepted', 'withdrawn'] as const
export type ConsentPhase = (typeof consentPhases)[number]

export const maxExcerptLength = 300

export const evidence = z
  .object({
    source: z.enum(evidenceSources),
    /** The address of the loaded resource, or of the page or script that contains it. */
    url: z.string(),
    excerpt: z.string().max(maxExcerptLength),
    /** Whether it is blocked until the visitor consents: `consentBlocked` in the code, this name in responses and stored rows. */
    gated: z.boolean(),
    /** Only if a browser found it. */
    phase: z.enum(consentPhases).optional(),
  })
  .meta({ id: 'TrackingEvidence' })
export type Evidence = z.output<typeof evidence>

/** Services have one finding for each of their ids. */
export const finding = z
  .object({
    topic: z.enum(trackingTopics),
    /**
     * The id of a service, container or settings; `granted` or `denied` for a consent signal; `error` or `installed` for
     * DigiAccess; else null.
     */
    value: z.string().nullable(),
    /** The host that serves the script or receives its data. */
    domain: z.string().nullable(),
    /** The version of Usercentrics or referrer.js; null for other services. */
    version: z.int().nullable(),
    /** The services of Usercentrics; null if unknown. */
    names: z.array(z.string()).nullable(),
    /** The first three without a browser, and the first two of each phase in one. */
    evidence: z.array(evidence),
  })
  .meta({ id: 'TrackingFinding' })
export type Finding = z.output<typeof finding>

/** A difference between two audits: `old` is null for additions, `new` for removals. */
export const trackingChange = z
  .object({ topic: z.enum(trackingTopics), old: z.string().nullable(), new: z.string().nullable() })
  .meta({ id: 'TrackingChange' })
export type TrackingChange = z.output<typeof trackingChange>

export const trackingEngines = ['static', 'browser'] as const
export type TrackingEngine = (typeof trackingEngines)[number]

/** By a function of the consent manager, or a button of its or another banner. */
const consentChoice = z.object({ manager: z.string().nullable(), way: z.enum(['call', 'button']) })
export type ConsentChoice = z.output<typeof consentChoice>

/**
 * By the policy of the day of the visit: `violation` is a request without consent to a service that needs it; `denied` one
 * that says so (consent mode, `asc`); `review` one to a service that staff have to look at.
 */
export const consentVerdicts = ['violation', 'denied', 'review', 'none'] as const
export type ConsentVerdict = (typeof consentVerdicts)[number]

/** The start page, one of its content, one for contact or bookings, and one that does not exist. */
export const visitedPages = ['start', 'content', 'contact', 'missing'] as const
/** A German visitor at a desktop, an English one with a phone, one with Do Not Track and Global Privacy Control. */
export const visitors = ['desktop', 'english_mobile', 'privacy_signals'] as const

/** A page as a visitor sees it who has chosen nothing, but for the start page at a desktop. */
export const visitStop = z
  .object({
    page: z.enum(visitedPages),
    visitor: z.enum(visitors),
    /** With its parameters, after redirects. */
    path: z.string().max(200),
  })
  .meta({ id: 'TrackingStop' })
export type VisitStop = z.output<typeof visitStop>

/** A stop of a visit, and why it was not visited or not completely. */
const coveredStop = z.object({
  page: z.enum(visitedPages),
  visitor: z.enum(visitors),
  path: z.string().max(200),
  problem: z.string().nullable(),
  problem_code: z.string().nullable(),
  problem_params: messageParams.nullable(),
})
export type CoveredStop = z.output<typeof coveredStop>

/** The requests of a page to one host, in one phase and for one purpose. */
export const requestedHost = z
  .object({
    phase: z.enum(consentPhases),
    host: z.string(),
    /** Null if the service is no known tracker. */
    topic: z.enum(trackingTopics).nullable(),
    /** The name of the service or its company; missing if it is unknown, and in visits of older releases, as the following. */
    entity: z.string().optional(),
    /** By the lists, whatever staff have decided; missing for hosts of the web itself. */
    category: z.enum(thirdPartyCategories).optional(),
    /** The name behind its CNAME records, if that is why a host of the web's own domain is none of the web itself. */
    alias: z.string().optional(),
    ids: z.array(z.string()),
    /** Of a consent tool; missing if no request names one. */
    versions: z.array(z.string()).optional(),
    requests: z.int(),
    verdict: z.enum(consentVerdicts),
    /** Whether each request says that consent is denied, whatever the policy; missing in visits of older releases. */
    is_denied: z.boolean().optional(),
    /** This and the following fields describe the first request. */
    url: z.string(),
    method: z.string(),
    /** The browser's resource type, such as script or fetch. */
    kind: z.string(),
    /** The script or page that made it, if known. */
    initiator: z.string().nullable(),
    /** Missing in visits of older releases, which saw the start page only. */
    stop: visitStop.optional(),
  })
  .meta({ id: 'TrackingAskedHost' })
export type RequestedHost = z.output<typeof requestedHost>

/** Whether requests say that consent is denied. Older releases noted it only where the policy asked for consent. */
export const saysDenied = ({ is_denied, verdict }: RequestedHost): boolean =>
  is_denied ?? verdict === 'denied'

export const storageKinds = [
  'cookie',
  'local_storage',
  'session_storage',
  'indexed_db',
  'service_worker',
] as const
export type StorageKind = (typeof storageKinds)[number]

/**
 * What a page has stored in the visitor's browser, with the phase in which it was first seen: before a choice and after a
 * refusal in one browser context, after consent in another. Of the phase `withdrawn` is what was still there then, and not
 * before consent.
 */
export const storedItem = z
  .object({
    phase: z.enum(consentPhases),
    kind: z.enum(storageKinds),
    /** A cookie's name, a key, a database's name, or a worker's address. */
    name: z.string().max(200),
    /** A cookie's domain, otherwise the host of the page or frame. */
    host: z.string(),
    /** Seconds until it expires, counted from when it was seen; null if it ends with the session or never. */
    lifetime: z.int().nullable(),
    /** The script or the response that set it; null if unknown. */
    set_by: z.string().nullable(),
    /** This and the following fields are those of a known tracker; missing for others, and in visits of older releases. */
    topic: z.enum(trackingTopics).nullable().optional(),
    entity: z.string().optional(),
    category: z.enum(thirdPartyCategories).optional(),
    /** As of requests. What is left after consent was withdrawn was stored with it, and is to be reviewed at most. */
    verdict: z.enum(consentVerdicts).optional(),
  })
  .meta({ id: 'TrackingStoredItem' })
export type StoredItem = z.output<typeof storedItem>

/** A consent state that a request carried: Google's `gcs` or `gcd`. */
export const consentSignal = z
  .object({
    phase: z.enum(consentPhases),
    host: z.string(),
    signal: z.enum(['gcs', 'gcd']),
    value: z.string().max(100),
  })
  .meta({ id: 'TrackingConsentSignal' })
export type ConsentSignal = z.output<typeof consentSignal>

/** A consent string of IAB Europe's Transparency and Consent Framework, version 2. */
export const tcfConsent = z
  .object({
    phase: z.enum(consentPhases),
    tc_string: z.string().max(10_000),
    cmp_id: z.int(),
    cmp_version: z.int(),
    /** Purposes with consent, and those with legitimate interest. */
    purposes: z.array(z.int()),
    legitimate_interests: z.array(z.int()),
    /** The number of vendors with consent. */
    vendors: z.int(),
  })
  .meta({ id: 'TrackingTcfConsent' })
export type TcfConsent = z.output<typeof tcfConsent>

/** A picture of the page at the end of a phase. */
export const phaseScreenshot = z
  .object({
    phase: z.enum(consentPhases),
    /** Of the file's content, in hexadecimal. */
    sha256: z.string(),
    bytes: z.int(),
  })
  .meta({ id: 'TrackingScreenshot' })
export type PhaseScreenshot = z.output<typeof phaseScreenshot>

/** A visit in a browser. */
export const trackingVisit = z
  .object({
    /** How it was done; null if it was impossible, or if the visit did not come to it. */
    refused: consentChoice.nullable(),
    accepted: consentChoice.nullable(),
    /** After it was accepted; missing in visits of older releases. */
    withdrawn: consentChoice.nullable().optional(),
    /** Violations first, then those to review, then trackers, then others, then the web's own, at most `maxRequestedHosts`. */
    asked: z.array(requestedHost),
    /** This and the following fields are missing in visits of older releases. */
    stops: z.array(coveredStop).optional(),
    stored: z.array(storedItem).optional(),
    signals: z.array(consentSignal).optional(),
    tcf: z.array(tcfConsent).optional(),
    screenshots: z.array(phaseScreenshot).optional(),
    /** The phases of the first page of which all was seen: what they do not show is gone. */
    collected: z.array(z.enum(consentPhases)).optional(),
    /** The phases to which all ways were tried: a choice that is null nevertheless is impossible. */
    tried: z.array(z.enum(consentPhases)).optional(),
  })
  .meta({ id: 'TrackingVisit' })
export type TrackingVisit = z.output<typeof trackingVisit>

/** Whether a visit saw all of a phase. Those of older releases saw the phases of the choices that they made. */
export const hasCollected = (visit: TrackingVisit, phase: ConsentPhase): boolean =>
  visit.collected?.includes(phase) ?? (phase === 'before' || visit[phase] != null)

/**
 * Whether a visit found no way to make a choice, rather than not to come to it. Visits of older releases do not say so: they came to
 * refuse and to accept if they were complete, and had refused if they could accept.
 * @param isComplete whether their audit had no problem
 */
export const isImpossible = (
  visit: TrackingVisit,
  choice: Exclude<ConsentPhase, 'before'>,
  isComplete: boolean,
): boolean => {
  const usuallyTried = choice !== 'withdrawn' && (isComplete || visit.accepted !== null)
  return visit[choice] == null && (visit.tried?.includes(choice) ?? usuallyTried)
}

/** Per visit. */
export const maxRequestedHosts = 100

/** `partial` if something could not be read, `failed` if the page itself could not. */
export const auditOutcomes = ['seen', 'partial', 'failed'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

export const trackingAudit = z
  .object({
    id,
    /** The inspection that made it, by which its report is read; null if its record was not kept. */
    inspection_id: id.nullable(),
    audited_at: timestamp,
    engine: z.enum(trackingEngines),
    outcome: z.enum(auditOutcomes),
    /** Whether everything that can contain tracking was read, whatever else was not: what it has not found is not there. */
    is_complete: z.boolean(),
    ...problemFields,
    findings: z.array(finding),
    /** Null if no browser visited the page. */
    visit: trackingVisit.nullable(),
    /** Since the last audit that had not failed; empty for the first one and for a failed one. */
    changes: z.array(trackingChange),
  })
  .meta({ id: 'TrackingAudit' })
export type TrackingAudit = z.output<typeof trackingAudit>

export const maxAuditsPerWeb = 30

export const trackingRoutes = {
  updateTracking: route('POST', '/api/request/updateTracking/:id', {
    summary:
      'Requests a tracking audit of a web. `Location` is the audit, or the one that is waiting or running already.',
    access: { any: ['edit webs'] },
  }),
  listTrackingAudits: route('GET', '/api/webs/:id/tracking', {
    summary: `The latest tracking audits of a web with their evidence, newest first, at most ${maxAuditsPerWeb}`,
    access: { any: ['view webs'] },
    response: z.object({
      data: z.array(trackingAudit),
      /** What the web requests without consent by the policy as it is now: the topics of trackers, and the names or hosts of other services. */
      violations: z.array(z.string()),
    }),
  }),
} as const
