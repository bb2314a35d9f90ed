import type { SeenRequest } from '@kustos/clients/browser'
import type { RecordsOptions, RecordsResult, RecordType } from '@kustos/clients/dns'
import { defaultDecisions, type ThirdPartyCategory } from '@kustos/contract/third-parties/states'
import type { RequestedHost } from '@kustos/contract/tracking'
import { describe, expect, test } from 'vitest'
import { defaultPolicy, identifyParties, type TrackingPolicy } from '../../../src/third-parties/index.ts'
import { summarizeVisit } from '../../../src/tracking/browser-visit.ts'
import { runToEnd } from '../../../src/tracking/cooperative.ts'

const host = 'www.hotel.test'

interface Names {
  /** The names that each host is an alias of. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly policy?: TrackingPolicy
  readonly phase?: SeenRequest['phase']
}

const request = (url: string, phase: SeenRequest['phase'] = 'before'): SeenRequest => ({
  url,
  method: 'GET',
  resourceType: 'script',
  phase,
  initiator: null,
  body: null,
})

async function judge(
  url: string,
  { aliases, policy = defaultPolicy, phase }: Names = {},
): Promise<RequestedHost> {
  const records = (name: string, _: RecordType, __?: RecordsOptions): Promise<RecordsResult> =>
    Promise.resolve({ outcome: 'answered', records: aliases?.[name] === undefined ? [] : [aliases[name]] })
  const { identify } = await identifyParties({
    own: [host],
    hosts: [new URL(url).hostname],
    dns: { records },
    timeoutMs: 1000,
  })
  const consent = { refused: null, accepted: null, withdrawn: null }
  const visited = { requests: [request(url, phase)], consent, stored: [], tcStrings: [], collected: [] }
  const [asked] = runToEnd(summarizeVisit(visited, { identify, policy })).asked
  if (asked === undefined) throw new Error('Nothing was requested')
  return asked
}

/** The verdicts about what a page requests before consent, by host, after Google Analytics has said that it is denied. */
async function judgeDenied(...requests: readonly SeenRequest[]): Promise<Readonly<Record<string, string>>> {
  const denied = request('https://www.google-analytics.com/g/collect?tid=G-ABCDEF1234&gcs=G100')
  const { identify } = await identifyParties({ own: [host], hosts: [], dns: undefined, timeoutMs: 1000 })
  const decisions = {
    ...defaultDecisions,
    maps: 'consent',
    captcha: 'consent',
    tag_manager: 'consent',
  } as const
  const consent = { refused: null, accepted: null, withdrawn: null }
  const visited = { requests: [denied, ...requests], consent, stored: [], tcStrings: [], collected: [] }
  const { asked } = runToEnd(summarizeVisit(visited, { identify, policy: { ...defaultPolicy, decisions } }))
  return Object.fromEntries(asked.map((one) => [one.host, one.verdict]))
}

describe('a denied consent', () => {
  test("is that of Google's analytics, tag manager and advertising, and of nothing else of theirs", async () => {
    expect(
      await judgeDenied(
        request('https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234'),
        request('https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js'),
        request('https://maps.googleapis.com/maps/api/js'),
        request('https://www.google.com/recaptcha/api.js'),
      ),
    ).toEqual({
      'www.google-analytics.com': 'denied',
      'www.googletagmanager.com': 'denied',
      'pagead2.googlesyndication.com': 'denied',
      'maps.googleapis.com': 'violation',
      'www.google.com': 'violation',
    })
  })

  test('says nothing of the scripts of other pages and visitors', async () => {
    const stop = { page: 'contact', visitor: 'desktop', path: '/kontakt' } as const
    const tag = request('https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234')
    expect(await judgeDenied({ ...tag, stop })).toMatchObject({ 'www.googletagmanager.com': 'violation' })
    expect(await judgeDenied(tag)).toMatchObject({ 'www.googletagmanager.com': 'denied' })
  })
})

/** As `service · category · verdict`. */
const formatHost = ({ entity, category, verdict }: RequestedHost) =>
  [entity ?? '–', category ?? '–', verdict].join(' · ')

describe('names services that were requested before consent', () => {
  test.each<[string, string]>([
    ['https://static.hotjar.com/c/hotjar-1234567.js?sv=6', 'Hotjar · session_replay · violation'],
    ['https://www.clarity.ms/tag/abcdefghij', 'Clarity · session_replay · violation'],
    ['https://dynamic.criteo.com/js/ld/ld.js?a=12345', 'Criteo · advertising · violation'],
    ['https://js-eu1.hs-scripts.com/1234567.js', 'HubSpot · analytics · violation'],
    ['https://track.hubspot.com/__ptq.gif?k=1', 'HubSpot · analytics · violation'],
    ['https://static.klaviyo.com/onsite/js/klaviyo.js', 'Klaviyo · advertising · violation'],
    ['https://code.etracker.com/code/e.js', 'etracker · analytics · violation'],
    ['https://www.etracker.de/cnt.php', 'etracker · analytics · violation'],
    ['https://sc-static.net/scevent.min.js', 'Snapchat · analytics · violation'],
    ['https://tr.snapchat.com/p', 'Snapchat · analytics · violation'],
    ['https://static.ads-twitter.com/uwt.js', 'X Ads · advertising · violation'],
    ['https://t.co/i/adsct?p_id=Twitter', 'X Ads · advertising · violation'],
    ['https://platform.x.com/widgets.js', 'X · social · violation'],
    ['https://www.youtube.com/embed/abc', 'YouTube · embedded_media · violation'],
    ['https://www.youtube-nocookie.com/embed/abc', 'YouTube · embedded_media · violation'],
    ['https://connect.facebook.net/de_DE/sdk.js', 'Facebook · social · violation'],
    ['https://stats.wp.com/e-202648.js', 'WordPress Site Stats · analytics · violation'],
    [
      'https://static.cloudflareinsights.com/beacon.min.js',
      'Cloudflare Web Analytics · analytics · violation',
    ],
    ['https://hotel.siteimproveanalytics.io/image.aspx', 'Siteimprove Analytics · analytics · violation'],
    ['https://siteimproveanalytics.com/js/x.js', 'Siteimprove Analytics · analytics · violation'],
    ['https://bam.eu01.nr-data.net/1/x', 'New Relic Browser · analytics · violation'],
    ['https://js-agent.newrelic.com/nr-spa.min.js', 'New Relic Browser · analytics · violation'],
    ['https://col.eum-appdynamics.com/x', 'AppDynamics Browser · analytics · violation'],
    ['https://cm.everesttech.net/cm/dd', 'Adobe Advertising · advertising · violation'],
    ['https://collect.tealiumiq.com/event', 'Tealium Collect · analytics · violation'],
    ['https://events.framer.com/script', 'Framer Analytics · analytics · violation'],
    ['https://player.aniview.com/script/x.js', 'Aniview · advertising · violation'],
    ['https://q.adrta.com/s/x/aa.js', 'Pixalate · advertising · violation'],
    ['https://track.omguk.com/x', 'Optimise Media Group · advertising · violation'],
    ['https://a.audienceiq.com/x', 'Experian AudienceIQ · advertising · violation'],
    ['https://c.imedia.cz/retargeting', 'Seznam · advertising · violation'],
    ['https://script.tifbs.net/x.js', 'United Internet Media · advertising · violation'],
    ['https://jssdks.mparticle.com/js/v2/x/mparticle.js', 'mParticle · analytics · violation'],
    ['https://www.inmobi.com/x.js', 'InMobi · advertising · violation'],
    ['https://ats-wrapper.privacymanager.io/ats-modules/x/ats.js', 'LiveRamp ATS · advertising · violation'],
    ['https://cdn.onesignal.com/sdks/OneSignalSDK.js', 'OneSignal · marketing · review'],
    ['https://fonts.googleapis.com/css2?family=Inter', 'Google Fonts · fonts · review'],
    ['https://fonts.gstatic.com/s/inter/v13/x.woff2', 'Google Fonts · fonts · review'],
    ['https://use.typekit.net/abc1def.css', 'Adobe TypeKit · fonts · review'],
    ['https://www.google.com/recaptcha/api.js', 'Google reCAPTCHA · captcha · review'],
    ['https://www.gstatic.com/recaptcha/releases/x/recaptcha__de.js', 'Google reCAPTCHA · captcha · review'],
    ['https://www.recaptcha.net/recaptcha/api.js', 'Google reCAPTCHA · captcha · review'],
    ['https://maps.googleapis.com/maps/api/js', 'Google Maps · maps · review'],
    ['https://www.bing.com/api/maps/mapcontrol', 'Bing Maps · maps · review'],
    ['https://widget.nobody-knows.example/w.js', '– · unknown · review'],
  ])('%s', async (url, expected) => {
    const asked = await judge(url)
    expect(formatHost(asked)).toBe(expected)
    expect((await judge(url, { phase: 'accepted' })).verdict).toBe('none')
  })
})

test.each([
  'https://www.hotel.test/main.js',
  'https://hotel.test/main.js',
  'https://cdn.hotel.test/main.js',
  'https://cdnjs.cloudflare.com/ajax/libs/jquery/3.7.1/jquery.min.js',
  'https://cdn.jsdelivr.net/npm/swiper@11/swiper-bundle.min.js',
  'https://unpkg.com/leaflet@1.9.4/dist/leaflet.js',
  'https://code.jquery.com/jquery-3.7.1.min.js',
  'https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js',
  'https://maxcdn.bootstrapcdn.com/bootstrap/4.0.0/css/bootstrap.min.css',
  'https://kit.fontawesome.com/abc.js',
  'https://www.gstatic.com/charts/loader.js',
  'https://d1234abcd.cloudfront.net/app.js',
  'https://pictures.s3.eu-central-1.amazonaws.com/a.jpg',
  'https://hotel.azureedge.net/a.js',
  'https://hotel.akamaized.net/a.js',
  'https://s.w.org/images/core/emoji/15.0.3/svg/1f600.svg',
  'https://i0.wp.com/hotel.test/a.jpg',
  'https://cdn.shopify.com/s/files/1/a.js',
  'https://js.stripe.com/v3/',
  'https://www.paypal.com/sdk/js',
  'https://browser.sentry-cdn.com/8.0.0/bundle.min.js',
  'https://widgets.trustedshops.com/js/X.js',
  'https://login.microsoft.com/a.js',
  'https://www.apple.com/a.js',
  'https://consent.cookiebot.com/uc.js',
  'https://app.usercentrics.eu/browser-ui/latest/loader.js',
  'https://cdn.cookielaw.org/scripttemplates/otSDKStub.js',
  'https://delivery.consentmanager.net/delivery/autoblocking/x.js',
  'https://cdn.iubenda.com/cs/iubenda_cs.js',
  'https://sdk.privacy-center.org/x/loader.js',
  'https://cdn-cookieyes.com/client_data/x/script.js',
  'https://js.hs-banner.com/v2/1234567/banner.js',
  'https://cmp.inmobi.com/choice/x/hotel.test/choice.js',
  'https://cmp.privacymanager.io/latest/gdpr.bundle.js',
  'https://consent.cookiebot.eu/uc.js',
  'https://consentcdn.cookiebot.eu/consentconfig/x/hotel.test/configuration.js',
  'https://static.axept.io/sdk.js',
  'https://cdn.cookiehub.eu/c2/x.js',
  'https://app.termly.io/resource-blocker/x',
  'https://policy.app.cookieinformation.com/uc.js',
  'https://cdn.privacy-mgmt.com/unified/wrapperMessagingWithoutDetection.js',
  'https://cookie-cdn.cookiepro.com/scripttemplates/otSDKStub.js',
  'https://ajax.cloudflare.com/cdn-cgi/scripts/x/rocket-loader.min.js',
  'https://tags.tiqcdn.com/utag/hotel/main/prod/utag.js',
  'https://framerusercontent.com/sites/x.mjs',
  'https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234',
])('does not accuse %s', async (url) => {
  expect((await judge(url)).verdict).toBe('none')
})

describe('hosts of the web’s own domain', () => {
  test('belong to the service that their CNAME records lead to', async () => {
    const aliases = { 'x7k.hotel.test': 'hotel.dnsdelegation.io', 'hotel.dnsdelegation.io': 'gum.criteo.com' }
    const asked = await judge('https://x7k.hotel.test/p.js', { aliases })
    expect(formatHost(asked)).toBe('Criteo · advertising · violation')
    expect(asked).toMatchObject({ host: 'x7k.hotel.test', alias: 'hotel.dnsdelegation.io' })
  })

  test.each([
    ['a CDN', 'cdn.hotel.test', 'hotel.akamaized.net'],
    ['hosting', 'blog.hotel.test', 'hotel.wordpress.com'],
    ['a host that nobody knows', 'a.hotel.test', 'lb.example.net'],
    ['a loop', 'a.hotel.test', 'a.hotel.test'],
    ['a tracker, for the page itself', host, 'hotel.criteo.com'],
  ])('are the web’s own behind %s', async (_, name, alias) => {
    expect(formatHost(await judge(`https://${name}/p.js`, { aliases: { [name]: alias } }))).toBe(
      '– · – · none',
    )
  })

  test('are taken for what they say if name servers do not answer in time, which is said', async () => {
    const { identify, unresolved } = await identifyParties({
      own: [host],
      hosts: ['a.hotel.test'],
      dns: {
        records: (_, __, options) =>
          new Promise((_resolve, reject) => {
            options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error))
          }),
      },
      timeoutMs: 5,
    })
    expect(identify(new URL('https://a.hotel.test/'))).toEqual({})
    expect(unresolved).toEqual(['a.hotel.test'])
  })

