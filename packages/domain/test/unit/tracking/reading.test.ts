import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../../src/third-parties/index.ts'
import { auditPage } from '../../../src/tracking/audit-page.ts'
import { type CooperativeTask, pause, runCooperatively, runToEnd } from '../../../src/tracking/cooperative.ts'
import { cookies } from '../../../src/tracking/detectors/agency.ts'
import { consent } from '../../../src/tracking/detectors/consent.ts'
import { facebook } from '../../../src/tracking/detectors/facebook.ts'
import { google } from '../../../src/tracking/detectors/google.ts'
import { gtm } from '../../../src/tracking/detectors/gtm.ts'
import { matomo } from '../../../src/tracking/detectors/matomo.ts'
import { adPixels } from '../../../src/tracking/detectors/pixels.ts'
import { usercentrics } from '../../../src/tracking/detectors/usercentrics.ts'
import { parsePage } from '../../../src/tracking/page-parts.ts'
import {
  type Detector,
  emptySnapshot,
  isRelevant,
  type PageCode,
} from '../../../src/tracking/page-snapshot.ts'
import { readContainer } from '../../../src/tracking/read-container.ts'
import { readScript } from '../../../src/tracking/scripts/read-script.ts'
import { emptyFacts } from '../../../src/tracking/scripts/script-facts.ts'
import { searchLength } from '../../../src/tracking/search-text.ts'
import { containerOf, home, host, type Responses, visitOf } from './page-fixtures.ts'

const MiB = 1024 * 1024
const nothing = emptySnapshot(new URL(home))

/** Fragments that break pages. */
const fragment = fc.constantFrom(
  '<script',
  '<script>',
  '</script>',
  '<script src=',
  '<!--',
  '-->',
  '--!>',
  '<![CDATA[',
  ']]>',
  '<template>',
  '</template>',
  '<noscript>',
  '</noscript>',
  '<textarea>',
  '<title>',
  '<style>',
  '<iframe ',
  '<img src="',
  "'",
  '"',
  '`',
  '${',
  '}',
  '{',
  '/',
  '*/',
  '/*',
  '//',
  '\n',
  '\\',
  '<',
  '>',
  '&amp',
  '&#0;',
  '\u0000',
  '\ud800',
  "fbq('init','123456789012345')",
  "gtag('consent','default',{",
  'gtm.start',
  "?id='+i",
  'GTM-ABC1234',
  ' type="text/plain" data-usercentrics="x"',
  '<base href="//">',
  '<link rel=preload href=',
  '[',
  '(',
  ')',
  '=',
  '_paq.push(["setSiteId"',
  "uetq ti:'12345'",
)
const brokenPage = fc.array(fc.oneof(fragment, fc.string()), { maxLength: 80 }).map((parts) => parts.join(''))

describe('a broken page', () => {
  test('is audited without an error', async () => {
    await fc.assert(
      fc.asyncProperty(brokenPage, async (page) => {
        const { outcome } = await auditPage(
          { visit: visitOf({ [home]: { text: page } }), browser: null },
          host,
        )
        expect(['seen', 'partial']).toContain(outcome)
      }),
      { numRuns: 300 },
    )
  })

  test('causes no error as a script or container', () => {
    fc.assert(
      fc.property(brokenPage, (text) => {
        expect(readScript({ text, isCut: false })).not.toBeNull()
        expect(readScript({ text, isCut: true })).not.toBeNull()
        runToEnd(readContainer(`"resource": {${text}`, home, home))
        runToEnd(readContainer(containerOf([{ function: '__html', vtp_html: text }]), home, home))
      }),
      { numRuns: 300 },
    )
  })
})

