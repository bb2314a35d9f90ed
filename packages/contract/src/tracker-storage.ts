/** What known trackers store, by name, and by host where a name alone says too little. */
const trackers: readonly (readonly [owner: string, name: RegExp | null, domains?: readonly string[]])[] = [
  ['Google Analytics', /^(_ga|_ga_[A-Z0-9]+|_gid|_gat(_.+)?|__utm[abctvxz])$/],
  ['Google Ads', /^(_gcl_(au|aw|dc|gs|gb|gf|ha|ls)|_gac_.+)$/],
  ['Google Ads', null, ['doubleclick.net', 'googleadservices.com', 'googlesyndication.com']],
  ['YouTube', /^(VISITOR_INFO1_LIVE|YSC|VISITOR_PRIVACY_METADATA)$/, ['youtube.com']],
  ['Facebook Ads', /^_fb[pc]$/],
  ['Facebook Ads', /^(fr|datr|sb)$/, ['facebook.com']],
  ['Pinterest Ads', /^(_pin_unauth|_pinterest_(ct(_ua|_rt)?|sess)|_epik|_derived_epik)$/],
  ['Microsoft Ads', /^(_uetsid|_uetvid|_uetmsclkid)(_exp)?$/],
  ['Microsoft Ads', /^(MUID|MR|SRM_B)$/, ['bing.com', 'bing.net']],
  ['Microsoft Clarity', /^(_clck|_clsk|CLID)$/],
  ['LinkedIn Ads', /^(li_fat_id|li_sugr|li_giant)$/],
  ['LinkedIn Ads', /^(bcookie|lidc|UserMatchHistory|AnalyticsSyncHistory)$/, ['linkedin.com']],
  ['TikTok Ads', /^(_ttp|_tt_enable_cookie|ttcsid(_.+)?|tt_appInfo|tt_pixel_session_index|tt_sessionId)$/],
  ['Matomo', /^_pk_(id|ses|ref|cvar|hsr|testcookie)\b/],
  ['Hotjar', /^_hj[A-Z]\w+$/],
  ['HubSpot', /^(hubspotutk|__hstc|__hssc|__hssrc)$/],
  ['Snap', /^(_scid(_r)?|_sctr|sc_at)$/],
  ['X Ads', /^(_twclid|personalization_id|guest_id_(ads|marketing)|muc_ads)$/],
  ['Klaviyo', /^(__kla_id|klaviyoOnsite|klaviyoPagesVisitCount)$/],
  ['Criteo', /^(cto_(bundle|bidid|idcpy|dna_bundle|tld_test)|criteo_.+)$/],
  ['Criteo', null, ['criteo.com', 'criteo.net']],
  ['etracker', /^(_et_coid|et_(coid|oi_v2|allow_cookies|oip|scroll_depth)|BT_(pdc|sdc|ctst|ecl))$/],
  ['Adobe Analytics', /^(AMCV_.+|AMCVS_.+|s_vi|s_fid|demdex)$/],
  ['Segment', /^ajs_(anonymous_id|user_id)$/],
  ['Mixpanel', /^mp_[0-9a-f]+_mixpanel$/],
  ['Amplitude', /^amplitude_id.*$/],
  ['VWO', /^(_vwo_uuid(_v2)?|_vis_opt_.+)$/],
  ['Quantcast', /^__qca$/],
  ['Yandex Metrica', /^_ym_(uid|d|isad|visorc(_.+)?)$/],
  ['The Trade Desk', null, ['adsrvr.org']],
  ['AdRoll', /^__adroll(_.+)?$|^__ar_v4$/],
  ['Taboola', null, ['taboola.com']],
  ['Outbrain', null, ['outbrain.com']],
]

/**
 * Returns the tracker that something stored belongs to; null if it is none that is known, which says nothing about what it
 * is for.
 * @param host a cookie's domain may begin with a dot
 */
export function findStorageOwner({
  name,
  host,
}: {
  readonly name: string
  readonly host: string
}): string | null {
  const bare = host.replace(/^\./, '')
  const [owner = null] =
    trackers.find(
      ([, pattern, domains]) =>
        pattern?.test(name) !== false &&
        (domains?.some((domain) => bare === domain || bare.endsWith(`.${domain}`)) ?? true),
    ) ?? []
  return owner
}
