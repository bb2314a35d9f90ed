import { storageStateOf } from '../harness/global-setup.ts'
import { failures, removeExpectedErrors, retryUntil } from '../harness/retry.ts'
import { administrator } from '../harness/seeded-users.ts'
import { expect, test } from '../harness/test.ts'
import { interceptApi } from './api-interception.ts'
import { row } from './screens.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

test('keeps loaded rows while the server is unreachable, and Retry loads the latest', async ({
  page,
  testWebs,
  browserErrors,
}) => {
  const web = await testWebs.add()
  const api = await interceptApi(page, 'normal')
  await page.goto(`/hosting?q=${web.fqdn}&sets=customer`)
  await expect(row(page)).toBeVisible()
  api.setMode('unreachable')
  await testWebs.change(web, { customer: 'OTHERS' })
  await expect(failures(page)).toContainText('The server can’t be reached.')
  await expect(failures(page)).toContainText('Showing the last known data.')
  await expect(row(page)).toBeVisible()
  api.setMode('normal')
  await retryUntil(page.getByRole('main'), () =>
    expect(page.getByRole('grid')).toContainText('OTHERS', { timeout: 1000 }),
  )
  await expect(failures(page)).toHaveCount(0)
  removeExpectedErrors(browserErrors)
})

test('shows in the drawer that a log entry could not be loaded, and Retry loads it', async ({
  page,
  browserErrors,
}) => {
  const oldest = /\/api\/logs\?(.*&)?id=1(&|$)/
  await page.route(oldest, (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }))
  // The list is empty, so the entry is requested on its own.
  await page.goto('/logs?causer=none&log=imports&entry=1')
  const drawer = page.getByRole('dialog', { name: 'Entry 1' })
  await expect(drawer.getByRole('alert')).toContainText('Server Error')
  await page.unroute(oldest)
  await retryUntil(drawer, () =>
    expect(drawer.getByRole('definition').first()).toBeVisible({ timeout: 1000 }),
  )
  await expect(drawer.getByRole('alert')).toHaveCount(0)
  removeExpectedErrors(browserErrors)
})
