import { nothingFound, type TrackingData } from '@kustos/contract/webs'

/** The tracking of the templates' pages, until someone enters the ids of the web. */
export const templateTracking: TrackingData = {
  ...nothingFound,
  gtm: { domain: 'www.googletagmanager.com', id: 'GTM-VORLAGE' },
  referrerjs: { version: 2 },
  consentmode: {
    ad_storage: 'denied',
    analytics_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
  },
  tracking_services: {
    ...nothingFound.tracking_services,
    matomo: [{ id: '1', domain: 'matomo.kustos.test', timestamp: 0 }],
    linkedinads: [{ id: '100100', domain: 'snap.licdn.com', timestamp: 0 }],
  },
}
