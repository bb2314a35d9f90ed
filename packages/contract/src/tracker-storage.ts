import type { ThirdPartyCategory } from './third-parties/states.ts'
import type { StoredItem, TrackingTopic, TrackingVisit } from './tracking.ts'

/** Whom something stored belongs to, by the names that requests to them have. */
interface StorageOwner {
  readonly topic: TrackingTopic | null
  readonly entity: string
  readonly category: ThirdPartyCategory
}

type Owner = keyof typeof owners

const owners = {
  'Google Analytics': { topic: 'googleanalytics', category: 'analytics' },
  'Google Ads': { topic: 'googleads', category: 'advertising' },
  YouTube: { category: 'embedded_media' },
  'Facebook Ads': { topic: 'facebookads', category: 'advertising' },
  'Pinterest Ads': { topic: 'pinterestads', category: 'advertising' },
  'Microsoft Ads': { topic: 'microsoftads', category: 'advertising' },
  Clarity: { category: 'session_replay' },
  'LinkedIn Ads': { topic: 'linkedinads', category: 'advertising' },
  'TikTok Ads': { topic: 'tiktokads', category: 'advertising' },
  Matomo: { topic: 'matomo', category: 'analytics' },
  Hotjar: { category: 'session_replay' },
  HubSpot: { category: 'analytics' },
  Snapchat: { category: 'analytics' },
  'X Ads': { category: 'advertising' },
  Klaviyo: { category: 'advertising' },
  Criteo: { category: 'advertising' },
  etracker: { category: 'analytics' },
  'Adobe Experience Cloud': { category: 'analytics' },
  Segment: { category: 'analytics' },
  Mixpanel: { category: 'analytics' },
  'Amplitude Mobile Analytics': { category: 'analytics' },
  VWO: { category: 'analytics' },
  Quantcast: { category: 'analytics' },
  'Yandex Metrica': { category: 'analytics' },
  'The Trade Desk': { category: 'advertising' },
  Adroll: { category: 'advertising' },
  Taboola: { category: 'advertising' },
  Outbrain: { category: 'advertising' },
} as const satisfies Readonly<
  Record<string, { readonly topic?: TrackingTopic; readonly category: ThirdPartyCategory }>
>

/** What known trackers store, by name, and by host where a name alone says too little. */
const trackers: readonly (readonly [owner: Owner, name: RegExp | null, domains?: readonly string[]])[] = [
  ['Google Analytics', /^(_ga|_ga_[A-Z0-9]+|_gid|_gat(_.+)?|__utm[abctvxz])$/],
  // Set by the operator's own tagging server, in the place of the former.
  ['Google Analytics', /^(FPID|FPLC)$/],
  ['Google Ads', /^(_gcl_(au|aw|dc|gs|gb|gf|ha|ls)|_gac_.+)$/],
  ['Google Ads', /^FP(AU|GCL(AW|DC|GB|GS|HA))$/],
  ['Google Ads', null, ['doubleclick.net', 'googleadservices.com', 'googlesyndication.com']],
  ['YouTube', /^(VISITOR_INFO1_LIVE|YSC|VISITOR_PRIVACY_METADATA)$/, ['youtube.com']],
  ['Facebook Ads', /^_fb[pc]$/],
  ['Facebook Ads', /^(fr|datr|sb)$/, ['facebook.com']],
  ['Pinterest Ads', /^(_pin_unauth|_pinterest_(ct(_ua|_rt)?|sess)|_epik|_derived_epik)$/],
  ['Microsoft Ads', /^(_uetsid|_uetvid|_uetmsclkid)(_exp)?$/],
  ['Microsoft Ads', /^(MUID|MR|SRM_B)$/, ['bing.com', 'bing.net']],
  ['Clarity', /^(_clck|_clsk|CLID)$/],
  ['LinkedIn Ads', /^(li_fat_id|li_sugr|li_giant)$/],
  ['LinkedIn Ads', /^(bcookie|lidc|UserMatchHistory|AnalyticsSyncHistory)$/, ['linkedin.com']],
  ['TikTok Ads', /^(_ttp|_tt_enable_cookie|ttcsid(_.+)?|tt_appInfo|tt_pixel_session_index|tt_sessionId)$/],
  ['Matomo', /^_pk_(id|ses|ref|cvar|hsr|testcookie)\b/],
  ['Hotjar', /^_hj[A-Z]\w+$/],
  ['HubSpot', /^(hubspotutk|__hstc|__hssc|__hssrc)$/],
  ['Snapchat', /^(_scid(_r)?|_sctr|sc_at)$/],
  ['X Ads', /^(_twclid|personalization_id|guest_id_(ads|marketing)|muc_ads)$/],
  ['Klaviyo', /^(__kla_id|klaviyoOnsite|klaviyoPagesVisitCount)$/],
  ['Criteo', /^(cto_(bundle|bidid|idcpy|dna_bundle|tld_test)|criteo_.+)$/],
  ['Criteo', null, ['criteo.com', 'criteo.net']],
  ['etracker', /^(_et_coid|et_(coid|oi_v2|oip|scroll_depth)|BT_(pdc|sdc|ctst|ecl))$/],
  ['Adobe Experience Cloud', /^(AMCV_.+|AMCVS_.+|s_vi|s_fid|demdex)$/],
  ['Segment', /^ajs_(anonymous_id|user_id)$/],
  ['Mixpanel', /^mp_[0-9a-f]+_mixpanel$/],
  ['Amplitude Mobile Analytics', /^amplitude_id.*$/],
  ['VWO', /^(_vwo_uuid(_v2)?|_vis_opt_.+)$/],
  ['Quantcast', /^__qca$/],
  ['Yandex Metrica', /^_ym_(uid|d|isad|visorc(_.+)?)$/],
  ['The Trade Desk', null, ['adsrvr.org']],
  ['Adroll', /^__adroll(_.+)?$|^__ar_v4$/],
  ['Taboola', null, ['taboola.com']],
  ['Outbrain', null, ['outbrain.com']],
]

