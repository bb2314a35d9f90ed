import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, installedBrowser, openBrowser, type Visited } from '../src/browser/index.ts'
import { type Answers, type BrowserSites, hosts, startBrowserSites } from './browser-sites.ts'
import { type Authority, makeAuthority } from './probe-certificates.ts'

const executable = await installedBrowser(process.env)

/** What visits have, waiting for each other included, and tests around them: each opens real pages in a real Chromium. */
const bounds = { deadline: 60_000 }
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
      more: { readonly authorities?: readonly string[]; readonly visitsOfProcess?: number } = {},
    ) => openBrowser({ executable: executable ?? '', connectTo: sites.connectTo, atOnce: 5, ...more })

    /** In a process of its own, where the page may ruin it. */
    async function visitAlone(page: string | Answers) {
      const own = open()
      try {
        const host = sites.host(typeof page === 'string' ? { '/': page } : page)
        return await own.visit(`http://${host}/`, bounds)
      } finally {
        await own.close()
      }
    }

    async function seen(host: string): Promise<Visited> {
      const end = await browser.visit(`http://${host}/`, bounds)
      if (end.outcome === 'unseen') throw new Error(end.reason.code)
      return end
    }
    const seenPage = (page: string) => seen(sites.host({ '/': page }))

    /** Without the page itself. */
    const told = ({ requests }: Visited) => requests.slice(1).map(({ phase, url }) => `${phase} ${url}`)
    const picture = (path: string) => `new Image().src='http://tracker.test/${path}'`
    const button = (label: string, path: string) =>
      `<button onclick="${picture(path)};this.parentElement.remove()">${label}</button>`
    const answers = {
      no: 'refused http://tracker.test/no',
      yes: 'accepted http://tracker.test/yes',
    }

    describe.concurrent("a page's requests", () => {
      test('are reported with their initiator: before consent, after refusal and after consent', async () => {
        const tag = sites.host({ '/tag.js': "fetch('http://tracker.test/early', { mode: 'no-cors' })" })
        const end = await seenPage(`<script src="http://${tag}/tag.js"></script><script>
        navigator.sendBeacon('http://tracker.test/beacon', 'id=7')
        document.cookie = 'early=1'
        window.UC_UI = {
          isInitialized: () => true,
          denyAllConsents() { ${picture('no')} },
          acceptAllConsents() { ${picture('yes')}; document.cookie = 'late=1' },
        }</script>`)
        expect(told(end)).toEqual([
          `before http://${tag}/tag.js`,
          'before http://tracker.test/early',
          'before http://tracker.test/beacon',
          answers.no,
          answers.yes,
        ])
        expect(end.requests[2]).toMatchObject({
          method: 'GET',
          resourceType: 'fetch',
          initiator: `http://${tag}/tag.js`,
        })
        expect(end.requests[3]).toMatchObject({ method: 'POST', body: 'id=7' })
        expect(end.cookies).toEqual([
          { name: 'early', phase: 'before' },
          { name: 'late', phase: 'accepted' },
        ])
        const way = { manager: 'Usercentrics', way: 'call' }
        expect(end.consent).toEqual({ refused: way, accepted: way })
        expect(end.problems).toEqual([])
      })

      test('that a choice triggers are awaited for a while', async () => {
        const end = await seenPage(`<div>Cookies!
        <button onclick="setTimeout(() => { ${picture('no')} }, 900)">Ablehnen</button>
        <button onclick="setTimeout(() => { ${picture('yes')} }, 900)">Akzeptieren</button></div>`)
        expect(told(end)).toEqual([answers.no, answers.yes])
      })

      test('are all before consent without a banner', async () => {
        const end = await seenPage(`<p>Guten Tag</p><script>${picture('a')}</script>`)
        expect(told(end)).toEqual(['before http://tracker.test/a'])
        expect(end.consent).toEqual({ refused: null, accepted: null })
      })
    })

    describe.concurrent('consent', () => {
      const words = { manager: null, way: 'button' } as const
      const framed = (html: string) => `<iframe srcdoc="${html.replaceAll('"', '&quot;')}"></iframe>`
      const shadowed = (html: string) => `<div id="usercentrics-root"></div><script>
      document.getElementById('usercentrics-root').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(html)}</script>`

      test.each<[string, string, Visited['consent']['refused']]>([
        [
          'by the words of a German banner',
          `<div>Wir verwenden Cookies. ${button('Alle akzeptieren', 'yes')} ${button('Nur notwendige', 'no')}</div>`,
          words,
        ],
        [
          'by the words of an Italian one',
          `<div>Usiamo i cookie. ${button('Accetta tutti', 'yes')} ${button('Rifiuta tutti', 'no')}</div>`,
          words,
        ],
        [
          'by the words of an English one in a frame',
          framed(`<div>Cookies? ${button('Accept all', 'yes')} ${button('Reject all', 'no')}</div>`),
          words,
        ],
        [
          "by a manager's buttons in a shadow root",
          shadowed(
            `<button data-testid="uc-deny-all-button" onclick="${picture('no')}">Nein</button>
           <button data-testid="uc-accept-all-button" onclick="${picture('yes')}">Ja</button>`,
          ),
          { manager: 'Usercentrics', way: 'button' },
        ],
        [
          "by another manager's function",
          `<script>window.OneTrust = { RejectAll() { ${picture('no')} }, AllowAll() { ${picture('yes')} } }</script>`,
          { manager: 'OneTrust', way: 'call' },
        ],
      ])('is refused and given %s', async (_, page, way) => {
        const end = await seenPage(page)
        expect(told(end)).toEqual([answers.no, answers.yes])
        expect(end.consent).toEqual({ refused: way, accepted: way })
      })

      test('that cannot be refused is reported as such', async () => {
        const end = await seenPage(`<div>Cookies! ${button('Akzeptieren', 'yes')}</div>`)
        expect(end.consent).toEqual({ refused: null, accepted: words })
        expect(told(end)).toEqual([answers.yes])
      })

      test('is not given by a button outside a banner', async () => {
        const end = await seenPage(`<div>Die Anfrage: ${button('Ablehnen', 'no')}</div>`)
        expect(end.consent).toEqual({ refused: null, accepted: null })
        expect(told(end)).toEqual([])
      })
    })

    describe.concurrent('addresses', () => {
      const here = () => `127.0.0.1:${sites.ports.plain}/secret`

      test('of this machine and its cloud are not reachable by scripts', async () => {
        const targets = ['127.0.0.1', 'localhost', '[::1]', '2130706433'].map(
          (host) => `http://${here().replace('127.0.0.1', host)}`,
        )
        const end = await seenPage(`<script>
        for (const url of ${JSON.stringify([...targets, 'http://169.254.169.254/latest'])})
          fetch(url, { mode: 'no-cors' }).catch(() => undefined)
        new WebSocket('ws://${here()}')</script>`)
        expect(told(end)).toContain(`before http://${here()}`)
        expect(sites.asked.filter((place) => place.includes('/secret'))).toEqual([])
      })

      test('of this machine are not reachable by WebRTC', async () => {
        const silent = createSocket('udp4')
        let heard = 0
        silent.on('message', () => {
          heard += 1
        })
        silent.bind(0, '127.0.0.1')
        await once(silent, 'listening')
        const at = `127.0.0.1:${silent.address().port}`
        const end = await seenPage(`<script>
        for (const urls of ['stun:${at}', 'turn:${at}?transport=udp', 'turn:${here().replace('/secret', '')}?transport=tcp']) {
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
        expect(told(end)).toContain('before http://tracker.test/gathers')
        silent.close()
        expect(heard).toBe(0)
      })

      test('of this machine are not reachable by redirects', async () => {
        const host = sites.host({
          '/': (response) => response.writeHead(302, { location: `http://${here()}` }).end(),
        })
        const end = await browser.visit(`http://${host}/`, bounds)
        expect(end).toEqual({ outcome: 'unseen', reason: { code: 'address_private' } })
        expect(sites.asked.filter((place) => place.includes('/secret'))).toEqual([])
      })
    })

    describe.concurrent('certificates', () => {
      const visitSecure = async (own: Browser, host: string) => {
        try {
          return await own.visit(`https://${host}/`, bounds)
        } finally {
          await own.close()
        }
      }

      test('of an additionally trusted authority are accepted', async () => {
        const host = sites.host({ '/': '<p>Guten Tag</p>' })
        const end = await visitSecure(open({ authorities: [authority.cert] }), host)
        expect(end).toMatchObject({ outcome: 'visited', url: `https://${host}/` })
      })

      test('for another name are refused even from a trusted authority', async () => {
        const end = await visitSecure(open({ authorities: [authority.cert] }), hosts.at(-1) ?? '')
        expect(end).toEqual({ outcome: 'unseen', reason: { code: 'certificate_wrong_name' } })
      })

      test('of an unknown authority are refused', async () => {
        const end = await visitSecure(open(), sites.host({ '/': '<p>Guten Tag</p>' }))
        expect(end).toEqual({ outcome: 'unseen', reason: { code: 'visit_not_opened' } })
      })
    })

    describe.concurrent('a hostile page is closed', () => {
      test.each<[string, string | Answers, string]>([
        [
          'that redirects for ever',
          { '/': (response) => response.writeHead(302, { location: `/?${Math.random()}` }).end() },
          'visit_redirects_endless',
        ],
        [
          'that asks its visitors for ever',
          '<script>while (true) alert(1)</script>',
          'visit_dialogs_endless',
        ],
        [
          'that is a download',
          {
            '/': (response) =>
              response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('x'),
          },
          'visit_download',
        ],
        [
          'that takes all memory',
          '<script>for (const a = []; ; ) a.push(new Array(1e6).fill(Math.random()))</script>',
          'visit_crashed',
        ],
      ])('%s', async (_, page, code) => {
        expect(await visitAlone(page)).toEqual({ outcome: 'unseen', reason: { code } })
      })

      test.each<[string, string, RegExp]>([
        ['whose script never ends', 'setTimeout(() => { while (true); }, 300)', /visit_scripts_endless/],
        [
          'that goes on to itself for ever',
          'setTimeout(() => location.reload(), 50)',
          /^(visit_leaves_endless|visit_timed_out|)$/,
        ],
        [
          'that asks for 100,000 things',
          `let n = 0
         setInterval(() => { for (let i = 0; i < 20 && n < 1e5; i++) fetch('/x?' + n++).catch(() => 0) }, 20)`,
          /visit_too_many_requests/,
        ],
        ['that opens 1,000 windows', "for (let i = 0; i < 1000; i++) window.open('/' + i)", /^$/],
      ])('%s', async (_, script, problems) => {
        const end = await visitAlone(`<script>${script}</script>`)
        if (end.outcome === 'unseen') throw new Error(end.reason.code)
        expect(end.requests.length).toBeLessThanOrEqual(2_000)
        expect(end.problems.map(({ code }) => code).join()).toMatch(problems)
      })

      test('if its response never ends', async () => {
        const endless: Answers = {
          '/': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
        }
        const own = open()
        // Its time is not to go by while the process starts.
        await own.visit(`http://${sites.host({ '/': '<p>Guten Tag</p>' })}/`, bounds)
        const end = await own.visit(`http://${sites.host(endless)}/`, { deadline: 5_000 })
        await own.close()
        expect(end).toEqual({ outcome: 'unseen', reason: { code: 'visit_timed_out' } })
      })

      test('and does not affect later pages', async () => {
        const own = open()
        const [bad, good] = [
          '<script>setTimeout(() => { while (true); }, 300)</script>',
          '<p>Guten Tag</p>',
        ].map((page) => `http://${sites.host({ '/': page })}/`)
        await own.visit(bad ?? '', bounds)
        const end = await own.visit(good ?? '', bounds)
        await own.close()
        expect(end).toMatchObject({ outcome: 'visited', problems: [] })
      })
    })

    describe.concurrent('the process', () => {
      test('reports a missing Chromium', async () => {
        const none = openBrowser({ executable: '/bin/false' })
        const end = await none.visit('http://web-0.test/', bounds)
        await none.close()
        expect(end).toMatchObject({
          outcome: 'unseen',
          reason: { code: 'browser_not_started' },
        })
      })

      test('is replaced after a number of visits', async () => {
        const own = open({ visitsOfProcess: 1 })
        const url = `http://${sites.host({ '/': '<p>Guten Tag</p>' })}/`
        const ends = await Promise.all([1, 2].map(() => own.visit(url, bounds)))
        await own.close()
        expect(ends.map(({ outcome }) => outcome)).toEqual(['visited', 'visited'])
      })

      test('ends with its visits when closed; a visit ends when aborted', async () => {
        const own = open()
        const host = sites.host({ '/': () => undefined })
        const stop = new AbortController()
        const stopped = own.visit(`http://${host}/`, { ...bounds, signal: stop.signal })
        const left = own.visit(`http://${host}/`, bounds)
        const asked = () => sites.asked.filter((place) => place.startsWith(`${host}/`)).length
        await expect.poll(asked, { timeout: 60_000 }).toBe(2)
        stop.abort()
        expect(await stopped).toEqual({ outcome: 'unseen', reason: { code: 'stopped' } })
        const started = performance.now()
        await own.close()
        expect(await left).toEqual({ outcome: 'unseen', reason: { code: 'stopped' } })
        expect(performance.now() - started).toBeLessThan(6_000)
      })
    })
  },
)
