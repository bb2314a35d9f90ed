import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingPageOf } from '../src/browser/choose-pages.ts'
import { type Browser, openBrowser, type Visited } from '../src/browser/index.ts'
import { type BrowserSites, hosts, startBrowserSites } from './browser-sites.ts'
import { makeAuthority } from './probe-certificates.ts'
import { findTestBrowser } from './test-browser.ts'

const executable = await findTestBrowser()

describe.skipIf(executable === null)(
  'further pages and visitors (skipped without a Chromium)',
  { timeout: 150_000 },
  () => {
    let sites: BrowserSites
    let browser: Browser
    const signals: string[] = []
    let tracker = ''
    let result: Visited

    const image = (path: string) => `new Image().src = 'http://${tracker}/${path}'`
    const missing = new URL(missingPageOf('http://hotel.test/')).pathname

    beforeAll(async () => {
      const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts.slice(0, -1) }))
      browser = openBrowser({ executable: executable ?? '', connectTo: sites.connectTo, sandbox: 'optional' })
      tracker = sites.host({
        '/cors': (response, { method, headers }) => {
          signals.push(`${method} ${headers.dnt} ${headers['sec-gpc']} ${headers['accept-language']}`)
          response.writeHead(200, { 'access-control-allow-origin': '*' }).end()
        },
      })
      const elsewhere = sites.host({ '/': `<script>${image('elsewhere')}</script>` })
      const host = sites.host({
        '/': `<meta name="viewport" content="width=device-width"><script>
          fetch('http://${tracker}/cors')
          const { languages, maxTouchPoints, globalPrivacyControl, doNotTrack } = navigator
          ${image('as?')} + [languages, innerWidth, maxTouchPoints > 0, globalPrivacyControl, doNotTrack].join()
          if (innerWidth < 600) ${image('mobile')}
          // Links of a menu that only a browser builds.
          for (const path of ['angebote', 'kontakt'])
            document.write('<a href="/' + path + '">' + path + '</a>')
        </script>`,
        '/kontakt': `<video src="/film.mp4?a=1" autoplay></video><script>document.cookie = 'contact=1'; ${image('contact')}</script>`,
        '/angebote': (response) => response.writeHead(302, { location: `http://${elsewhere}/` }).end(),
        [missing]: (response) =>
          response
            .writeHead(404, { 'content-type': 'text/html' })
            .end(`<script>document.write(document.cookie); ${image('missing')}</script>`),
      })
      const visited = await browser.visit(`http://${host}/`, { deadlineMs: 90_000 })
      if (visited.outcome === 'failed') throw new Error(visited.reason.code)
      result = visited
    })
    afterAll(async () => {
      await browser.close()
      await sites.stop()
    })

    test('are visited once each, and failures have a reason', () => {
      const { stops = [], problems } = result
      expect(stops.map(({ stop, problem }) => [stop.page, stop.visitor, stop.path, problem?.code])).toEqual([
        ['start', 'desktop', '/', undefined],
        ['contact', 'desktop', '/kontakt', undefined],
        ['content', 'desktop', '/angebote', 'redirect_elsewhere'],
        ['missing', 'desktop', missing, undefined],
        ['start', 'english_mobile', '/', undefined],
        ['start', 'privacy_signals', '/', undefined],
      ])
      expect(problems).toEqual([])
    })

    test('make requests that name them, but not those of another site', () => {
      const seen = result.requests
        .filter(({ url }) => url.startsWith(`http://${tracker}/`) && !/cors|as\?/.test(url))
        .map(({ url, phase, stop }) => [new URL(url).pathname, phase, stop?.page, stop?.visitor])
      expect(seen).toEqual([
        ['/contact', 'before', 'contact', 'desktop'],
        ['/missing', 'before', 'missing', 'desktop'],
        ['/mobile', 'before', 'start', 'english_mobile'],
      ])
      expect(result.stored).toMatchObject([{ kind: 'cookie', name: 'contact', phase: 'before' }])
    })

    /** Two further pages that lead to another site say so, and nothing that it requests counts. */
    async function expectLeftOut(other: string, pages: Parameters<typeof sites.host>[0]): Promise<void> {
      const links = '<a href="/kontakt">Kontakt</a><a href="/angebote">Angebote</a>'
      const host = sites.host({ '/': links, ...pages })
      const visited = await browser.visit(`http://${host}/`, { deadlineMs: 90_000 })
      if (visited.outcome === 'failed') throw new Error(visited.reason.code)
      expect(visited.stops?.slice(1, 3).map(({ problem }) => problem)).toEqual(
        Array.from({ length: 2 }, () => ({ code: 'redirect_elsewhere', params: { host: other } })),
      )
      expect(visited.requests.filter(({ url }) => new URL(url).host !== host)).toEqual([])
    }

    test('make no requests in the name of the site if they lead to another one that does not open', async () => {
      const booking = sites.host({
        '/': (response) =>
          response
            .writeHead(403, { 'content-type': 'text/html' })
            .end(`<script src="/challenge.js"></script>`),
        '/challenge.js': image('challenge'),
        '/reset': (response) => response.destroy(),
      })
      const redirectTo = (url: string) => (response: ServerResponse) =>
        void response.writeHead(302, { location: url }).end()
      await expectLeftOut(booking, {
        '/kontakt': redirectTo(`http://${booking}/`),
        '/angebote': redirectTo(`http://${booking}/reset`),
      })
    })

    test('make no requests in the name of the site if a script or an element leads to another one', async () => {
      const booking = sites.host({ '/': `<script>${image('booking')}</script>` })
      await expectLeftOut(booking, {
        '/kontakt': `<script>setTimeout(() => { location = 'http://${booking}/' }, 100)</script>`,
        '/angebote': `<meta http-equiv="refresh" content="1; url=http://${booking}/">`,
      })
    })

    test('have a reason if not all that they store was recorded', async () => {
      const host = sites.host({
        '/': '<a href="/kontakt">Kontakt</a>',
        '/kontakt': "<script>for (let i = 0; i < 300; i++) localStorage.setItem('k' + i, '')</script>",
      })
      const visited = await browser.visit(`http://${host}/`, { deadlineMs: 90_000 })
      if (visited.outcome === 'failed') throw new Error(visited.reason.code)
      expect(visited.stops?.[1]).toMatchObject({
        stop: { page: 'contact' },
        problem: { code: 'visit_stored_too_much', params: { max: 200 } },
      })
    })

    test('are opened also if the first page goes to about:blank by itself', async () => {
      const host = sites.host({ '/': "<script>setTimeout(() => { location = 'about:blank' }, 200)</script>" })
      const visited = await browser.visit(`http://${host}/`, { deadlineMs: 90_000 })
      if (visited.outcome === 'failed') throw new Error(JSON.stringify(visited.reason))
      expect(visited.stops?.map(({ stop }) => `${stop.page} ${stop.visitor} ${stop.path}`)).toEqual([
        'start desktop /',
        `missing desktop ${missing}`,
        'start english_mobile /',
        'start privacy_signals /',
      ])
    })

    test('are seen by a German at a desktop, an Englishman with a phone and a visitor with privacy signals', () => {
      const visitors = result.requests.flatMap(({ url }) => url.split('as?')[1] ?? [])
      expect(visitors.map(decodeURIComponent)).toEqual([
        'de-DE,1366,false,,',
        'en-US,390,true,,',
        'de-DE,1366,false,true,1',
      ])
      // Other origins get the signals, too, and no preflight request.
      expect(signals).toEqual([
        'GET undefined undefined de-DE',
        expect.stringMatching(/^GET undefined undefined en-US/),
        'GET 1 1 de-DE',
      ])
    })

    test('request films without loading them', () => {
      expect(result.requests.map(({ url }) => new URL(url).pathname)).toContain('/film.mp4')
      expect(sites.requests.filter((address) => address.includes('film'))).toEqual([])
    })
  },
)
