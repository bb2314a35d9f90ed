import type { Locator, Page } from '@playwright/test'
import { administrator } from '../harness/people.ts'
import { sessionOf } from '../harness/system.ts'
import { expect, test } from '../harness/test.ts'
import { addressOf } from './address.ts'
import { between } from './server.ts'
import { watchShifts } from './shifts.ts'
import { placeholders, row, screens } from './table.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)) })

const failures = (page: Page) =>
  page.getByRole('main').getByRole('alert').filter({ hasText: 'This could not be loaded' })

/** Presses Retry until that holds: a try of the screen's own may come before, and a slow one after. */
async function retryUntil(within: Locator, holds: () => Promise<void>): Promise<void> {
  const retry = within.getByRole('alert').getByRole('button', { name: 'Retry' }).first()
  await expect(async () => {
    if ((await retry.count()) > 0) await retry.click({ timeout: 1000 })
    await holds()
  }).toPass()
}

for (const [name, screen] of Object.entries(screens)) {
  if (screen.asksNothing) continue
  test(`${name}: waits, fails, tries again, and says what it has none of`, async ({ page, complaints }) => {
    const address = await addressOf(page, screen)
    const shifts = await watchShifts(page)
    const server = await between(page, 'held')
    await test.step('while it loads there are placeholders, and what comes moves nothing', async () => {
      await page.goto(address)
      // Its own, and not those of a screen whose code is on its way.
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(placeholders(page).first()).toBeVisible()
      await expect(failures(page)).toHaveCount(0)
      server.become('as-is')
      await screen.arrived(page)
      expect.soft(await shifts(), 'how far the page has jumped').toBeLessThan(0.1)
    })
    await test.step('where the server fails it says so, and Retry helps', async () => {
      server.become('failed')
      await page.goto(address)
      await expect(failures(page).first()).toContainText('Server Error')
      await expect(placeholders(page)).toHaveCount(0)
      server.become(screen.empty === null ? 'as-is' : 'emptied')
      // One Retry is for all that failed.
      await retryUntil(page.getByRole('main'), () => expect(failures(page)).toHaveCount(0, { timeout: 1000 }))
      if (screen.empty === null) await screen.arrived(page)
      else for (const sentence of screen.empty) await expect(page.getByText(sentence).first()).toBeVisible()
    })
    provoked(complaints)
  })
}

test('what stands there stays where the server cannot be reached later, and Retry brings the newest', async ({
  page,
  inventory,
  complaints,
}) => {
  const web = await inventory.add()
  const server = await between(page, 'as-is')
  await page.goto(`/hosting?q=${web.fqdn}&sets=customer`)
  await expect(row(page)).toBeVisible()
  server.become('unreachable')
  await inventory.change(web, { customer: 'OTHERS' })
  await expect(failures(page)).toContainText('The server cannot be reached.')
  await expect(failures(page)).toContainText('Shown as it was before.')
  await expect(row(page)).toBeVisible()
  server.become('as-is')
  await retryUntil(page.getByRole('main'), () =>
    expect(page.getByRole('grid')).toContainText('OTHERS', { timeout: 1000 }),
  )
  await expect(failures(page)).toHaveCount(0)
  provoked(complaints)
})

test('an entry of the log that cannot be read says so in its drawer, and Retry helps', async ({
  page,
  complaints,
}) => {
  const oldest = /\/api\/logs\?(.*&)?id=1(&|$)/
  await page.route(oldest, (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }))
  // Nothing else in the list, so that the entry is asked for by itself.
  await page.goto('/logs?causer=none&log=imports&entry=1')
  const drawer = page.getByRole('dialog', { name: 'Entry 1' })
  await expect(drawer.getByRole('alert')).toContainText('Server Error')
  await page.unroute(oldest)
  await retryUntil(drawer, () =>
    expect(drawer.getByRole('definition').first()).toBeVisible({ timeout: 1000 }),
  )
  await expect(drawer.getByRole('alert')).toHaveCount(0)
  provoked(complaints)
})

/** Takes away what the browser's console says of the answers that failed on purpose. */
function provoked(complaints: string[]) {
  const others = complaints.filter(
    (text) => !/the server responded with a status of 500|ERR_CONNECTION_REFUSED/.test(text),
  )
  complaints.splice(0, complaints.length, ...others)
}
