import type { Page } from '@playwright/test'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator } from './harness/seeded-users.ts'
import { expect, test } from './harness/test.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const codeOfQueue = /\/assets\/QueueScreen-[^/]+\.js$/

/** Opens the dashboard of a version whose code of the queue the server no longer has. */
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
  expect(browserErrors.splice(0).every((said) => said.includes('dynamically imported module'))).toBe(true)
})
