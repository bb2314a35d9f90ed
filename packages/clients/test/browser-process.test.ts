import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../src/browser/index.ts'
import { type BrowserSites, hosts, startBrowserSites } from './browser-sites.ts'
import { makeAuthority } from './probe-certificates.ts'
import { findTestBrowser } from './test-browser.ts'

const executable = await findTestBrowser()

/** Long, because other programs may occupy the machine. */
const bounds = { deadlineMs: 120_000 }

describe.skipIf(executable === null)(
  'a process that visits share (skipped without a Chromium)',
  { timeout: 200_000 },
  () => {
    let sites: BrowserSites

    beforeAll(async () => {
      const authority = await makeAuthority('O=Tyrol Trust, CN=Tyrol Trust R1')
      sites = await startBrowserSites(await authority.issue({ names: hosts.slice(0, -1) }))
    })
    afterAll(() => sites.stop())

    function open(seconds: number) {
      const browser = openBrowser({
        executable: executable ?? '',
        connectTo: sites.connectTo,
        atOnce: 2,
        budget: { seconds },
        sandbox: 'optional',
      })
      onTestFinished(() => browser.close())
      return browser
    }

    /** A page that is busy for as long as pages are waited for. */
    const busyPage = "<script>setInterval(() => fetch('/tick'), 200)</script>"
    /** Sends a message that is too large for the relay, which ends the process. */
    const crash = "fetch('/up', { method: 'POST', body: 'a'.repeat(3e7) }).catch(() => 0)"
    const crashingPage = (afterMs: number) => `<script>setTimeout(() => { ${crash} }, ${afterMs})</script>`

    test('can be ended by a page, which does not end the repeated visits of others', async () => {
      const browser = open(100)
      const [crashing, other] = [crashingPage(2_000), busyPage].map((page) => sites.host({ '/': page }))
      const visits = [crashing, other].map((host) => browser.visit(`http://${host}/`, bounds))
      const [ended, repeated] = await Promise.all(visits)
      // A busy machine may take its script for one that never ends before that.
      const code = expect.stringMatching(/^(browser_ended|visit_scripts_endless)$/)
      expect(ended).toMatchObject({ outcome: 'visited', problems: [{ code }] })
      expect(repeated).toMatchObject({ outcome: 'visited', problems: [] })
    })

    test('loses nothing that a visit has seen if there is no time to repeat the visit', async () => {
      const browser = open(15)
      // The start of the process counts.
      await browser.visit(`http://${sites.host({ '/': '<p>Guten Tag</p>' })}/`, bounds)
      const host = sites.host({
        '/': `${busyPage}${crashingPage(8_000)}<script>new Image().src = 'http://tracker.test/early'</script>`,
      })
      const result = await browser.visit(`http://${host}/`, bounds)
      expect(result).toMatchObject({
        outcome: 'visited',
        requests: expect.arrayContaining([expect.objectContaining({ url: 'http://tracker.test/early' })]),
      })
    })
  },
)
