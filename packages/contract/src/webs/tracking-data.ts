import { z } from 'zod'

/** Older entries are stale (specification, section 9). */
export const trackingFreshnessSeconds = 200_000

const service = z.object({
  id: z.string(),
  domain: z.string(),
  /** When it was last seen, in Unix seconds. */
  timestamp: z.int(),
})

export const trackingServices = [
  'matomo',
  'googleanalytics',
  'googleads',
  'facebookads',
  'pinterestads',
  'microsoftads',
  'linkedinads',
  'tiktokads',
] as const

export const consentSignals = [
  'ad_storage',
  'analytics_storage',
  'ad_user_data',
  'ad_personalization',
] as const

const consent = z.enum(['granted', 'denied']).nullable()

/** Results of the latest audits. */
export const trackingData = z
  .object({
    usercentrics: z
      .object({
        id: z.string(),
        version: z.int(),
        src: z.string(),
        services: z.array(z.object({ name: z.string() })),
      })
      .nullable(),
    gtm: z.object({ domain: z.string(), id: z.string() }).nullable(),
    sgtmid: z.string().nullable(),
    referrerjs: z.object({ version: z.int() }).nullable(),
    cookies: z.object({ t3pref: z.boolean(), t3pentry: z.boolean() }),
    consentmode: z
      .object({
        ad_storage: consent,
        analytics_storage: consent,
        ad_user_data: consent,
        ad_personalization: consent,
      })
      .nullable(),
    tracking_services: z.record(z.enum(trackingServices), z.array(service)),
    fbadvancedmatching: z.boolean(),
    polyfillio: z.boolean(),
    digiaccess: z.union([z.literal(0), z.literal(1), z.literal(2)]),
    /** The hosts, services and cookies that it loads; missing in data of older releases, as the following [+]. */
    third_parties: z.array(z.string()).optional(),
    /** The services requested without consent in the latest visit of a browser; null if there was none [+]. */
    before_consent: z.array(z.string()).nullable().optional(),
  })
  .meta({ id: 'TrackingData' })

export type TrackingData = z.output<typeof trackingData>

/** The data of a web without trackers, and before its first audit. */
export const nothingFound: TrackingData = {
  usercentrics: null,
  gtm: null,
  sgtmid: null,
  referrerjs: null,
  cookies: { t3pref: false, t3pentry: false },
  consentmode: null,
  tracking_services: Object.fromEntries(
    trackingServices.map((service) => [service, []]),
  ) as unknown as TrackingData['tracking_services'],
  fbadvancedmatching: false,
  polyfillio: false,
  digiaccess: 0,
}

/** @param now in Unix seconds */
export const isCurrent = (timestamp: number, now: number): boolean =>
  now - timestamp <= trackingFreshnessSeconds
