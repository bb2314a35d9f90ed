import { browserFlags, wholeBrowserPath } from './harness/browser.ts'
import { storageStateOf } from './harness/global-setup.ts'
import { administrator } from './harness/seeded-users.ts'
import { expect, test } from './harness/test.ts'
import { customerIn, expectGrid } from './harness/web-list.ts'

test.use({
  storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)),
  launchOptions: {
    executablePath: wholeBrowserPath(),
    args: [...browserFlags],
    // Playwright disables the back/forward cache by default.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
})

// Many loads of the largest screen take their time on a busy machine.
test.describe.configure({ timeout: 240_000 })

test('a tab loads fifteen times with the back/forward cache enabled', async ({ page }) => {
  for (let load = 0; load < 15; load++) {
    await page.goto(load % 2 === 0 ? '/hosting' : '/hosting/tracking')
    await expectGrid(page)
  }
})

test('a page that comes back from the back/forward cache shows what has changed since', async ({
  page,
  testWebs,
}) => {
  const web = await testWebs.add()
  await page.goto(`/hosting?q=${web.fqdn}`)
  await expectGrid(page)
  await page.evaluate(() => Object.assign(window, { wasKept: true }))
  await page.goto('/favicon.svg')
  await testWebs.change(web, { customer: 'CACHED' })
  // Playwright's own goBack waits for a load event, which a cached page does not have.
  await page.evaluate(() => history.back())
  await expectGrid(page)
  expect(await page.evaluate(() => 'wasKept' in window)).toBe(true)
  await expect(customerIn(page, 'CACHED')).toBeVisible()
  await testWebs.change(web, { customer: 'AFTERWARDS' })
  await expect(customerIn(page, 'AFTERWARDS')).toBeVisible()
})
