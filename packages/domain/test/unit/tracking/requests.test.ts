import type { Browser, SeenRequest, Visited } from '@kustos/clients/browser'
import { describe, expect, test, vi } from 'vitest'
import { defaultPolicy } from '../../../src/third-parties/index.ts'
import { listLoads, summarizeVisit } from '../../../src/tracking/browser-visit.ts'
import { collectFindings } from '../../../src/tracking/collect-findings.ts'
import { runToEnd } from '../../../src/tracking/cooperative.ts'
import { auditPage } from '../../../src/tracking/index.ts'
import { emptySnapshot } from '../../../src/tracking/page-snapshot.ts'
import {
  containerOf,
  containerUrl,
  formatFinding,
  gtmSnippet,
  home,
  host,
  inline,
  visitOf as reading,
} from './page-fixtures.ts'

const request = (url: string, more: Partial<SeenRequest> = {}): SeenRequest => ({
  url,
  method: 'GET',
  resourceType: 'image',
  phase: 'before',
  initiator: null,
  body: null,
  ...more,
})

const visited = (requests: readonly SeenRequest[], more: Partial<Visited> = {}): Visited => ({
  outcome: 'visited',
  url: home,
  requests,
  stored: [],
  tcStrings: [],
  screenshots: [],
  collected: [],
  consent: { refused: null, accepted: null, withdrawn: null },
  problems: [],
  ...more,
})

const cookie = (name: string, phase: Visited['stored'][number]['phase']) =>
  ({ phase, kind: 'cookie', name, host, lifetimeSeconds: null, setBy: null }) as const

const findings = (requests: readonly SeenRequest[]) =>
  runToEnd(collectFindings({ ...emptySnapshot(new URL(home)), loads: listLoads(visited(requests)) })).map(
    formatFinding,
  )

const script = { resourceType: 'script' }
const post = (body: string) => ({ method: 'POST', resourceType: 'ping', body })