  test('are told apart from those without an alias if name servers fail', async () => {
    const failed = { outcome: 'unknown', reason: { code: 'dns_timeout' } } as const
    const known: Readonly<Record<string, readonly string[]>> = {
      'b.hotel.test': [],
      'c.hotel.test': ['gum.criteo.com'],
    }
    const records = (name: string): Promise<RecordsResult> =>
      Promise.resolve(known[name] === undefined ? failed : { outcome: 'answered', records: known[name] })
    const hosts = ['a.hotel.test', 'b.hotel.test', 'c.hotel.test', 'a.other.test']
    const options = { own: [host], hosts, dns: { records } }
    const { identify, unresolved } = await identifyParties({ ...options, timeoutMs: 1000 })
    expect(unresolved).toEqual(['a.hotel.test'])
    expect(identify(new URL('https://c.hotel.test/'))).toMatchObject({ entity: 'Criteo' })
    expect((await identifyParties({ ...options, timeoutMs: 0 })).unresolved).toEqual(hosts.slice(0, 3))
  })

  test('are not all resolved if a page has too many', async () => {
    const hosts = Array.from({ length: 21 }, (_, index) => `h${index}.hotel.test`)
    const records = (): Promise<RecordsResult> => Promise.resolve({ outcome: 'answered', records: [] })
    const options = { own: [host], hosts, dns: { records }, timeoutMs: 1000 }
    expect((await identifyParties(options)).unresolved).toEqual(['h20.hotel.test'])
  })

