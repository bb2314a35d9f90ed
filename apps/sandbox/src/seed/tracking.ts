import { isCurrent, type TrackingData, type trackingServices } from '@kustos/contract/webs'
import consentServices from './consent-services.json' with { type: 'json' }
import type { Random } from './random.ts'

type ServiceName = (typeof trackingServices)[number]
type Services = TrackingData['tracking_services']

interface Service {
  readonly domain: string
  readonly share: number
  readonly createId: (random: Random) => string
}

const randomInt = (from: number, to: number) => (random: Random) => String(random.int(from, to))

const services: Readonly<Record<ServiceName, Service>> = {
  matomo: { domain: 'matomo.kustos.test', share: 0.7, createId: randomInt(1, 480) },
  googleanalytics: {
    domain: 'www.googletagmanager.com',
    share: 0.65,
    createId: (random) => `G-${random.hex(10).toUpperCase()}`,
  },
  googleads: {
    domain: 'www.googleadservices.com',
    share: 0.45,
    createId: (random) => `AW-${random.int(100_000_000, 999_999_999)}`,
  },
  facebookads: {
    domain: 'connect.facebook.net',
    share: 0.4,
    createId: randomInt(1_000_000_000, 9_999_999_999),
  },
  pinterestads: {
    domain: 's.pinimg.com',
    share: 0.1,
    createId: randomInt(2_612_000_000_000, 2_612_999_999_999),
  },
  microsoftads: { domain: 'bat.bing.com', share: 0.14, createId: randomInt(10_000_000, 99_999_999) },
  linkedinads: { domain: 'snap.licdn.com', share: 0.16, createId: randomInt(100_000, 9_999_999) },
  tiktokads: {
    domain: 'analytics.tiktok.com',
    share: 0.1,
    createId: (random) => `C${random.hex(18).toUpperCase()}`,
  },
}

const serviceNames = Object.keys(services) as ServiceName[]
const hourSeconds = 3600

/** Creates the findings of a typical web, some of them old. */
export function createTrackingData(random: Random, fqdn: string, now: Date): TrackingData {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  const find = (name: ServiceName) => {
    const { domain, share, createId } = services[name]
    if (!random.chance(share)) return []
    return Array.from({ length: random.int(1, 3) }, () => ({
      id: createId(random),
      domain: name === 'googleanalytics' && random.chance(0.2) ? `sgtm.${fqdn}` : domain,
      timestamp: nowSeconds - (random.chance(0.8) ? random.int(1, 48) : random.int(60, 2000)) * hourSeconds,
    }))
  }
  const consent = (): 'granted' | 'denied' | null => {
    const state = random.weighted({ denied: 6, granted: 3, unset: 1 })
    return state === 'unset' ? null : state
  }
  const version = random.chance(0.3) ? 1 : 2
  const path = version === 2 ? 'browser-ui/latest/loader.js' : 'latest/main.js'
  const drawn: TrackingData = {
    usercentrics: random.chance(0.88)
      ? {
          id: random.hex(9),
          version,
          src: `https://app.usercentrics.eu/${path}`,
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
    tracking_services: Object.fromEntries(serviceNames.map((name) => [name, find(name)])) as Services,
    fbadvancedmatching: random.chance(0.12),
    polyfillio: random.chance(0.05),
    digiaccess: random.chance(0.6) ? 0 : random.chance(0.25) ? 1 : 2,
  }
  return makeConsistent(drawn, nowSeconds)
}

/** Fields that follow from others are as an audit would derive them. */
function makeConsistent(drawn: TrackingData, nowSeconds: number): TrackingData {
  const { gtm, consentmode, fbadvancedmatching, tracking_services: found } = drawn
  const hasConsent = Object.values(consentmode ?? {}).some((state) => state !== null)
  return {
    ...drawn,
    // A container from the operator's own server.
    sgtmid: gtm === null || gtm.domain === 'www.googletagmanager.com' ? null : gtm.id,
    consentmode: hasConsent ? consentmode : null,
    fbadvancedmatching:
      fbadvancedmatching && found.facebookads.some(({ timestamp }) => isCurrent(timestamp, nowSeconds)),
  }
}