describe('recognises service and id of a request', () => {
  test.each<[string, readonly [url: string, more?: Partial<SeenRequest>], readonly string[]]>([
    [
      'GA4 at Google',
      ['https://region1.google-analytics.com/g/collect?v=2&tid=G-ABCDEF1234&en=page_view', post('')],
      ['googleanalytics G-ABCDEF1234 @region1.google-analytics.com'],
    ],
    [
      'GA4 at a server of the operator',
      ['https://sgtm.hotel.test/g/collect?v=2&tid=G-ABCDEF1234'],
      ['googleanalytics G-ABCDEF1234 @sgtm.hotel.test'],
    ],
    [
      'Google tag',
      ['https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234', script],
      ['googleanalytics G-ABCDEF1234 @www.googletagmanager.com'],
    ],
    [
      'Universal Analytics',
      ['https://www.google-analytics.com/collect', post('v=1&tid=UA-1234567-1&t=pageview')],
      ['googleanalytics UA-1234567-1 @www.google-analytics.com'],
    ],
    [
      'Google Ads, a conversion',
      ['https://googleads.g.doubleclick.net/pagead/viewthroughconversion/123456789/?random=1'],
      ['googleads AW-123456789 @googleads.g.doubleclick.net'],
    ],
    [
      'Google Ads, consent and conversion measurement',
      ['https://www.google.com/ccm/collect?tid=AW-123456789&en=page_view'],
      ['googleads AW-123456789 @www.google.com'],
    ],
    [
      'Google Ads, remarketing',
      ['https://www.google.it/rmkt/collect/123456789/?cv=11'],
      ['googleads AW-123456789 @www.google.it'],
    ],
    [
      'Tag Manager',
      ['https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234', script],
      ['gtm GTM-ABC1234 @www.googletagmanager.com'],
    ],
    [
      'Tag Manager from a server of the operator',
      ['https://sgtm.hotel.test/gtm.js?id=GTM-ABC1234', script],
      ['gtm GTM-ABC1234 @sgtm.hotel.test', 'sgtmid GTM-ABC1234 @sgtm.hotel.test'],
    ],
    [
      "Meta's pixel",
      ['https://www.facebook.com/tr/?id=123456789012345&ev=PageView'],
      ['facebookads 123456789012345 @www.facebook.com'],
    ],
    [
      "Meta's pixel with data that identifies a visitor",
      ['https://www.facebook.com/tr/?id=123456789012345&ev=PageView&udff[em]=5d41402a'],
      ['facebookads 123456789012345 @www.facebook.com', 'fbadvancedmatching'],
    ],
    [
      "Meta's pixel, sent as a form",
      ['https://www.facebook.com/tr/', post('id=123456789012345&ev=PageView')],
      ['facebookads 123456789012345 @www.facebook.com'],
    ],
    [
      'the settings of a pixel by Meta',
      ['https://connect.facebook.net/signals/config/123456789012345?v=2.9', script],
      ['facebookads 123456789012345 @connect.facebook.net'],
    ],
    ["Meta's script, which names no pixel", ['https://connect.facebook.net/en_US/fbevents.js', script], []],
    [
      'Pinterest',
      ['https://ct.pinterest.com/v3/?event=init&tid=2612345678901'],
      ['pinterestads 2612345678901 @ct.pinterest.com'],
    ],
    [
      'Microsoft',
      ['https://bat.bing.com/action/0?ti=12345678&Ver=2'],
      ['microsoftads 12345678 @bat.bing.com'],
    ],
    [
      'the settings of a tag by Microsoft',
      ['https://bat.bing.com/p/action/12345678.js', script],
      ['microsoftads 12345678 @bat.bing.com'],
    ],
    [
      'LinkedIn',
      ['https://px.ads.linkedin.com/collect/?pid=1234567&fmt=gif'],
      ['linkedinads 1234567 @px.ads.linkedin.com'],
    ],
    [
      'LinkedIn, in the request body',
      ['https://px.ads.linkedin.com/wa/', post('{"pids":[1234567],"scriptVersion":1}')],
      ['linkedinads 1234567 @px.ads.linkedin.com'],
    ],
    [
      'TikTok',
      ['https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=C4ABCDEFGHIJ12345678&lib=ttq', script],
      ['tiktokads C4ABCDEFGHIJ12345678 @analytics.tiktok.com'],
    ],
    [
      'TikTok, in the request body',
      [
        'https://analytics.tiktok.com/api/v2/pixel',
        post('{"context":{"pixel":{"code":"C4ABCDEFGHIJ12345678"}}}'),
      ],
      ['tiktokads C4ABCDEFGHIJ12345678 @analytics.tiktok.com'],
    ],
    ['Matomo', ['https://stats.agency.test/matomo.php?idsite=12&rec=1'], ['matomo 12 @stats.agency.test']],
    [
      'Matomo, in the request body',
      ['https://stats.agency.test/piwik.php', post('action_name=Hotel&idsite=12&rec=1')],
      ['matomo 12 @stats.agency.test'],
    ],
    ['polyfill.io', ['https://cdn.polyfill.io/v3/polyfill.min.js', script], ['polyfillio @cdn.polyfill.io']],
    [
      'DigiAccess',
      ['https://download.digiaccess.org/digiaccess', script],
      ['digiaccess installed @download.digiaccess.org'],
    ],
    [
      'referrer.js',
      ['https://www.hotel.test/js/referrer-2.js', script],
      ['referrerjs https://www.hotel.test/js/referrer-2.js v2 @www.hotel.test'],
    ],
    ['a page of Facebook, which is not a service', ['https://www.facebook.com/hotel?id=123456789012345'], []],
    ['a picture of the web itself', ['https://www.hotel.test/hotel.jpg?id=123456789012345'], []],
  ])('%s', (_, [url, more], expected) => {
    expect(findings([request(url, more)])).toEqual(expected)
  })

  test('recognises Usercentrics by its script and settings request', () => {
    const loader = request('https://app.usercentrics.eu/browser-ui/latest/loader.js', script)
    expect(findings([loader])).toEqual([])
    expect(
      findings([loader, request('https://api.usercentrics.eu/settings/AbCdEf123/latest/de.json')]),
    ).toEqual(['usercentrics AbCdEf123 v2 @app.usercentrics.eu'])
  })

  test('reads consent mode from requests to Google before a choice', () => {
    const url = (gcd: string) => `https://www.google-analytics.com/g/collect?tid=G-ABCDEF1234&gcd=${gcd}`
    expect(findings([request(url('13p3t3l3p5'))])).toEqual([
      'ad_storage denied',
      'analytics_storage granted',
      'ad_personalization denied',
      'googleanalytics G-ABCDEF1234 @www.google-analytics.com',
    ])
    expect(findings([request(url('13v3v3v3v5'), { phase: 'accepted' })])).toHaveLength(1)
  })

  test('assigns phases and marks services that are requested after consent only', () => {
    const url = 'https://www.facebook.com/tr/?id=123456789012345&ev=PageView'
    expect(findings([request(url, { phase: 'accepted' })])).toEqual([
      'facebookads 123456789012345 @www.facebook.com (gated)',
    ])
    const [finding] = runToEnd(
      collectFindings({
        ...emptySnapshot(new URL(home)),
        loads: listLoads(
          visited([
            request(url, { initiator: 'https://www.hotel.test/a.js' }),
            ...['1', '2', '3'].map((n) => request(`${url}&n=${n}`, { phase: 'refused' })),
          ]),
        ),
      }),
    )
    expect(finding?.evidence.map(({ source, phase, excerpt }) => [source, phase, excerpt])).toEqual([
      ['request', 'before', 'GET image by https://www.hotel.test/a.js'],
      ['request', 'refused', 'GET image'],
      ['request', 'refused', 'GET image'],
    ])
  })
})