  test('are not resolved any more once an audit is aborted', async () => {
    const abort = new Error('enough')
    const dns = { records: () => Promise.reject(abort) }
    const options = {
      own: [host],
      hosts: ['a.hotel.test'],
      timeoutMs: 1000,
      signal: AbortSignal.abort(abort),
    }
    await expect(identifyParties({ ...options, dns })).rejects.toBe(abort)
  })
})

describe('the policy', () => {
  const classified = (name: string, category: ThirdPartyCategory): TrackingPolicy => ({
    ...defaultPolicy,
    classifications: new Map([[name, category]]),
  })

  test('decides by category', async () => {
    const decisions = { ...defaultDecisions, fonts: 'consent', analytics: 'none' } as const
    const policy = { ...defaultPolicy, decisions }
    expect((await judge('https://fonts.gstatic.com/a.woff2', { policy })).verdict).toBe('violation')
    expect((await judge('https://www.google-analytics.com/g/collect', { policy })).verdict).toBe('none')
  })

  test('follows what staff have decided about a host and the domains above it', async () => {
    const url = 'https://a.widget.example/w.js'
    expect((await judge(url, { policy: classified('widget.example', 'analytics') })).verdict).toBe(
      'violation',
    )
    expect((await judge(url, { policy: classified('a.widget.example', 'cdn') })).verdict).toBe('none')
    expect((await judge(url, { policy: classified('b.widget.example', 'cdn') })).verdict).toBe('review')
    // Whatever the lists say, and whatever a request contains.
    const matomo = 'https://matomo.agency.test/matomo.php?idsite=3&rec=1'
    expect((await judge(matomo)).verdict).toBe('violation')
    expect((await judge(matomo, { policy: classified('matomo.agency.test', 'utility') })).verdict).toBe(
      'none',
    )
  })

  test('counts a denied consent signal for Google only', async () => {
    expect((await judge('https://www.google-analytics.com/g/collect?gcs=G100')).verdict).toBe('denied')
    expect((await judge('https://static.hotjar.com/c.js?gcs=G100')).verdict).toBe('violation')
  })
})
