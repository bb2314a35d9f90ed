import type { Page } from '@playwright/test'
import { entries, isGroup, type Screen } from '../../apps/web/src/app/screens.ts'
import { storageStateOf } from '../harness/global-setup.ts'
import { failures, removeExpectedErrors, retryUntil } from '../harness/retry.ts'
import { administrator } from '../harness/seeded-users.ts'
import { expect, test } from '../harness/test.ts'
import { forgetData, visit } from '../harness/visit.ts'
import { interceptApi } from './api-interception.ts'
import { checkInSchemes, cutLabelsOn, setAppearance, widths } from './check-screen.ts'
import { expectGerman, switchToEnglish, switchToGerman } from './english-texts.ts'
import { recordFailedRequests } from './failed-requests.ts'
import { expectVisibleFocus } from './focus.ts'
import { measureLayoutShift } from './layout-shift.ts'
import { resolveUrl } from './resolve-url.ts'
import { placeholders, screens } from './screens.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const routed: readonly Screen[] = entries.flatMap((entry) => (isGroup(entry) ? entry.children : [entry]))

test('every screen of the router is in the table, with a URL of its route', () => {
  expect(Object.keys(screens).toSorted()).toEqual(routed.map(({ name }) => name).toSorted())
  for (const { name, path } of routed) {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
    expect(screens[name].path, name).toMatch(pattern)
  }
})

/** Input that makes a screen show more of itself, such as errors. */
const enterInput: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'hosting-web-add': async (page) => {
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Customer is required')).toBeVisible()
  },
  'hosting-tracking-show': async (page) => {
    const first = page.locator('summary').first()
    if (await first.isVisible()) await first.click()
  },
  'limitis-externaldomains-add': async (page) => {
    const lines = [
      'https://wrong.test/',
      'e2e-neu.test',
      'E2E-NEU.test',
      'two words',
      `${'x'.repeat(90)}.test`,
    ]
    await page.getByRole('textbox', { name: 'FQDNs' }).fill(lines.join('\n'))
    await page.getByRole('button', { name: 'Add 1 domain' }).click()
    await expect(page.getByText('Domain provider is required')).toBeVisible()
  },
  'admin-user-management-add': async (page) => {
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Name is required')).toBeVisible()
  },
  'admin-roles': async (page) => page.getByRole('checkbox', { name: 'view queue: read only' }).check(),
}

/** Takes back what the console would ask about before it leaves the screen. */
const undoInput: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'admin-roles': async (page) => page.getByRole('checkbox', { name: 'view queue: read only' }).uncheck(),
}

/** The submit buttons of forms that show validation errors, in German. */
const submitOf: Readonly<Record<string, string>> = {
  'hosting-web-add': 'Anlegen',
  newweb: 'Anfordern',
  forkweb: 'Anfordern',
  newschnuppertagweb: 'Anfordern',
  'admin-user-management-add': 'Anlegen',
}

// Loading a screen takes most of the time, so one load serves several checks.
for (const [name, screen] of Object.entries(screens))
  test(`${name}: loads without layout shifts, is accessible, in German, works with Tab and recovers from failures`, async ({
    openPage: page,
    browserErrors,
  }) => {
    test.setTimeout(120_000)
    // The sidebar marks an entry of its own, or one within a group.
    const withShell = name === 'home' || name === 'hosting-web-list'
    const url = await resolveUrl(page, screen)
    const layoutShift = await measureLayoutShift(page)
    const failedRequests = recordFailedRequests(page)
    const api = await interceptApi(page, screen.isStatic ? 'normal' : 'pending')
    await clearCache(page)
    await page.goto(url)

    if (!screen.isStatic)
      await test.step('shows placeholders while loading, without layout shifts', async () => {
        // The screen's own placeholders, not those shown while its code loads.
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
        await expect(placeholders(page).first()).toBeVisible()
        await expect(failures(page)).toHaveCount(0)
        api.setMode('normal')
        await screen.expectLoaded(page)
        expect.soft(await layoutShift(), 'layout shift').toBeLessThan(0.1)
      })
    await screen.expectLoaded(page)

    await test.step('Tab reaches every control, shows the focus and leaves again', () => expectTabOrder(page))

    await test.step('is accessible at all widths, does not scroll sideways and cuts no labels', async () => {
      await enterInput[name]?.(page)
      for (const width of widths) await checkInSchemes(page, { name, width, withShell })
      expect.soft(failedRequests(), 'failed requests').toEqual([])
    })

    await test.step('has no English text and no cut labels in German', async () => {
      await setAppearance(page, 1440, 'light')
      await switchToGerman(page)
      const submit = submitOf[name]
      if (submit !== undefined) {
        await page.getByRole('button', { name: submit, exact: true }).click()
        await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      }
      await expectGerman(page, name)
      for (const width of widths) {
        await setAppearance(page, width, 'light')
        expect.soft(await cutLabelsOn(page), `labels that are cut at ${width} pixels`).toEqual([])
      }
      await setAppearance(page, 1440, 'light')
      await switchToEnglish(page)
    })

    if (screen.isStatic) return
    await test.step('shows the failure of the server and retries', async () => {
      await undoInput[name]?.(page)
      api.setMode('failed')
      // Some also when the console itself is loaded. To the others it is the same, but a load takes longer.
      if (withShell) await page.goto(url)
      else {
        await visit(page, '/no/such/path')
        await forgetData(page)
        await visit(page, url)
      }
      await expect(failures(page).first()).toContainText('Server Error')
      await expect(placeholders(page)).toHaveCount(0)
      api.setMode(screen.empty === null ? 'normal' : 'empty')
      // One Retry covers all failed requests.
      await retryUntil(page.getByRole('main'), () => expect(failures(page)).toHaveCount(0, { timeout: 1000 }))
      if (screen.empty === null) await screen.expectLoaded(page)
      else for (const sentence of screen.empty) await expect(page.getByText(sentence).first()).toBeVisible()
    })
    removeExpectedErrors(browserErrors)
  })

/** Loads the next screen as a first visit does. */
async function clearCache(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await devtools.detach()
}

/** Lists and charts have one stop each, forms some twenty, the table of roles and permissions two hundred. */
const maxStops = 250

/**
 * Marks the focused element with the number of the stop. Returns whether the element is new, or null once the focus has left
 * the main part. The parts of a date field are consecutive stops of one element.
 */
const markStop = (page: Page, number: number) =>
  page.evaluate((mark) => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || !element.closest('main')) return null
    const { tabbed } = element.dataset
    element.dataset.tabbed = String(mark)
    return tabbed === undefined || tabbed === String(mark - 1) ? 'new' : 'again'
  }, number)

async function expectTabOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Skip to content' }).focus()
  await page.keyboard.press('Enter')
  let stops = 0
  for (; stops < maxStops; stops++) {
    await page.keyboard.press('Tab')
    const stop = await markStop(page, stops)
    if (stop === null) break
    expect(stop, `stop ${stops + 1}`).toBe('new')
    await expectVisibleFocus(page)
  }
  expect(stops, 'stops').toBeLessThan(maxStops)
  if (await page.getByRole('main').getByRole('button').first().isVisible())
    expect(stops, 'stops').toBeGreaterThan(0)
}
