import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser, type Visited } from '../src/browser/index.ts'
import { type BrowserSites, hosts, type Pages, startBrowserSites } from './browser-sites.ts'
import { type ConsentTool, consentTools, pageWith, tcStrings, trackerScript } from './consent-tools.ts'
import { type Authority, makeAuthority } from './probe-certificates.ts'
import { findTestBrowser } from './test-browser.ts'

const executable = await findTestBrowser()

/** Long, because many visits share the processor. */
const bounds = { deadlineMs: 120_000 }
const timeout = 150_000

describe.skipIf(executable === null)(
  'consent tools in a browser (skipped without a Chromium)',
  { timeout, concurrent: true },
  () => {
    let authority: Authority
    let sites: BrowserSites
    let browser: Browser
    let toolVisits: readonly ReturnType<typeof visitTool>[]

    beforeAll(async () => {
      authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts }))
      browser = openBrowser({
        executable: executable ?? '',
        connectTo: sites.connectTo,
        // They wait most of the time.
        atOnce: 10,
        // These pages are our own.
        sandbox: 'optional',
      })
      // All at once, while the other tests run: vitest begins only a few at a time.
      toolVisits = consentTools.map((tool) => visitTool(tool))
      for (const visit of toolVisits) visit.catch(() => undefined)
    })
    afterAll(async () => {
      await browser.close()
      await sites.stop()
    })

    async function visitPages(pages: Pages): Promise<{ readonly visited: Visited; readonly host: string }> {
      const host = sites.host({
        '/track.js': (response) =>
          response
            .writeHead(200, {
              'content-type': 'text/javascript',
              'set-cookie': 'srv=1; Max-Age=86400; Path=/',
            })
            .end(trackerScript),
        ...pages,
      })
      const visited = await browser.visit(`http://${host}/`, bounds)
      if (visited.outcome === 'failed') throw new Error(visited.reason.code)
      return { visited, host }
    }
    const visitTool = (tool: ConsentTool, lies?: string) => visitPages({ '/': pageWith(tool, lies) })

    const findTool = (name: string): ConsentTool => {
      const tool = consentTools.find(({ manager }) => manager === name)
      if (tool === undefined) throw new Error(`There is no page for ${name}`)
      return tool
    }

    /** The phases in which the tracker received something from the start page, as the first visitor. */
    const trackedPhases = ({ requests }: Visited) =>
      requests
        .filter(({ url, stop }) => url === 'http://tracker.test/hit' && stop?.visitor === 'desktop')
        .map(({ phase }) => phase)

    const listStored = ({ stored }: Visited) =>
      stored.map(({ phase, kind, name }) => `${phase} ${kind} ${name}`).sort()

    test('are found in a frame of another site', async () => {
      const message = sites.host({
        '/index.html': `<button class="sp_choice_type_11" onclick="parent.postMessage('yes', '*')">Agree</button>
          <button class="sp_choice_type_13" onclick="parent.postMessage('no', '*')">Reject</button>`,
      })
      const { visited } = await visitTool({
        manager: 'Sourcepoint',
        refused: 'button',
        accepted: 'button',
        withdrawn: null,
        banner: `<iframe src="http://${message}/index.html?message_id=1"></iframe>`,
        script: 'addEventListener("message", ({ data }) => choose(data))',
      })
      const way = { manager: 'Sourcepoint', way: 'button' }
      expect(visited.consent).toEqual({ refused: way, accepted: way, withdrawn: null })
      expect(trackedPhases(visited)).toEqual(['accepted'])
    })

    test('are judged by what the page does, not by what their buttons say', async () => {
      const { visited } = await visitTool(findTool('Termly'), 'choose = ((own) => () => own("yes"))(choose)')
      expect(visited.consent.refused).toEqual({ manager: 'Termly', way: 'button' })
      // At once, and when the page is opened again.
      expect(trackedPhases(visited)).toEqual(['refused', 'refused', 'accepted', 'withdrawn'])
      expect(listStored(visited)).toContain('refused cookie _trk')
    })

    test('that only hide the banner when they refuse are noticed when the page is loaded again', async () => {
      const forgets = `choose = ((own) => (answer) => answer === 'yes' ? own(answer) : (localStorage.seen = 1, showBanner(false)))(choose)
        addEventListener('DOMContentLoaded', () => { if (localStorage.seen) track() })`
      const { visited } = await visitTool(findTool('Termly'), forgets)
      expect(visited.consent.refused).toEqual({ manager: 'Termly', way: 'button' })
      expect(trackedPhases(visited)).toContain('refused')
      expect(trackedPhases(visited)).not.toContain('before')
      expect(listStored(visited)).toEqual(
        expect.arrayContaining(['refused local_storage seen', 'refused cookie _trk', 'refused cookie srv']),
      )
    })

    test('do not hide what a page stores before consent', async () => {
      const { visited } = await visitTool(findTool('Didomi'), 'track(); sessionStorage.visit = 1')
      expect(trackedPhases(visited)).toEqual(['before', 'refused', 'accepted', 'withdrawn'])
      expect(listStored(visited)).toEqual(
        expect.arrayContaining(['before cookie _trk', 'before cookie srv', 'before session_storage visit']),
      )
    })

    test('that forget a withdrawal are noticed when the page is loaded again', async () => {
      const lie = `choose = ((own) => (answer) => own(choice() === 'yes' ? 'yes' : answer))(choose)`
      const { visited } = await visitTool(findTool('Osano'), lie)
      expect(visited.consent.withdrawn).toEqual({ manager: 'Osano', way: 'button' })
      expect(trackedPhases(visited)).toEqual(['accepted', 'withdrawn'])
      expect(listStored(visited)).toContain('withdrawn cookie _trk')
    })

    test('are not taken for withdrawn by a function that does nothing', async () => {
      const { visited } = await visitTool({
        ...findTool('OneTrust'),
        script: "window.OneTrust = { RejectAll() {}, AllowAll: () => choose('yes') }",
      })
      expect(visited.consent).toMatchObject({ accepted: { manager: 'OneTrust' }, withdrawn: null })
      expect(trackedPhases(visited)).toEqual(['accepted'])
    })

    const leftover = 'window.OneTrust = { RejectAll() {} }'

    test('are refused by their banner if the function of another tool does nothing', async () => {
      const { visited } = await visitTool({
        ...findTool('Borlabs Cookie'),
        banner:
          '<p>Wir verwenden Cookies.</p><button NO>Alle ablehnen</button><button YES>Alle zulassen</button>',
        script: leftover,
      })
      expect(visited.consent.refused).toEqual({ manager: null, way: 'button' })
      expect(listStored(visited)).toContain('refused local_storage choice')
    })

    test('are not taken for refused or accepted by functions that do nothing', async () => {
      const script = 'window.OneTrust = { RejectAll() {}, AllowAll() {} }'
      const { visited } = await visitTool({ ...findTool('OneTrust'), banner: '', script }, 'track()')
      expect(visited.consent).toEqual({ refused: null, accepted: null, withdrawn: null })
      expect(visited.tried).toEqual(['refused', 'accepted'])
      expect(visited.problems).toEqual([{ code: 'visit_banner_missing' }])
      expect(trackedPhases(visited)).toEqual(['before'])
    })

    test('are withdrawn by their settings if the function of another tool does nothing', async () => {
      const { visited } = await visitTool({
        ...findTool('Borlabs Cookie'),
        script: leftover,
      })
      expect(visited.consent.withdrawn).toEqual({ manager: 'Borlabs Cookie', way: 'button' })
      expect(trackedPhases(visited)).toEqual(['accepted'])
    })

    test('are accepted by their banner if the function of another tool does nothing', async () => {
      const { visited } = await visitTool({
        ...findTool('Borlabs Cookie'),
        script: 'window.OneTrust = { AllowAll() {} }',
      })
      expect(visited.consent.accepted).toEqual({ manager: 'Borlabs Cookie', way: 'button' })
      expect(trackedPhases(visited)).toContain('accepted')
    })

    test('are found on a page that falsifies its objects, which hides nothing either', async () => {
      const { visited, host } = await visitTool(
        findTool('iubenda'),
        `document.querySelector = document.querySelectorAll = () => { throw new Error('no') }
        JSON.stringify = () => '{}'; Storage.prototype.key = () => null; indexedDB.databases = async () => []
        Object.defineProperty(Storage.prototype, 'length', { get: () => 0 })
        localStorage.early = 1; indexedDB.open('visitors'); navigator.serviceWorker?.register('/worker.js')`,
      )
      const way = { manager: 'iubenda', way: 'button' }
      expect(visited.consent).toEqual({ refused: way, accepted: way, withdrawn: way })
      expect(trackedPhases(visited)).toEqual(['accepted'])
      expect(listStored(visited)).toEqual(
        expect.arrayContaining(['before local_storage early', 'before indexed_db visitors']),
      )
      expect(visited.stored.find(({ name }) => name === 'visitors')?.setBy).toBe(`http://${host}/`)
    })

    test('are not taken for refused if a banner can only be hidden or accepted', async () => {
      const { visited } = await visitTool({
        ...findTool('CookieYes'),
        banner: `<div class="cky-consent-container"><button class="cky-btn" data-cky-tag="accept-button" YES>Accept All</button></div>`,
      })
      expect(visited.consent).toMatchObject({
        refused: null,
        accepted: { manager: 'CookieYes', way: 'button' },
      })
      expect(new Set(visited.requests.map(({ phase }) => phase))).not.toContain('refused')
    })

    test('have a text for a name, whatever the page falsifies', async () => {
      const { visited } = await visitPages({
        '/': `<script>
          const iterate = Array.prototype[Symbol.iterator]
          Array.prototype[Symbol.iterator] = function () {
            return iterate.call(typeof this[0] === 'string' && typeof this[1] === 'function' ? [12345, this[1]] : this)
          }
          window.OneTrust = { RejectAll: () => localStorage.setItem('choice', 'no'), AllowAll: () => localStorage.setItem('choice', 'yes') }</script>`,
      })
      const { refused, accepted } = visited.consent
      expect([refused, accepted]).toEqual([
        { manager: null, way: 'call' },
        { manager: null, way: 'call' },
      ])
    })

    test('give no consent string that is too long to be stored, whatever the page falsifies', async () => {
      const { visited } = await visitPages({
        '/': `<script>
          const { resolve } = Promise
          window.Promise = function () { return resolve.call(Own, 'C'.repeat(20_000)) }
          window.__tcfapi = () => undefined</script>`.replace('Own', '(async () => 0)().constructor'),
      })
      expect(visited.tcStrings.map(({ tcString }) => tcString.length)).toEqual([])
    })

    test('record at most 200 entries of a kind and phase, and say so', async () => {
      const { visited } = await visitPages({
        '/': `<script>for (let i = 0; i < 100_000; i++) localStorage['k' + i] = ''
        for (let i = 0; i < 300; i++) sessionStorage.setItem('s' + i, '')</script>`,
      })
      const countOf = (kind: string) => visited.stored.filter((item) => item.kind === kind).length
      expect([countOf('local_storage'), countOf('session_storage')]).toEqual([200, 200])
      expect(visited.problems).toEqual([{ code: 'visit_stored_too_much', params: { max: 200 } }])
    })

    test('report workers, which are not registered', async () => {
      const host = sites.host({
        '/': `<script>navigator.serviceWorker.register('/worker.js')</script>`,
        '/worker.js': '',
      })
      const secure = openBrowser({
        executable: executable ?? '',
        connectTo: sites.connectTo,
        sandbox: 'optional',
        authorities: [authority.cert],
      })
      try {
        const visited = await secure.visit(`https://${host}/`, bounds)
        expect(visited).toMatchObject({
          outcome: 'visited',
          stored: [{ kind: 'service_worker', name: `https://${host}/worker.js`, host, phase: 'before' }],
        })
        expect(sites.requests).not.toContain(`${host}/worker.js`)
      } finally {
        await secure.close()
      }
    })

    test.each(consentTools.map((tool, index) => [`${tool.manager} (${index + 1})`, tool, index] as const))(
      '%s is found, refused, accepted and withdrawn',
      async (_, tool, index) => {
        const { manager } = tool
        const { visited, host } = await (toolVisits[index] ?? visitTool(tool))
        const way = (by: 'button' | 'call' | null) => by && { manager, way: by }
        expect(visited.problems).toEqual([])
        expect(visited.consent).toEqual({
          // A rule that does not answer in time is followed by the next way.
          refused: tool.refused && { manager, way: expect.stringMatching(/^(call|button)$/) },
          accepted: way(tool.accepted),
          withdrawn: way(tool.withdrawn),
        })
        expect(visited.tried).toEqual(['refused', 'accepted', 'withdrawn'])
        expect(trackedPhases(visited)).toEqual(['accepted'])
        expect(listStored(visited)).toEqual([
          'accepted cookie _trk',
          'accepted cookie srv',
          'accepted local_storage choice',
          'refused local_storage choice',
          // The tool does not remove what the server has set.
          'withdrawn cookie srv',
          'withdrawn local_storage choice',
        ])
        const tracker = { host, setBy: `http://${host}/track.js` }
        expect(visited.stored.find(({ name }) => name === '_trk')).toMatchObject(tracker)
        expect(visited.stored.find(({ name }) => name === 'srv')).toMatchObject(tracker)
        expect(visited.stored.find(({ name }) => name === 'choice')).toMatchObject({
          host,
          lifetimeSeconds: null,
          setBy: `http://${host}/`,
        })
        const lifetime = visited.stored.find(({ name }) => name === '_trk')?.lifetimeSeconds ?? 0
        expect(Math.abs(lifetime - 395 * 86_400)).toBeLessThan(60)
        expect(visited.screenshots.map(({ phase }) => phase)).toEqual([
          'before',
          'refused',
          'accepted',
          'withdrawn',
        ])
        const hasFramework = tool.script?.includes('__tcfapi') === true
        expect(visited.tcStrings).toEqual(
          hasFramework
            ? [
                { phase: 'refused', tcString: tcStrings.no },
                { phase: 'accepted', tcString: tcStrings.yes },
                { phase: 'withdrawn', tcString: tcStrings.no },
              ]
            : [],
        )
        for (const { image } of visited.screenshots) {
          expect(image.subarray(0, 3).toString('hex')).toBe('ffd8ff')
          expect(image.length).toBeLessThan(150_000)
        }
      },
    )
  },
)