/** These tests assert no times: an audit that is not linear would exceed the test's timeout. */
describe('a hostile page', () => {
  const many = (part: string, size = 2 * MiB) => part.repeat(Math.floor(size / part.length))
  test.each([
    ['<script × 50,000', '<script'.repeat(50_000)],
    ['<script> × 50,000', '<script>'.repeat(50_000)],
    ['scripts', many('<script></script>')],
    ['open tags', many('<b>')],
    ['open tags and end tags of others', many('<b>', MiB) + many('</i>', MiB)],
    ['attributes', `<script ${many('a=b ')}>`],
    ['one attribute', `<script src="${many('a')}">`],
    ['comments', many('<!--')],
    ['noscripts with an element that is not closed', many('<noscript><style></noscript>')],
    ['elements in a noscript that is not closed', `<noscript>${many('<style></style>')}`],
    ['elements in a noscript', `<noscript>${many('<style></style>')}</noscript>`],
    ['noscripts with frames that are not closed', many('<noscript><iframe src=/a></noscript>')],
    ['entities', many('&amp')],
    ['comments in a style element', `<style>${many('/*')}`],
    ['addresses in a style element', `<style>${many('url(//a.example/b)')}</style>`],
    ['beginnings of addresses in a style element', `<style>${many('@import url(')}</style>`],
    ['templates', many('<template>')],
    ['slashes in code', `<script>gtag ${many('=/[')}`],
    ['quotes in code', `<script>gtag ${many(`"'`)}`],
    ['templates in code', `<script>gtag ${many('`${')}`],
    ['calls in code', `<script>${many(`gtag('consent','default',{`)}`],
    ['pixels in code', `<script>${many(`fbq('init',a,{`)}`],
    ['snippets in code', `<script>${many(`'/gtm.js?id='+`)}`],
    ['start events in code', `<script>${many(`gtm.start:.src='https://`)}`],
    ['trackers in code', `<script>_paq${many(`['addTracker',u+`)}`],
    ['configurations in code', `<script>${many(`gtag('config',a`)}`],
    ['Microsoft tags in code', `<script>uetq${many('{ti:"12345"')}`],
    ['cookies in code', `<script>t3pref${many('document.cookie=')}`],
    ['the word cookie in code', `<script>t3pref${many('cookie')}`],
    ['spaces in code', `<script>gtag${many(' ')}`],
    ['script addresses in code', `<script>usercentrics${many('"https://a.usercentrics.eu/')}`],
  ])('%s', async (_, page) => {
    const { outcome } = await auditPage({ visit: visitOf({ [home]: { text: page } }), browser: null }, host)
    expect(['seen', 'partial']).toContain(outcome)
  })

  const detectors: readonly (readonly [string, Detector])[] = [
    ['Usercentrics', usercentrics],
    ['Tag Manager', gtm],
    ['consent', consent],
    ['Google', google],
    ['Matomo', matomo],
    ['Meta', facebook],
    ['other pixels', adPixels],
    ['cookies', cookies],
  ]
  const pausesOf = (steps: Iterable<unknown>) => [...steps].filter((step) => step === pause).length

  test.each(detectors)('can be paused between its scripts: %s', (_, detect) => {
    const code = {
      source: 'script',
      url: home,
      consentBlocked: false,
      original: '',
      isCut: false,
      isLocalized: false,
    } as const
    const codes: PageCode[] = Array.from({ length: 30 }, () => ({ ...code, facts: emptyFacts }))
    expect(pausesOf(detect({ ...nothing, codes }))).toBeGreaterThanOrEqual(30)
  })

  test('can be paused while its code and tags are read', () => {
    const large = many('(')
    const code = {
      source: 'inline',
      url: home,
      consentBlocked: false,
      original: large,
      isCut: false,
      isLocalized: false,
    } as const
    expect(pausesOf(isRelevant(code))).toBeGreaterThanOrEqual(large.length / searchLength)
    expect(pausesOf(parsePage(large, home))).toBeGreaterThanOrEqual(large.length / searchLength)
  })

  test.each([
    ['at the start of a stretch', searchLength],
    ['across the end of a stretch', searchLength - 2],
    ['after a stretch', searchLength + 5],
  ])('is searched completely: %s', (_, at) => {
    const original = `${' '.repeat(at)}fbq`
    const code = {
      source: 'script',
      url: home,
      consentBlocked: false,
      original,
      isCut: false,
      isLocalized: false,
    } as const
    expect(runToEnd(isRelevant(code))).toBe(true)
    expect(runToEnd(isRelevant({ ...code, original: ' '.repeat(at) }))).toBe(false)
  })

  test('lets other work run while it is read', async () => {
    let hasOtherRun = false
    setImmediate(() => {
      hasOtherRun = true
    })
    const steps = function* (): CooperativeTask<string> {
      while (!hasOtherRun) yield pause
      return 'done'
    }
    expect(await runCooperatively(steps())).toBe('done')
  })

  test('is read one at a time with others', async () => {
    let turns = 0
    const count = () => {
      turns += 1
      if (turns < 100) setImmediate(count)
    }
    setImmediate(count)
    const steps = function* (): CooperativeTask<number> {
      yield pause
      return turns
    }
    const seen = await Promise.all(Array.from({ length: 20 }, () => runCooperatively(steps())))
    expect(new Set(seen).size).toBe(20)
  })

  test('may have a tag with 1,000 attributes', () => {
    const attributes = Array.from({ length: 1_001 }, (_, index) => `a${index}=b`)
    const page = (most: number) => `<p ${attributes.slice(0, most).join(' ')}><script src="/a.js"></script>`
    const read = (most: number) => runToEnd(parsePage(page(most), home))
    expect(read(1_000)).toMatchObject({ tooWide: false, scripts: [{ text: '' }] })
    expect(read(1_001)).toMatchObject({ tooWide: true, scripts: [] })
  })

  test('may have 5,000 scripts', () => {
    const { scripts, tooMany } = runToEnd(parsePage(many('<script src="/a.js"></script>'), home))
    expect({ scripts: scripts.length, tooMany }).toEqual({ scripts: 5_000, tooMany: true })
  })

  test('may have a container with too many or too deeply nested tags', () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => ({
      function: '__html',
      vtp_html: ['macro', index],
    }))
    const macros = [{ function: '__c', vtp_value: ['macro', 0] }]
    const content = runToEnd(readContainer(containerOf(tags, macros), home, home))
    expect({ tags: content?.tags.length, tooMuch: content?.tooMuch }).toEqual({ tags: 2_000, tooMuch: true })
    const nested = `"resource":{"tags":[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`
    expect(runToEnd(readContainer(nested, home, home))).toBeNull()
    expect(runToEnd(readContainer(`"resource":${'{"a":'.repeat(300_000)}`, home, home))).toBeNull()
  })
})

describe('the containers of a page', () => {
  const url = (id: string) => `https://www.googletagmanager.com/gtm.js?id=${id}`
  const tag = (id: string) => `<script src="${url(id)}"></script>`
  const pixel = { function: '__html', vtp_html: "<script>fbq('init','123456789012345')</script>" }
  const ids = Array.from({ length: 25 }, (_, index) => `GTM-ABCD${10 + index}`)
  const audit = (page: string, containers: Responses) =>
    auditPage({ visit: visitOf({ [home]: page, ...containers }), browser: null }, host)

  test('are read one after the other if each adds the next', async () => {
    const chain = ids.slice(0, 8)
    const containers = chain.map((id, index) => {
      const next = chain[index + 1]
      return [url(id), containerOf([next ? { function: '__html', vtp_html: tag(next) } : pixel])] as const
    })
    const { findings, complete } = await audit(tag(chain[0] ?? ''), Object.fromEntries(containers))
    expect(findings.map(({ topic }) => topic)).toContain('facebookads')
    expect(complete).toBe(true)
  })

  test('may be 20; more are an audit that has not read everything', async () => {
    const containers = Object.fromEntries(ids.map((id) => [url(id), containerOf([])]))
    const auditOf = (count: number) => audit(ids.slice(0, count).map(tag).join(''), containers)
    expect(await auditOf(20)).toMatchObject({ outcome: 'seen', complete: true })
    expect(await auditOf(21)).toMatchObject({
      outcome: 'partial',
      complete: false,
      problems: [{ code: 'page_too_many_containers', params: { max: 20 } }],
    })
  })
})

test('limits the length of nested variables of a container', () => {
  const macros = Array.from({ length: 7 }, (_, index) => ({
    function: '__c',
    vtp_value: index === 6 ? 'x' : ['template', ...Array.from({ length: 1_000 }, () => ['macro', index + 1])],
  }))
  const tags = [{ function: '__html', vtp_html: ['macro', 0] }]
  const content = runToEnd(readContainer(containerOf(tags, macros), home, home))
  expect(content?.tooMuch).toBe(true)
  expect(content?.tags[0]?.values.html?.length ?? 0).toBeLessThan(2 * MiB)
})

test("reads at most 8 MiB of a page's scripts", async () => {
  const names = Array.from({ length: 6 }, (_, index) => `${home}s${index}.js`)
  const { outcome, problems, findings } = await auditPage(
    {
      visit: visitOf({
        [home]: names.map((name) => `<script src="${name}"></script>`).join(''),
        ...Object.fromEntries(
          names.map((name) => [name, `fbq('init','123456789012345');${' '.repeat(2 * MiB - 100)}`]),
        ),
      }),
      browser: null,
    },
    host,
  )
  expect(outcome).toBe('partial')
  expect(problems).toHaveLength(2)
  expect(findings.map(({ value }) => value)).toEqual(['123456789012345'])
})

describe('a script of the web itself', () => {
  const add = (url: string) =>
    `var s=document.createElement('script');s.src='${url}';document.head.append(s);`
  const hotjar = `(function(h,o,t,j,a,r){h._hjSettings={hjid:1234567,hjsv:6};r=o.createElement('script');r.async=1;
    r.src=t+h._hjSettings.hjid+j+h._hjSettings.hjsv;o.head.appendChild(r)
    })(window,document,'https://static.hotjar.com/c/hotjar-','.js?sv=');`
  const classifications = new Map([['nobody-knows.example', 'analytics']] as const)
  const namesAddedBy = async (code: string, url = `${home}app.js`) => {
    const visit = visitOf({ [home]: `<script src="${url}"></script>`, [url]: code })
    const policy = { ...defaultPolicy, classifications }
    const { thirdParties } = await auditPage({ visit, browser: null, policy }, host)
    return thirdParties.flatMap((one) => (url.includes(one.host) ? [] : (one.entity ?? one.host)))
  }

  test.each([
    ['Hotjar', hotjar],
    ['Clarity', add('https://www.clarity.ms/tag/abcdefghij')],
    ['Criteo', add('//dynamic.criteo.com/js/ld/ld.js?a=12345')],
    ['Klaviyo', add('https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=ABC')],
    ['etracker', add('//code.etracker.com/code/e.js')],
    ['w.nobody-knows.example', add('https://w.nobody-knows.example/w.js')],
  ])('is read for what it adds: %s', async (name, code) => {
    expect(await namesAddedBy(`${'var a=/x/g;'.repeat(10_000)}${code}`)).toEqual([name])
  })

  test('is not read if it adds nothing that needs consent, and those of others are not either', async () => {
    expect(await namesAddedBy(add('https://cdn.jsdelivr.net/npm/swiper@11/swiper.js'))).toEqual([])
    expect(await namesAddedBy("location.href='https://www.clarity.ms/'")).toEqual([])
    expect(await namesAddedBy(hotjar, 'https://widget.example/w.js')).toEqual([])
  })

  test("is also read in a container's own HTML", async () => {
    const url = 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234'
    const html = (code: string) =>
      containerOf([{ function: '__html', vtp_html: `<script type="text/gtmscript">${code}</script>` }])
    expect(await namesAddedBy(html(hotjar), url)).toEqual(['Hotjar'])
    expect(await namesAddedBy(html("location.href='https://www.clarity.ms/'"), url)).toEqual([])
  })
})

test.each([
  ['https://cdn.hotel.co.at/a.js', false],
  ['https://widget.co.at/a.js', true],
])(
  'can miss trackers if the script of a web below a suffix such as co.at is not read: %s',
  async (url, complete) => {
    const visit = visitOf({
      'https://www.hotel.co.at/': `<script src="${url}"></script>`,
      [url]: { status: 500 },
    })
    const audit = await auditPage({ visit, browser: null }, 'www.hotel.co.at')
    expect(audit.complete).toBe(complete)
    expect(audit.problems).toMatchObject([{ code: 'script_unread' }])
  },
)

test('names whom a page loads from, but not whom links only announce or lead to', async () => {
  const links = [
    ...['stylesheet', 'shortcut icon', 'apple-touch-icon', 'prefetch', 'modulepreload'],
    ...['dns-prefetch', 'preconnect', 'dns-prefetch preconnect', 'canonical', 'alternate'],
  ].map((rel, index) => `<link rel="${rel}" href="https://host-${index}.example/">`)
  const visit = visitOf({ [home]: `<html>${links.join('')}</html>` })
  const { thirdParties } = await auditPage({ visit, browser: null }, host)
  expect(thirdParties.map((one) => one.host)).toEqual([0, 1, 2, 3, 4].map((index) => `host-${index}.example`))
})

describe('whom a page loads from', () => {
  const hostsOf = async (page: string) => {
    const { thirdParties } = await auditPage(
      { visit: visitOf({ [home]: `<p>${page}` }), browser: null },
      host,
    )
    return thirdParties.map((one) => one.host)
  }

  test.each([
    ['a style element that imports', '<style>@import url(https://a.example/css?f=A:400;700)</style>'],
    ['a style element that imports by a text', `<style>@import "//a.example/css" screen;</style>`],
    [
      'a font',
      `<style>@font-face { src: local(A), url('https://a.example/a.woff2') format('woff2') }</style>`,
    ],
    ['a style attribute', '<div style="background: url(&quot;https://a.example/a.jpg&quot;)"></div>'],
    ['images in several sizes', '<img srcset="https://a.example/s.jpg 320w, https://a.example/l.jpg 640w">'],
    [
      'a picture',
      '<picture><source srcset="https://a.example/a.webp, /b.webp 2x"><img src="/a.jpg"></picture>',
    ],
    [
      'an image that is loaded later',
      '<img class="lazyload" src="data:image/gif;,R0" data-src="https://a.example/a.jpg">',
    ],
    ['a frame that is loaded later', '<iframe class="lazyload" data-src="https://a.example/embed"></iframe>'],
    ['a frame of WP Rocket', '<iframe src="about:blank" data-lazy-src="https://a.example/embed"></iframe>'],
    ['a video', '<video autoplay preload="none"><source src="https://a.example/a.mp4"></video>'],
    [
      'the poster of a video',
      '<video preload="none" poster="https://a.example/a.jpg" src="https://b.example/"></video>',
    ],
    ['audio', '<audio src="https://a.example/a.mp3"></audio>'],
    ['an embedded object', '<object data="https://a.example/a.svg"></object>'],
    ['an embedded element', '<embed src="https://a.example/a.pdf">'],
  ])('is found in %s', async (_, page) => {
    expect(await hostsOf(page)).toEqual(['a.example'])
  })

  test.each([
    [
      'comments of style',
      '<style>/* @import url(https://a.example/css); */ a { color: red } /* url(//b.example)</style>',
    ],
    ['names of style', '<style>@namespace svg url(https://a.example/svg);</style>'],
    ['styles of another language', '<style type="text/less">@import url(https://a.example/css)</style>'],
    [
      'images within style',
      `<style>a { background: url("data:image/svg+xml,xmlns='https://a.example/'") }</style>`,
    ],
    [
      'a video that is loaded when it is played',
      '<video preload="none"><source src="https://a.example/a.mp4"></video>',
    ],
    ['a video that is loaded when it is clicked', '<iframe data-src="https://a.example/embed"></iframe>'],
    [
      'a large image that is loaded when it is clicked',
      '<img src="/a.jpg" data-src="https://a.example/a.jpg">',
    ],
  ])('does not contain %s', async (_, page) => {
    expect(await hostsOf(page)).toEqual([])
  })

  test('contains what waits for consent as such', () => {
    const frame =
      '<iframe class="lazyload" data-cookieconsent="marketing" data-src="https://a.example/"></iframe>'
    expect(runToEnd(parsePage(frame, home)).frames).toMatchObject([
      { url: new URL('https://a.example/'), consentBlocked: true },
    ])
  })
})

test.each([204, 205, 304])(
  'does not treat a response without a page (%d) as a page without trackers',
  async (status) => {
    const visit = visitOf({ [home]: { text: '', status } })
    const { outcome, complete } = await auditPage({ visit, browser: null }, host)
    expect({ outcome, complete }).toEqual({ outcome: 'failed', complete: false })
  },
)

const botChecks: readonly (readonly [firewall: string, text: string])[] = [
  ['Cloudflare', "<title>Just a moment...</title><script>window._cf_chl_opt={cvId:'3'}</script>"],
  ['SiteGround', '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F&y=ipc:1"></meta>'],
  ['Imperva', '<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1"></iframe>'],
  ['Sucuri', "<script>var s={},w=String.fromCharCode, sucuri_cloudproxy_js='',S='YT0n'</script>"],
  ['AWS', '<script>window.awsWafCookieDomainList = []; window.gokuProps = {"key":"a"}</script>'],
  ['Imunify360', '<title>One moment, please...</title><form id="wsidchk-form" action="/z0f76"></form>'],
  ['Anubis', '<script id="anubis_challenge" type="application/json">{"rules":{}}</script>'],
]

describe("a firewall's bot check", () => {
  test.each(botChecks)('is not taken for the page, nor for one of its scripts: %s', async (_, text) => {
    expect(await auditPage({ visit: visitOf({ [home]: { text } }), browser: null }, host)).toMatchObject({
      outcome: 'failed',
      complete: false,
      problems: [{ code: 'page_unread', params: { url: home, reason: { code: 'bot_check' } } }],
    })
    const [app, contact] = [`${home}app.js`, `${home}kontakt`]
    const visit = visitOf({
      [home]: '<script src="/app.js"></script><a href="/kontakt">Kontakt</a>',
      [app]: { text, contentType: 'text/html' },
      [contact]: { text, contentType: 'text/html' },
    })
    expect(await auditPage({ visit, browser: null }, host)).toMatchObject({
      outcome: 'partial',
      complete: false,
      problems: [
        { code: 'script_unread', params: { url: app, reason: { code: 'bot_check' } } },
        { code: 'page_unread', params: { url: contact, reason: { code: 'bot_check' } } },
      ],
    })
  })

  test.each([
    [
      'Cloudflare',
      "<script>window.__CF$cv$params={r:'1'};a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>",
    ],
    ['Imperva', '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e"></script>'],
    ['AWS', '<script src="https://a.edge.sdk.awswaf.com/b/challenge.js"></script>'],
  ])('is told from what firewalls add to pages: %s', async (_, text) => {
    const { outcome } = await auditPage({ visit: visitOf({ [home]: { text } }), browser: null }, host)
    expect(outcome).toBe('seen')
  })
})

test.each([
  ['https://hotel.test/de/?a=1', undefined],
  ['https://www.parking.test/?a=1', 'https://www.parking.test/?a=1'],
])('says whether the page has led to another website: %s', async (url, expected) => {
  const visit = visitOf({ [home]: { text: '<p>', url } })
  expect((await auditPage({ visit, browser: null }, host)).leads_to).toBe(expected)
})

test.each([
  ['https://www.parking.test/', 'https://www.parking.test/'],
  ['about:blank', undefined],
])('says whether the page has led to another website in a browser: %s', async (url, expected) => {
  const consent = { refused: null, accepted: null, withdrawn: null }
  const seen = { url, requests: [], stored: [], tcStrings: [], screenshots: [], collected: [], problems: [] }
  const browser = { visit: () => Promise.resolve({ outcome: 'visited', ...seen, consent } as const) }
  const audit = await auditPage({ visit: visitOf({ [home]: '<p>' }), browser }, host)
  expect(audit.leads_to).toBe(expected)
})

test("resolves addresses against the page's base", () => {
  const page =
    '<base href="/de/"><base href="https://other.test/"><script src="a.js"></script><script src="http://["></script><meta http-equiv="Refresh" content="0; URL=start">'
  const { scripts, refresh } = runToEnd(parsePage(page, home))
  expect(scripts.map(({ url }) => url?.href)).toEqual([`${home}de/a.js`, undefined])
  expect(refresh).toBe(`${home}de/start`)
})

test.each(['//gtm.js', '//[/gtm.js', '//ns.html'])(
  'takes a container at the path %s for one of its host',
  async (path) => {
    const page = `<iframe src="https://sst.hotel.test${path}?id=GTM-ABC1234#a"></iframe>`
    const visit = visitOf({ [home]: page })
    const { findings } = await auditPage({ visit, browser: null }, host)
    expect(findings.filter(({ topic }) => topic === 'gtm')).toMatchObject([
      { value: 'GTM-ABC1234', domain: 'sst.hotel.test' },
    ])
    expect(visit.asked).toContain(`https://sst.hotel.test${path.replace('ns.html', 'gtm.js')}?id=GTM-ABC1234`)
  },
)

test('half a character in the id of a consent tool, or in the answer of its host, is no failure of the audit', async () => {
  const id = `${'a'.repeat(99)}😀`
  const page = (settings: string) =>
    `<script id="usercentrics-cmp" src="https://app.usercentrics.eu/browser-ui/latest/loader.js" data-settings-id="${settings}"></script>`
  const problemsOf = async (responses: Responses) =>
    (await auditPage({ visit: visitOf(responses), browser: null }, host)).problems
  expect(await problemsOf({ [home]: page(id) })).toMatchObject([{ code: 'usercentrics_unread' }])
  const answers = {
    'https://api.usercentrics.eu/settings/aB3dE5fG7/latest/languages.json': '{"languagesAvailable":["de"]}',
    'https://api.usercentrics.eu/settings/aB3dE5fG7/latest/de.json': String.raw`{"consentTemplates":[{"templateId":"\ud83d","version":"1"}]}`,
  }
  expect(await problemsOf({ [home]: page('aB3dE5fG7'), ...answers })).toMatchObject([
    { code: 'usercentrics_unread' },
  ])
})

test('a page behind more refreshes than are followed was not read', async () => {
  const to = (path: string) => ({
    text: `<meta http-equiv="refresh" content="0; url=${path}">`,
    contentType: 'text/html',
  })
  const [a, b, c] = [`${home}a`, `${home}b`, `${home}c`]
  const auditWith = (last: string) =>
    auditPage(
      {
        visit: visitOf({ [home]: to('/a'), [a]: to('/b'), [b]: to(last) }),
        browser: null,
      },
      host,
    )
  expect(await auditWith('/c')).toMatchObject({
    outcome: 'partial',
    complete: false,
    problems: [{ code: 'page_unread', params: { url: c, reason: { code: 'too_many_redirects' } } }],
  })
  // It only loads itself again.
  expect(await auditWith('/b')).toMatchObject({ outcome: 'seen', complete: true })
})