describe('the id of a consent tool', () => {
  const cookiebot = '1a2b3c4d-0000-4000-8000-abcdefabcdef'
  test.each<[string, readonly string[]]>([
    [`https://consent.cookiebot.com/uc.js?cbid=${cookiebot}`, [cookiebot]],
    [`https://consent.cookiebot.com/${cookiebot.toUpperCase()}/cc.js?renew=false`, [cookiebot]],
    [`https://consentcdn.cookiebot.com/consentconfig/${cookiebot}/hotel.test/configuration.js`, [cookiebot]],
    ['https://consent.cookiebot.com/uc.js', []],
    [`https://cdn.cookielaw.org/consent/${cookiebot}/${cookiebot}.json`, [cookiebot]],
    [`https://cdn.cookielaw.org/consent/${cookiebot}-test/OtAutoBlock.js`, [`${cookiebot}-test`]],
    ['https://cdn.cookielaw.org/scripttemplates/otSDKStub.js', []],
    [`https://cookie-cdn.cookiepro.com/consent/${cookiebot}/${cookiebot}.json`, [cookiebot]],
    ['https://cloud.ccm19.de/app.js?apiKey=0123456789abcdef&domain=64af3c1b2d', ['64af3c1b2d']],
    ['https://delivery.consentmanager.net/delivery/autoblocking/1a2b3c4d5e.js', ['1a2b3c4d5e']],
    ['https://b.delivery.consentmanager.net/delivery/cmp.php?&cdid=1a2b3c4d5e&h=hotel', ['1a2b3c4d5e']],
    [`https://sdk.privacy-center.org/${cookiebot}/loader.js?target=hotel.test`, [cookiebot]],
    [`https://consent.cookiefirst.com/sites/hotel.test-${cookiebot}/consent.js`, [cookiebot]],
    [
      'https://cdn-cookieyes.com/client_data/c9eed3aaa2a251a8a7a60268/script.js',
      ['c9eed3aaa2a251a8a7a60268'],
    ],
    [`https://consent.nobody.test/uc.js?cbid=${cookiebot}`, []],
  ])('is read from %s', (url, ids) => {
    expect(runToEnd(summarizeVisit(visited([request(url, script)]))).asked[0]?.ids).toEqual(ids)
  })
})

