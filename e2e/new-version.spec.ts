import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator } from './harness/seeded-users.ts'
import { expect, test } from './harness/test.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const codeOfQueue = /\/assets\/QueueScreen-[^/]+\.js$/

/** Opens the dashboard of an old version, whose code for the queue is missing on the server. */
async function openOldVersion(page: Page) {
  const loads = { count: 0 }
  page.on('load', () => {
    loads.count++
  })
  await page.goto('/')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  return loads
}

test('a screen whose code an upgrade removed is shown after one reload', async ({ page }) => {
  const loads = await openOldVersion(page)
  await page.route(codeOfQueue, (route) =>
    loads.count < 2 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await navigation(page).getByRole('link', { name: 'Queue' }).click()
  await expect(heading(page, 'Queue')).toBeVisible()
  expect(loads.count).toBe(2)
})

test('a screen whose code stays missing says that there is a new version, beside a shell that works', async ({
  page,
}) => {
  const loads = await openOldVersion(page)
  await page.route(codeOfQueue, (route) => route.fulfill({ status: 404 }))
  await navigation(page).getByRole('link', { name: 'Queue' }).click()
  await expect(heading(page, 'A new version of Kustos is available')).toBeVisible()
  expect(loads.count).toBe(2)
  await navigation(page).getByRole('link', { name: 'Webs' }).click()
  await expect(page.getByRole('grid')).toBeVisible()
})

test('a screen that throws an error says so, beside a shell that works', async ({ page, browserErrors }) => {
  await openOldVersion(page)
  const body = "export default () => { throw new Error('broken screen') }"
  await page.route(codeOfQueue, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await navigation(page).getByRole('link', { name: 'Queue' }).click()
  await expect(heading(page, 'Something went wrong')).toBeVisible()
  await navigation(page).getByRole('link', { name: 'Webs' }).click()
  await expect(page.getByRole('grid')).toBeVisible()
  // React reports what an error boundary catches.
  expect(browserErrors.splice(0).every((message) => message.includes('broken screen'))).toBe(true)
})

test('a command palette whose code stays missing says so, and the screen remains', async ({
  page,
  browserErrors,
}) => {
  await page.route(/\/assets\/Palette-[^/]+\.js$/, (route) => route.fulfill({ status: 404 }))
  await page.goto('/hosting')
  await expect(page.getByRole('grid')).toBeVisible()
  const open = page.getByRole('button', { name: /^Search or jump/ })
  await Promise.all([page.waitForEvent('load'), open.click()])
  await open.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('A new version of Kustos is available')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('grid')).toBeVisible()
  // React reports what an error boundary catches.
  expect(browserErrors.splice(0).every((message) => message.includes('dynamically imported module'))).toBe(
    true,
  )
})

const germanTexts = /\/assets\/de-[^/]+\.js$/
const browserNames = /\/assets\/browser-name-[^/]+\.js$/
const newVersion = 'A new version of Kustos is available. Reload the page.'

test('a language whose texts an upgrade removed can be chosen after one reload', async ({ page }) => {
  const loads = await openOldVersion(page)
  await page.goto('/settings')
  await page.route(germanTexts, (route) =>
    loads.count < 3 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await Promise.all([page.waitForEvent('load'), page.getByText('Deutsch').click()])
  await page.getByText('Deutsch').click()
  await expect(heading(page, 'Einstellungen')).toBeVisible()
  expect(loads.count).toBe(3)
})

test('a language whose texts stay missing says that there is a new version, and the input remains', async ({
  page,
}) => {
  await page.route(germanTexts, (route) => route.fulfill({ status: 404 }))
  await page.goto('/settings')
  await Promise.all([page.waitForEvent('load'), page.getByText('Deutsch').click()])
  await page.getByLabel('Name').fill('half a name')
  await page.getByText('Deutsch').click()
  await expect(page.getByRole('alert').filter({ hasText: newVersion })).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('half a name')
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox').fill('deutsch')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: newVersion })).toHaveCount(2)
})

test('sessions show their user agents while the code that names browsers stays missing', async ({ page }) => {
  await page.route(browserNames, (route) => route.fulfill({ status: 404 }))
  const loads = await openOldVersion(page)
  await navigation(page).getByRole('link', { name: 'Queue' }).click()
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page.getByRole('alert').filter({ hasText: newVersion })).toBeVisible()
  await expect(page.getByText(/^Playwright\//).first()).toBeVisible()
  expect(loads.count).toBe(2)
})

test.describe('before signing in', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('a language whose texts stay missing can be chosen, because the screen has its own', async ({
    page,
  }) => {
    await page.route(germanTexts, (route) => route.fulfill({ status: 404 }))
    await page.goto('/')
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await expect(page.getByRole('button', { name: 'Anmelden' })).toBeVisible()
  })
})
