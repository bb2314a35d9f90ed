import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser, type Visited } from '../src/browser/index.ts'
import { type BrowserSites, hosts, startBrowserSites } from './browser-sites.ts'
import { type Authority, makeAuthority } from './probe-certificates.ts'
import { findTestBrowser } from './test-browser.ts'

const executable = await findTestBrowser()

/** Long, because each visit opens a real page in a real Chromium and may have to wait for others. */
const bounds = { deadlineMs: 60_000 }
const timeout = 150_000

describe.skipIf(executable === null)(
  'browser (skipped without a Chromium)',
  { timeout, concurrent: true },
  () => {
    let authority: Authority
    let sites: BrowserSites
    let browser: Browser

    beforeAll(async () => {
      authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts.slice(0, -1) }))
      browser = open()
    })
    afterAll(async () => {
      await browser.close()
      await sites.stop()
    })

    const open = (
      more: Pick<Parameters<typeof openBrowser>[0], 'authorities' | 'visitsOfProcess' | 'budget'> = {},
    ) =>
      openBrowser({
        executable: executable ?? '',
        connectTo: sites.connectTo,
        atOnce: 5,
        // These pages are our own.
        sandbox: 'optional',
        ...more,
      })

    async function visitHost(host: string): Promise<Visited> {
      const result = await browser.visit(`http://${host}/`, bounds)
      if (result.outcome === 'failed') throw new Error(result.reason.code)
      return result
    }
    const visitPage = (page: string) => visitHost(sites.host({ '/': page }))

    /**
     * Those of the start page as the first visitor, without those for the page itself, which is loaded again after consent was
     * refused or withdrawn.
     */
    const formatRequests = ({ requests }: Visited) =>
      requests
        .filter(({ stop }) => stop?.page === 'start' && stop.visitor === 'desktop')
        .filter(({ resourceType }) => resourceType !== 'document')
        .map(({ phase, url }) => `${phase} ${url}`)
    const loadImage = (path: string) => `new Image().src='http://tracker.test/${path}'`
    const button = (label: string, path: string) =>
      `<button onclick="${loadImage(path)};this.parentElement.remove()">${label}</button>`
    const consentRequests = {
      no: 'refused http://tracker.test/no',
      yes: 'accepted http://tracker.test/yes',
    }

    describe.concurrent("a page's requests", () => {
      test('are reported with their initiator and phase: before consent, after refusal and after consent', async () => {
        const tag = sites.host({ '/tag.js': "fetch('http://tracker.test/early', { mode: 'no-cors' })" })
        const result = await visitPage(`<script src="http://${tag}/tag.js"></script><script>
        navigator.sendBeacon('http://tracker.test/beacon', 'id=7')
        document.cookie = 'early=1'
        window.UC_UI = {
          isInitialized: () => true,
          denyAllConsents() { ${loadImage('no')}; localStorage.choice = 'no' },
          acceptAllConsents() { ${loadImage('yes')}; localStorage.choice = 'yes'; document.cookie = 'late=1' },
        }</script>`)
        expect(formatRequests(result)).toEqual([
          `before http://${tag}/tag.js`,
          'before http://tracker.test/early',
          'before http://tracker.test/beacon',
          consentRequests.no,
          `refused http://${tag}/tag.js`,
          'refused http://tracker.test/early',
          'refused http://tracker.test/beacon',
          consentRequests.yes,
          `withdrawn http://${tag}/tag.js`,
          'withdrawn http://tracker.test/early',
          'withdrawn http://tracker.test/beacon',
        ])
        expect(result.requests[2]).toMatchObject({
          method: 'GET',
          resourceType: 'fetch',
          initiator: `http://${tag}/tag.js`,
        })
        expect(result.requests[3]).toMatchObject({ method: 'POST', body: 'id=7' })
        expect(result.stored.map(({ phase, kind, name }) => `${phase} ${kind} ${name}`)).toEqual([
          'before cookie early',
          'refused local_storage choice',
          'accepted cookie late',
          'accepted local_storage choice',
          'withdrawn cookie late',
          'withdrawn local_storage choice',
        ])
        const way = { manager: 'Usercentrics', way: 'call' }
        expect(result.consent).toEqual({ refused: way, accepted: way, withdrawn: way })
        expect(result.problems).toEqual([])
      })

      test('have their initiator however long their address is', async () => {
        const tag = sites.host({
          '/tag.js': "fetch('http://tracker.test/long?' + 'x'.repeat(3000), { mode: 'no-cors' })",
        })
        const { requests } = await visitPage(`<script src="http://${tag}/tag.js"></script>`)
        expect(requests.find(({ url }) => url.includes('/long?'))).toMatchObject({
          url: expect.stringMatching(/^.{2000}$/),
          initiator: `http://${tag}/tag.js`,
        })
      })

      test('are awaited for a while after a choice', async () => {
        const result = await visitPage(`<div>Cookies!
        <button onclick="setTimeout(() => { ${loadImage('no')} }, 900)">Ablehnen</button>
        <button onclick="setTimeout(() => { ${loadImage('yes')} }, 900)">Akzeptieren</button></div>`)
        expect(formatRequests(result)).toEqual([consentRequests.no, consentRequests.yes])
      })

      test('all count as before consent if there is no banner', async () => {
        const result = await visitPage(`<p>Guten Tag</p><script>${loadImage('a')}</script>`)
        expect(formatRequests(result)).toEqual(['before http://tracker.test/a'])
        expect(result.consent).toEqual({ refused: null, accepted: null, withdrawn: null })
      })
    })

    describe.concurrent('consent', () => {
      const byButton = { manager: null, way: 'button' } as const
      const inFrame = (html: string) => `<iframe srcdoc="${html.replaceAll('"', '&quot;')}"></iframe>`
      const inShadowRoot = (html: string) => `<div id="usercentrics-root"></div><script>
      document.getElementById('usercentrics-root').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(html)}</script>`

      test.each<[string, string, Visited['consent']['refused']]>([
        [
          'by the button labels of a German banner',
          `<div>Wir verwenden Cookies. ${button('Alle akzeptieren', 'yes')} ${button('Nur notwendige', 'no')}</div>`,
          byButton,
        ],
        [
          'by the button labels of an Italian banner',
          `<div>Usiamo i cookie. ${button('Accetta tutti', 'yes')} ${button('Rifiuta tutti', 'no')}</div>`,
          byButton,
        ],
        [
          'by the button labels of an English banner in a frame',
          inFrame(`<div>Cookies? ${button('Accept all', 'yes')} ${button('Reject all', 'no')}</div>`),
          byButton,
        ],
        [
          "by a consent manager's buttons in a shadow root",
          inShadowRoot(
            `<button data-testid="uc-deny-all-button" onclick="${loadImage('no')}">Nein</button>
           <button data-testid="uc-accept-all-button" onclick="${loadImage('yes')}">Ja</button>`,
          ),
          { manager: 'Usercentrics', way: 'button' },
        ],
        [
          "by a consent manager's function",
          `<script>window.OneTrust = { RejectAll() { ${loadImage('no')} }, AllowAll() { ${loadImage('yes')} } }</script>`,
          { manager: 'OneTrust', way: 'call' },
        ],
      ])('is refused and given %s', async (_, page, way) => {
        const result = await visitPage(page)
        expect(formatRequests(result)).toEqual([consentRequests.no, consentRequests.yes])
        expect(result.consent).toMatchObject({ refused: way, accepted: way })
      })

      test('is reported as not refused if the banner does not allow it', async () => {
        const result = await visitPage(`<div>Cookies! ${button('Akzeptieren', 'yes')}</div>`)
        expect(result.consent).toEqual({ refused: null, accepted: byButton, withdrawn: null })
        expect(formatRequests(result)).toEqual([consentRequests.yes])
        expect(result.collected).toEqual(['before', 'accepted'])
        expect(result.tried).toEqual(expect.arrayContaining(['refused', 'accepted']))
      })

      test('is not given by a way that fails, and nothing counts as requested with it', async () => {
        const result = await visitPage(`<script>window.OneTrust = {
          RejectAll() { ${loadImage('no')} },
          AllowAll() { ${loadImage('yes')}; throw new Error('no') },
        }</script>`)
        expect(result.consent).toMatchObject({ refused: { manager: 'OneTrust' }, accepted: null })
        expect(formatRequests(result)).toEqual([consentRequests.no])
        expect([result.collected, result.tried]).toEqual([
          ['before', 'refused'],
          ['refused', 'accepted'],
        ])
        expect(result.problems).toEqual([{ code: 'visit_banner_missing' }])
      })

      test.each([
        ['hides its buttons', `document.querySelectorAll = () => { throw new Error('no') }`, null],
        [
          'has a consent manager that fails',
          `window.UC_UI = { isInitialized() { throw new Error('no') } }; window.OneTrust = {
            RejectAll() { document.cookie = 'choice=no'; ${loadImage('no')} },
            AllowAll() { document.cookie = 'choice=yes'; ${loadImage('yes')} } }`,
          { manager: 'OneTrust', way: 'call' },
        ],
      ])('is asked of a page that %s, and its visit does not fail', async (_, script, way) => {
        const result = await visitPage(`<script>${script}; ${loadImage('early')}</script><div>Cookies!
          ${button('Akzeptieren', 'yes')} ${button('Ablehnen', 'no')}</div>`)
        expect(result.consent).toMatchObject({ refused: way, accepted: way })
        expect(formatRequests(result)).toContain('before http://tracker.test/early')
        expect(result.problems).toEqual([])
      })

      test('is reported if no time is left to open the page again or to withdraw it', async () => {
        // Too short to open the page again and to accept consent; by the time that is accepted, to withdraw it.
        const ownBrowser = open({ budget: { seconds: 17.5 } })
        const page = `<div>Cookies! ${button('Akzeptieren', 'yes')} ${button('Ablehnen', 'no')}</div>`
        const result = await ownBrowser.visit(`http://${sites.host({ '/': page })}/`, bounds)
        await ownBrowser.close()
        if (result.outcome === 'failed') throw new Error(result.reason.code)
        expect(result.problems.map(({ code }) => code)).toEqual([
          'visit_not_reopened',
          // A busy machine may not come to it.
          expect.stringMatching(/^visit_(not_withdrawn|timed_out)$/),
        ])
        expect(result.consent).toMatchObject({ refused: byButton, withdrawn: null })
        expect(result.collected).not.toContain('refused')
        expect(result.tried).not.toContain('withdrawn')
      })

      test('is answered, and the page opened again, also if the page wants to keep those who leave', async () => {
        const result =
          await visitPage(`<script>addEventListener('beforeunload', (event) => event.preventDefault())</script>
          <div>Cookies! ${button('Ablehnen', 'no')}</div>`)
        expect(result.consent.refused).toEqual(byButton)
        expect(result.problems).toEqual([])
        expect(result.collected).toEqual(['before', 'refused'])
      })

      test('is given by a function that loads the page anew and never returns', async () => {
        const result = await visitPage(`<script>
          if (localStorage.choice === 'yes') ${loadImage('yes')}
          window.UC_UI = {
            isInitialized: () => true,
            acceptAllConsents() { localStorage.choice = 'yes'; location.reload(); return new Promise(() => {}) },
          }</script>`)
        expect(result.consent.accepted).toEqual({ manager: 'Usercentrics', way: 'call' })
        expect(formatRequests(result)).toContain(consentRequests.yes)
      })

      test('is not given by a button outside a banner', async () => {
        const result = await visitPage(`<div>Die Anfrage: ${button('Ablehnen', 'no')}</div>`)
        expect(result.consent).toEqual({ refused: null, accepted: null, withdrawn: null })
        expect(formatRequests(result)).toEqual([])
      })
    })

    describe.concurrent('addresses', () => {
      const secretUrl = () => `127.0.0.1:${sites.ports.plain}/secret`

      test('of this machine and cloud metadata are not reachable by scripts', async () => {
        const targets = ['127.0.0.1', 'localhost', '[::1]', '2130706433'].map(
          (host) => `http://${secretUrl().replace('127.0.0.1', host)}`,
        )
        const result = await visitPage(`<script>
        for (const url of ${JSON.stringify([...targets, 'http://169.254.169.254/latest'])})
          fetch(url, { mode: 'no-cors' }).catch(() => undefined)
        new WebSocket('ws://${secretUrl()}')</script>`)
        expect(formatRequests(result)).toContain(`before http://${secretUrl()}`)
        expect(sites.requests.filter((address) => address.includes('/secret'))).toEqual([])
      })

      test('of this machine are not reachable by WebRTC', async () => {
        const silent = createSocket('udp4')
        let received = 0
        silent.on('message', () => {
          received += 1
        })
        silent.bind(0, '127.0.0.1')
        await once(silent, 'listening')
        const at = `127.0.0.1:${silent.address().port}`
        const result = await visitPage(`<script>
        for (const urls of ['stun:${at}', 'turn:${at}?transport=udp', 'turn:${secretUrl().replace('/secret', '')}?transport=tcp']) {
          const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] })
          peer.createDataChannel('a')
          peer.onicegatheringstatechange = () => {
            if (peer.iceGatheringState === 'gathering') new Image().src = 'http://tracker.test/gathers'
          }
          peer.createOffer().then((offer) => peer.setLocalDescription(offer)).then(async () => {
            const sdp = peer.localDescription.sdp
              .replace('a=setup:actpass', 'a=setup:active')
              .replace(/a=ice-ufrag:.*/, 'a=ice-ufrag:abcd')
              .replace(/a=ice-pwd:.*/, 'a=ice-pwd:abcdabcdabcdabcdabcdabcd')
            await peer.setRemoteDescription({ type: 'answer', sdp })
            const candidate = 'candidate:1 1 udp 2122260223 ${at.replace(':', ' ')} typ host'
            await peer.addIceCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 })
          })
        }</script>`)
        expect(formatRequests(result)).toContain('before http://tracker.test/gathers')
        silent.close()
        expect(received).toBe(0)
      })

      test('of this machine are not reachable by redirects', async () => {
        const host = sites.host({
          '/': (response) => response.writeHead(302, { location: 'http://127.0.0.1/secret' }).end(),
        })
        const result = await browser.visit(`http://${host}/`, bounds)
        expect(result).toEqual({ outcome: 'failed', reason: { code: 'address_private' } })
        expect(sites.requests.filter((address) => address.includes('/secret'))).toEqual([])
      })
    })

    describe.concurrent('ports that websites do not have', () => {
      test('are not reachable by redirects, scripts or images', async () => {
        const at = `${hosts.at(-2)}:8080`
        const moved = sites.host({
          '/': (response) => response.writeHead(302, { location: `http://${at}/moved` }).end(),
        })
        expect(await browser.visit(`http://${moved}/`, bounds)).toEqual({
          outcome: 'failed',
          reason: { code: 'port_refused', params: { port: 8080 } },
        })
        const result = await visitPage(
          `<script src="http://${at}/script"></script><script>fetch('https://${at}/fetched').catch(() => {})</script>`,
        )
        // They are reported nevertheless.
        expect(formatRequests(result)).toEqual([`before http://${at}/script`, `before https://${at}/fetched`])
        expect(sites.requests.filter((address) => address.startsWith(at))).toEqual([])
      })
    })

    describe.concurrent('certificates', () => {
      const visitSecure = async (ownBrowser: Browser, host: string) => {
        try {
          return await ownBrowser.visit(`https://${host}/`, bounds)
        } finally {
          await ownBrowser.close()
        }
      }

      test('of an additionally trusted authority are accepted', async () => {
        const host = sites.host({ '/': '<p>Guten Tag</p>' })
        const result = await visitSecure(open({ authorities: [authority.cert] }), host)
        expect(result).toMatchObject({ outcome: 'visited', url: `https://${host}/` })
      })

      test('for another name are refused even from a trusted authority', async () => {
        const result = await visitSecure(open({ authorities: [authority.cert] }), hosts.at(-1) ?? '')
        expect(result).toEqual({ outcome: 'failed', reason: { code: 'certificate_wrong_name' } })
      })

      test('of an unknown authority are refused', async () => {
        const result = await visitSecure(open(), sites.host({ '/': '<p>Guten Tag</p>' }))
        expect(result).toEqual({ outcome: 'failed', reason: { code: 'visit_not_opened' } })
      })
    })

    test('a page whose script never ends does not affect later pages', async () => {
      const ownBrowser = open()
      const [bad, good] = [
        '<script>setTimeout(() => { while (true); }, 300)</script>',
        '<p>Guten Tag</p>',
      ].map((page) => `http://${sites.host({ '/': page })}/`)
      await ownBrowser.visit(bad ?? '', bounds)
      const result = await ownBrowser.visit(good ?? '', bounds)
      await ownBrowser.close()
      expect(result).toMatchObject({ outcome: 'visited', problems: [] })
    })

    describe.concurrent('the process', () => {
      test('reports a missing Chromium', async () => {
        const broken = openBrowser({ executable: '/bin/false' })
        const result = await broken.visit('http://web-0.test/', bounds)
        await broken.close()
        expect(result).toMatchObject({
          outcome: 'failed',
          reason: { code: 'browser_not_started' },
        })
      })

      test('is replaced after a number of visits', async () => {
        const ownBrowser = open({ visitsOfProcess: 1 })
        const url = `http://${sites.host({ '/': '<p>Guten Tag</p>' })}/`
        const results = await Promise.all([1, 2].map(() => ownBrowser.visit(url, bounds)))
        await ownBrowser.close()
        expect(results.map(({ outcome }) => outcome)).toEqual(['visited', 'visited'])
      })

      test('ends its visits when aborted or closed', async () => {
        const ownBrowser = open()
        const host = sites.host({ '/': () => undefined })
        const stop = new AbortController()
        const aborted = ownBrowser.visit(`http://${host}/`, { ...bounds, signal: stop.signal })
        const remaining = ownBrowser.visit(`http://${host}/`, bounds)
        const countRequests = () => sites.requests.filter((address) => address.startsWith(`${host}/`)).length
        await expect.poll(countRequests, { timeout: 60_000 }).toBe(2)
        stop.abort()
        expect(await aborted).toEqual({ outcome: 'failed', reason: { code: 'stopped' } })
        const started = performance.now()
        await ownBrowser.close()
        expect(await remaining).toEqual({ outcome: 'failed', reason: { code: 'stopped' } })
        expect(performance.now() - started).toBeLessThan(6_000)
      })
    })
  },
)