test.each<[string, readonly string[], readonly string[] | undefined]>([
  [
    'OneTrust',
    [
      'https://cdn.cookielaw.org/scripttemplates/otSDKStub.js',
      'https://cdn.cookielaw.org/scripttemplates/202501.2.0/otBannerSdk.js',
    ],
    ['202501.2.0'],
  ],
  [
    'OneTrust, twice',
    ['202408.1.0', '202501.2.0'].map(
      (version) => `https://cdn.cookielaw.org/scripttemplates/${version}/otBannerSdk.js`,
    ),
    ['202408.1.0', '202501.2.0'],
  ],
  ['Klaro', ['https://cdn.kiprotect.com/klaro/v0.7.22/klaro.js'], ['0.7.22']],
  ['Klaro without one', ['https://cdn.kiprotect.com/klaro/latest/klaro.js'], undefined],
])('reads the version of %s', (_, urls, versions) => {
  const { asked } = runToEnd(summarizeVisit(visited(urls.map((url) => request(url, script)))))
  expect(asked.map((host) => host.versions)).toEqual([versions])
})

describe('requests without consent', () => {
  const verdicts = (requests: readonly SeenRequest[]) =>
    runToEnd(summarizeVisit(visited(requests))).asked.map(
      ({ phase, topic, verdict, requests: count }) => `${phase} ${topic} ${verdict} ${count}`,
    )
  const pixel = 'https://www.facebook.com/tr/?id=123456789012345&ev=PageView'
  const tag = request('https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234', script)
  const ping = (gcs: string, phase: SeenRequest['phase'] = 'before') =>
    request(`https://www.google-analytics.com/g/collect?tid=G-ABCDEF1234${gcs}`, { phase })

  test.each<[string, readonly SeenRequest[], readonly string[]]>([
    ['before a choice', [request(pixel), request(`${pixel}&n=1`)], ['before facebookads violation 2']],
    ['after a refusal', [request(pixel, { phase: 'refused' })], ['refused facebookads violation 1']],
    ['not after acceptance', [request(pixel, { phase: 'accepted' })], ['accepted facebookads none 1']],
    [
      "by a vendor's script that names no id",
      [request('https://snap.licdn.com/li.lms-analytics/insight.min.js', script)],
      ['before linkedinads violation 1'],
    ],
    [
      'not by Google with a denied consent signal',
      [tag, ping('&gcs=G100')],
      ['before googleanalytics denied 1', 'before googleanalytics denied 1'],
    ],
    ['by Google with one granted signal', [ping('&gcs=G101')], ['before googleanalytics violation 1']],
    [
      'by Google without a consent signal',
      [tag, ping('')],
      ['before googleanalytics violation 1', 'before googleanalytics violation 1'],
    ],
    [
      'not by a measurement that Google was told of with a denied consent, of whatever purposes',
      [request('https://pagead2.googlesyndication.com/ccm/collect?gcs=G100&gcd=13p3p3p3p5')],
      ['before googleads denied 1'],
    ],
    [
      'by a measurement of Google that reports its consent signals',
      [request('https://pagead2.googlesyndication.com/ccm/collect?gcd=13t3t3t3t5')],
      ['before googleads violation 1'],
    ],
    [
      'not by a host that belongs to no service although it is told the signals',
      [request('https://www.google.com/other?gcd=13p3p3p3p5')],
      ['before null none 1'],
    ],
    [
      'not by Microsoft with a denied consent signal',
      [request('https://bat.bing.com/action/0?ti=12345678&asc=D')],
      ['before microsoftads denied 1'],
    ],
    [
      'by a request of Matomo under another name',
      [request('https://www.hotel.test/js/stats.php?action_name=x&idsite=3&rec=1')],
      ['before matomo violation 1'],
    ],
    [
      'by requests with signals of Google Ads',
      [
        request('https://googleads.g.doubleclick.net/pagead/viewthroughconversion/123456789/'),
        request('https://td.doubleclick.net/td/rul/123456789'),
      ],
      ['before googleads violation 1', 'before googleads violation 1'],
    ],
    [
      "by Meta's pixel",
      [request('https://connect.facebook.net/en_US/fbevents.js', script)],
      ['before facebookads violation 1'],
    ],
    [
      "not by Facebook's SDK, Pinterest's button or an embedded video",
      [
        request('https://connect.facebook.net/de_DE/sdk.js', script),
        request('https://assets.pinterest.com/js/pinit.js', script),
        request('https://static.doubleclick.net/instream/ad_status.js', script),
        request('https://googleads.g.doubleclick.net/pagead/id'),
      ],
      Array.from({ length: 4 }, () => 'before null none 1'),
    ],
    [
      'not by consent and tag managers',
      [
        request('https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234', script),
        request('https://app.usercentrics.eu/browser-ui/latest/loader.js', script),
        request(`${home}main.css`),
      ],
      ['before gtm none 1', 'before usercentrics none 1', 'before null none 1'],
    ],
  ])('%s', (_, requests, expected) => {
    expect(verdicts(requests)).toEqual(expected)
  })

  test('are those of a known service whatever it calls its script', () => {
    const identify = (url: { readonly hostname: string }) =>
      url.hostname === 'ads.test'
        ? ({ entity: 'Criteo', category: 'advertising' } as const)
        : ({ category: 'unknown' } as const)
    const asked = (url: string) =>
      runToEnd(summarizeVisit(visited([request(url, script)]), { identify, policy: defaultPolicy })).asked
    expect(asked('https://ads.test/referrer.js')).toMatchObject([{ entity: 'Criteo', verdict: 'violation' }])
    expect(asked('https://agency.test/referrer.js')).toMatchObject([
      { entity: 'referrer.js', verdict: 'none' },
    ])
  })

  test('come first among many others and are limited in number', () => {
    const others = Array.from({ length: 300 }, (_, n) => request(`https://cdn-${n}.test/x`))
    const { asked } = runToEnd(summarizeVisit(visited([...others, request(pixel)])))
    expect(asked).toHaveLength(100)
    expect(asked[0]).toMatchObject({ host: 'www.facebook.com', ids: ['123456789012345'], url: pixel })
  })
})

