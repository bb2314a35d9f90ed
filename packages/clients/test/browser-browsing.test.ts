import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser, type Visited } from '../src/browser/index.ts'
import { type BrowserSites, hosts, startBrowserSites } from './browser-sites.ts'
import { makeAuthority } from './probe-certificates.ts'
import { findTestBrowser } from './test-browser.ts'

const executable = await findTestBrowser()

describe.skipIf(executable === null)(
  'what a page loads only for a visitor who reads it (skipped without a Chromium)',
  { timeout: 150_000, concurrent: true },
  () => {
    let sites: BrowserSites
    let browser: Browser

    beforeAll(async () => {
      const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts.slice(0, -1) }))
      browser = openBrowser({
        executable: executable ?? '',
        connectTo: sites.connectTo,
        atOnce: 4,
        sandbox: 'optional',
      })
    })
    afterAll(async () => {
      await browser.close()
      await sites.stop()
    })

    async function visitHost(host: string): Promise<Visited> {
      const result = await browser.visit(`http://${host}/`, { deadlineMs: 120_000 })
      if (result.outcome === 'failed') throw new Error(result.reason.code)
      return result
    }
    const loadImage = (path: string) => `new Image().src='http://tracker.test/${path}'`
    const on = (event: string, path = event) =>
      `addEventListener('${event}', () => { ${loadImage(path)} }, { once: true, passive: true })`
    /** The paths that were requested of the tracker by phase, of one visitor. */
    const requestsOf = ({ requests }: Visited, visitor = 'desktop', page = 'start') =>
      requests
        .filter(
          ({ stop, url }) => stop?.visitor === visitor && stop.page === page && /tracker\.test/.test(url),
        )
        .map(({ phase, url }) => `${phase} ${new URL(url).pathname.slice(1)}`)
        .sort()
    const far = '<div style="height: 9000px"></div>'
    const lazyFrame = `${far}<iframe loading="lazy" src="http://tracker.test/frame"></iframe>`

    test.each<[string, string, readonly string[]]>([
      ['a script that waits for the mouse', `<script>${on('mousemove')}</script>`, ['mousemove']],
      ['a script that waits for the wheel', `<script>${on('wheel')}</script>`, ['wheel']],
      ['a script that waits for scrolling', `${far}<script>${on('scroll')}</script>`, ['scroll']],
      ['a frame far below', lazyFrame, ['frame']],
      [
        'an image that is loaded when the end comes into view',
        `${far}<p id="end">Ende</p><script>
          new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) ${loadImage('end')} })
            .observe(document.getElementById('end'))
        </script>`,
        ['end'],
      ],
      [
        'what a script loads a moment later',
        `<script>addEventListener('wheel', () => setTimeout(() => { ${loadImage('first')}; setTimeout(() => { ${loadImage('second')} }, 1000) }, 300), { once: true })</script>`,
        ['first', 'second'],
      ],
    ])('is requested: %s', async (_, page, paths) => {
      const result = await visitHost(sites.host({ '/': page }))
      expect(requestsOf(result)).toEqual(paths.map((path) => `before ${path}`))
      expect(result.problems).toEqual([])
    })

    test('is requested on a phone with a finger, and on further pages', async () => {
      const result = await visitHost(
        sites.host({
          '/': `<meta name="viewport" content="width=device-width"><a href="/kontakt">Kontakt</a>
            <script>if (innerWidth < 600) { ${on('touchstart')}; ${on('wheel')} }</script>${lazyFrame}`,
          '/kontakt': `<script>${on('mousemove')}</script>${lazyFrame}`,
        }),
      )
      expect(requestsOf(result, 'english_mobile')).toEqual(['before frame', 'before touchstart'])
      expect(requestsOf(result, 'desktop', 'contact')).toEqual(['before frame', 'before mousemove'])
    })

    test('is requested after a choice was made, too', async () => {
      const answer = (choice: string) =>
        `localStorage.choice='${choice}';this.parentElement.remove();start('${choice}')`
      const result = await visitHost(
        sites.host({
          '/': `${far}<div style="position:fixed;top:0">Cookies! <button onclick="${answer('yes')}">Akzeptieren</button>
            <button onclick="${answer('no')}">Ablehnen</button></div><script>
            function start(choice) {
              addEventListener('scroll', () => { new Image().src = 'http://tracker.test/' + choice }, { once: true })
            }
            if (localStorage.choice) { document.querySelector('button').parentElement.remove(); start(localStorage.choice) }
          </script>`,
        }),
      )
      expect(requestsOf(result)).toEqual(['accepted yes', 'refused no'])
    })

    test('can be a banner, which is then answered', async () => {
      const banner = `<div>Cookies! <button onclick="${loadImage('yes')};this.parentElement.remove()">Akzeptieren</button></div>`
      const result = await visitHost(
        sites.host({
          '/': `<script>addEventListener('mousemove', () => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(banner)}), { once: true })</script>`,
        }),
      )
      expect(result.consent.accepted).toEqual({ manager: null, way: 'button' })
      expect(requestsOf(result)).toEqual(['accepted yes'])
    })

    test('does not prolong the visit of a page without an end', async () => {
      const result = await visitHost(
        sites.host({
          '/': `${far}<script>addEventListener('scroll', () => {
            document.body.insertAdjacentHTML('beforeend', '<div style="height: 9000px"></div>'); ${loadImage('more')} })</script>`,
        }),
      )
      expect(requestsOf(result)).toContain('before more')
      expect(result.problems).toEqual([])
    })

    test('ends the visit of a page that hangs when it is touched', async () => {
      const result = await visitHost(
        sites.host({ '/': "<script>addEventListener('mousemove', () => { while (true); })</script>" }),
      )
      expect(result.problems).toEqual([{ code: 'visit_scripts_endless' }])
      expect(result.collected).toEqual([])
    })
  },
)
