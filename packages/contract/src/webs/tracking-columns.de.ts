import type { GridLabels } from '../grid/columns.ts'

const yesNo = { yes: 'ja', no: 'nein' }

/** The tracking list in German; names of products and of Google's signals are the same in both languages. */
export const germanTrackingLabels: GridLabels = {
  columns: {
    customer: 'Kunde',
    usercentrics_services: 'Usercentrics-Dienste',
    googleanalytics_stale: 'Google Analytics veraltet',
    googleanalytics_seen: 'Google Analytics gesehen',
    googleads_stale: 'Google Ads veraltet',
    googleads_seen: 'Google Ads gesehen',
    matomo_stale: 'Matomo veraltet',
    matomo_seen: 'Matomo gesehen',
    facebookads_stale: 'Facebook Ads veraltet',
    facebookads_seen: 'Facebook Ads gesehen',
    microsoftads_stale: 'Microsoft Ads veraltet',
    microsoftads_seen: 'Microsoft Ads gesehen',
    linkedinads_stale: 'LinkedIn Ads veraltet',
    linkedinads_seen: 'LinkedIn Ads gesehen',
    pinterestads_stale: 'Pinterest Ads veraltet',
    pinterestads_seen: 'Pinterest Ads gesehen',
    tiktokads_stale: 'TikTok Ads veraltet',
    tiktokads_seen: 'TikTok Ads gesehen',
    topics: 'Themen',
  },
  options: {
    fbadvancedmatching: yesNo,
    t3pref: yesNo,
    t3pentry: yesNo,
    polyfillio: yesNo,
    digiaccess: { '0': 'nicht installiert', '1': 'Fehler', '2': 'installiert' },
  },
  sets: { topics: 'Themen' },
}