describe('an audit with a browser', () => {
  const audit = (page: string, seen: Awaited<ReturnType<Browser['visit']>>) =>
    auditPage(
      { visit: reading({ [home]: { text: page } }), browser: { visit: () => Promise.resolve(seen) } },
      host,
    )

  test('finds services in the page and in its requests, each once', async () => {
    const seen = visited(
      [request('https://www.facebook.com/tr/?id=123456789012345&ev=PageView', { phase: 'accepted' })],
      { stored: [cookie('t3pref', 'before'), cookie('t3pref', 'accepted')] },
    )
    const {
      engine,
      outcome,
      findings: found,
      visit,
    } = await audit(inline("fbq('init','123456789012345')"), seen)
    expect({ engine, outcome }).toEqual({ engine: 'browser', outcome: 'seen' })
    expect(found.map(({ topic, evidence }) => [topic, ...evidence.map(({ source }) => source)])).toEqual([
      ['facebookads', 'inline', 'request'],
      ['t3pref', 'cookie'],
    ])
    expect(visit?.asked).toHaveLength(1)
  })

  test.each([
    ['before', ''],
    ['accepted', ' (gated)'],
  ] as const)('says of a blocked container that a browser loads %s what waits', async (phase, suffix) => {
    const gtm = 'GTM-ABC1234'
    const container = containerOf([{ function: '__googtag', vtp_tagId: 'G-ABCDEF1234' }])
    const page = inline(gtmSnippet(gtm), 'type="text/plain" data-usercentrics="Google Tag Manager"')
    const seen = visited([request(containerUrl(gtm), { phase, ...script })])
    const { findings: found } = await auditPage(
      {
        visit: reading({ [home]: { text: page }, [containerUrl(gtm)]: container }),
        browser: { visit: () => Promise.resolve(seen) },
      },
      host,
    )
    expect(found.map(formatFinding)).toEqual([
      `gtm ${gtm} @www.googletagmanager.com${suffix}`,
      `googleanalytics G-ABCDEF1234 @www.googletagmanager.com${suffix}`,
    ])
  })

  test('says what Google was told before a choice rather than what code tells it after one', async () => {
    const accept = `function accept(){gtag('consent','update',{ad_storage:'granted',analytics_storage:'granted'})}`
    const told = request('https://www.google-analytics.com/g/collect?tid=G-ABCDEF1234&gcd=13p3l3p3p5')
    const statesOf = async (code: string) =>
      (await audit(inline(code), visited([told]))).findings.map(formatFinding).slice(0, 2)
    expect(await statesOf(accept)).toEqual(['ad_storage denied', 'analytics_storage granted'])
    expect(await statesOf(`gtag('consent','default',{ad_storage:'granted'});${accept}`)).toEqual([
      'ad_storage granted',
      'analytics_storage granted',
    ])
  })

  test('works without the browser if it fails, and reports the reason', async () => {
    const seen = { outcome: 'failed', reason: { code: 'visit_crashed' } } as const
    const {
      engine,
      outcome,
      problems,
      findings: found,
      complete,
      visit,
    } = await audit(inline("fbq('init','123456789012345')"), seen)
    expect({ engine, outcome, problems, complete, visit }).toEqual({
      engine: 'static',
      outcome: 'partial',
      problems: [{ code: 'browser_page_unread', params: { reason: seen.reason } }],
      complete: false,
      visit: null,
    })
    expect(found).toHaveLength(1)
  })

  test('gives the browser a deadline that leaves time to store the findings', async () => {
    const deadlines: (number | undefined)[] = []
    const browser: Pick<Browser, 'visit'> = {
      visit: (_, options) => {
        deadlines.push(options?.deadlineMs)
        return Promise.resolve({ outcome: 'failed', reason: { code: 'visit_timed_out' } })
      },
    }
    const read = reading({ [home]: inline("fbq('init','123456789012345')") })
    const now = performance.now.bind(performance)
    let passed = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
    const visit: typeof read = {
      ...read,
      get: (url, options) => {
        passed += 20_000
        return read.get(url, options)
      },
    }
    const { outcome, findings: found } = await auditPage({ visit, browser }, host)
    clock.mockRestore()
    expect({ outcome, found: found.length }).toEqual({ outcome: 'partial', found: 1 })
    expect(deadlines).toHaveLength(1)
    expect(deadlines[0]).toBeLessThanOrEqual(150_000)
  })

  test('that asked too many hosts of others says so, and has not seen all of the phases that lack some', async () => {
    const hostsOf = (name: string, phase: SeenRequest['phase'], count: number) =>
      Array.from({ length: count }, (_, n) => request(`https://${name}-${n}.example/x`, { phase }))
    const collected = ['before', 'refused', 'accepted'] as const
    const few = [...hostsOf('a', 'before', 60), ...hostsOf('b', 'accepted', 40)]
    const own = Array.from({ length: 50 }, (_, n) => request(`https://m${n}.hotel.test/x`))
    const complete = await audit('', visited([...own, ...few], { collected }))
    expect(complete).toMatchObject({ outcome: 'seen', complete: true, visit: { collected } })
    const many = await audit('', visited([...few, ...hostsOf('c', 'accepted', 1)], { collected }))
    expect(many).toMatchObject({
      outcome: 'partial',
      complete: false,
      problems: [{ code: 'browser_too_many_hosts', params: { max: 100 } }],
      visit: { collected: ['before', 'refused'] },
    })
  })

  test('that ended early keeps what it saw', async () => {
    const seen = visited([request(home)], {
      problems: [{ code: 'visit_too_many_requests', params: { max: 2_000 } }],
    })
    const { engine, outcome, complete } = await audit('', seen)
    expect({ engine, outcome, complete }).toEqual({ engine: 'browser', outcome: 'partial', complete: false })
  })
})