/**
 * Returns the tracker that something stored belongs to; null if it is none that is known, which says nothing about what it
 * is for.
 * @param host a cookie's domain may begin with a dot
 */
export function findStorageOwner({ name, host }: Pick<StoredItem, 'name' | 'host'>): StorageOwner | null {
  const bare = host.replace(/^\./, '')
  const [entity] =
    trackers.find(
      ([, pattern, domains]) =>
        pattern?.test(name) !== false &&
        (domains?.some((domain) => bare === domain || bare.endsWith(`.${domain}`)) ?? true),
    ) ?? []
  return entity === undefined ? null : { topic: null, entity, ...owners[entity] }
}

/** In which storage of a known tracker counts against a page. */
const judgedPhases: ReadonlySet<StoredItem['phase']> = new Set(['before', 'refused'])

/** What a visit says of something stored. Visits of older releases have no verdict, so a known tracker's is to be reviewed. */
export function storedVerdict(item: StoredItem): NonNullable<StoredItem['verdict']> {
  if (item.verdict !== undefined) return item.verdict
  return judgedPhases.has(item.phase) && findStorageOwner(item) !== null ? 'review' : 'none'
}

/** What a visit has stored without consent, of trackers that need it. */
export const listStoredViolations = ({ stored = [] }: TrackingVisit): readonly StoredItem[] =>
  stored.filter((item) => storedVerdict(item) === 'violation')

/** Whether a visit saw a tracker that needs consent without it, by a request or by what is stored. */
export const hasViolation = (visit: TrackingVisit): boolean =>
  visit.asked.some(({ verdict }) => verdict === 'violation') || listStoredViolations(visit).length > 0

/**
 * A visit without those violations of its day that are none any more, since the policy has changed.
 * @param services those that are: topics of trackers, and names or hosts of other services
 */
export function withoutLifted(visit: TrackingVisit, services: readonly string[]): TrackingVisit {
  const isOne = ({ topic, entity, host }: Pick<StoredItem, 'topic' | 'entity' | 'host'>) =>
    services.includes(topic ?? entity ?? host)
  const stored = visit.stored?.filter((item) => storedVerdict(item) !== 'violation' || isOne(item))
  return {
    ...visit,
    asked: visit.asked.filter((one) => one.verdict !== 'violation' || isOne(one)),
    ...(stored && { stored }),
  }
}

/**
 * Whether a visit saw nothing without consent that needs it, or that staff have to look at. What was stored with consent may still be
 * there after it was withdrawn.
 */
export const isClean = (visit: TrackingVisit): boolean =>
  !hasViolation(visit) &&
  visit.asked.every(({ verdict }) => verdict !== 'review') &&
  (visit.stored ?? []).every((item) => item.phase === 'withdrawn' || storedVerdict(item) !== 'review')
