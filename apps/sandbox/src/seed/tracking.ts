import { isCurrent, type TrackingData, type trackingServices } from '@kustos/contract/webs'
import type { Random } from './random.ts'

type Service = (typeof trackingServices)[number]

/** How each service's ids look. */
const idOf: Readonly<Record<Service, (random: Random) => string>> = {
  matomo: (random) => String(random.int(1, 480)),
  googleanalytics: (random) => `G-${random.hex(10).toUpperCase()}`,
  googleads: (random) => `AW-${random.int(100_000_000, 999_999_999)}`,
  facebookads: (random) => String(random.int(1_000_000_000, 9_999_999_999)),
  pinterestads: (random) => String(2_612_000_000_000 + random.int(0, 999_999_999)),
  microsoftads: (random) => String(random.int(10_000_000, 99_999_999)),
  linkedinads: (random) => String(random.int(100_000, 9_999_999)),
  tiktokads: (random) => `C${random.hex(18).toUpperCase()}`,
}

const domainOf: Readonly<Record<Service, string>> = {
  matomo: 'matomo.kustos.test',
  googleanalytics: 'www.googletagmanager.com',
  googleads: 'www.googleadservices.com',
  facebookads: 'connect.facebook.net',
  pinterestads: 's.pinimg.com',
  microsoftads: 'bat.bing.com',
  linkedinads: 'snap.licdn.com',
  tiktokads: 'analytics.tiktok.com',
}

/** How often a web has them. */
const frequency: Readonly<Record<Service, number>> = {
  matomo: 0.7,
  googleanalytics: 0.65,
  googleads: 0.45,
  facebookads: 0.4,
  pinterestads: 0.1,
  microsoftads: 0.14,
  linkedinads: 0.16,
  tiktokads: 0.1,
}

const consentServices = [
  'Google Tag Manager',
  'Google Analytics 4',
  'Google Ads Conversion',
  'Google Maps',
  'Google Fonts',
  'YouTube Video',
  'Vimeo',
  'Facebook Pixel',
  'Matomo (self hosted)',
  'OpenStreetMap',
  'reCAPTCHA',
  'Yanovis Chat',
  'Feratel Webcam',
  'Peer Travel Booking Widget',
  'TrustYou Reviews',
] as const

const hour = 3600

/** What an audit of a usual web finds, some of it seen lately and some of it long ago. */
export function trackingOf(random: Random, fqdn: string, now: Date): TrackingData {
  const seconds = Math.floor(now.getTime() / 1000)
  const found = (name: Service) => {
    if (!random.chance(frequency[name])) return []
    return Array.from({ length: random.int(1, 3) }, () => ({
      id: idOf[name](random),
      domain: name === 'googleanalytics' && random.chance(0.2) ? `sgtm.${fqdn}` : domainOf[name],
      timestamp: seconds - (random.chance(0.8) ? random.int(1, 48) : random.int(60, 2000)) * hour,
    }))
  }
  const consent = (): 'granted' | 'denied' | null => {
    const state = random.weighted({ denied: 6, granted: 3, unset: 1 })
    return state === 'unset' ? null : state
  }
  const version = random.chance(0.3) ? 1 : 2
  const drawn: TrackingData = {
    usercentrics: random.chance(0.88)
      ? {
          id: random.hex(9),
          version,
          src:
            version === 2
              ? 'https://app.usercentrics.eu/browser-ui/latest/loader.js'
              : 'https://app.usercentrics.eu/latest/main.js',
          services: consentServices.filter(() => random.chance(0.8)).map((name) => ({ name })),
        }
      : null,
    gtm: random.chance(0.65)
      ? {
          domain: random.chance(0.8) ? 'www.googletagmanager.com' : `sgtm.${fqdn}`,
          id: `GTM-${random.hex(7).toUpperCase()}`,
        }
      : null,
    sgtmid: random.chance(0.2) ? `GTM-${random.hex(7).toUpperCase()}` : null,
    referrerjs: random.chance(0.5) ? { version: random.chance(0.35) ? 1 : 2 } : null,
    cookies: { t3pref: random.chance(0.4), t3pentry: random.chance(0.35) },
    consentmode: random.chance(0.6)
      ? {
          ad_storage: consent(),
          analytics_storage: consent(),
          ad_user_data: consent(),
          ad_personalization: consent(),
        }
      : null,
    tracking_services: {
      matomo: found('matomo'),
      googleanalytics: found('googleanalytics'),
      googleads: found('googleads'),
      facebookads: found('facebookads'),
      pinterestads: found('pinterestads'),
      microsoftads: found('microsoftads'),
      linkedinads: found('linkedinads'),
      tiktokads: found('tiktokads'),
    },
    fbadvancedmatching: random.chance(0.12),
    polyfillio: random.chance(0.05),
    digiaccess: random.chance(0.6) ? 0 : random.chance(0.25) ? 1 : 2,
  }
  return agreeing(drawn, seconds)
}

/** What follows from the rest is as an audit sees it. */
function agreeing(drawn: TrackingData, now: number): TrackingData {
  const { gtm, consentmode, tracking_services: services } = drawn
  const states = Object.values(consentmode ?? {})
  return {
    ...drawn,
    // A container that the operator's own server hands out.
    sgtmid: gtm === null || gtm.domain === 'www.googletagmanager.com' ? null : gtm.id,
    consentmode: states.some((state) => state !== null) ? consentmode : null,
    fbadvancedmatching:
      drawn.fbadvancedmatching && services.facebookads.some(({ timestamp }) => isCurrent(timestamp, now)),
  }
}
