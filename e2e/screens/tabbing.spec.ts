import type { Page } from '@playwright/test'
import { administrator } from '../harness/people.ts'
import { sessionOf } from '../harness/system.ts'
import { expect, test } from '../harness/test.ts'
import { addressOf } from './address.ts'
import { expectVisibleFocus } from './keys.ts'
import { inFours, screens } from './table.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)) })

/** Lists and charts are one stop each, forms have some twenty, the matrix of roles and permissions two hundred. */
const most = 250

/**
 * What Tab stops at, which it marks with the stop's number; null where it has left the page's main part. A field for a date is
 * some stops in a row.
 */
const stopAt = (page: Page, number: number) =>
  page.evaluate((mark) => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || !element.closest('main')) return null
    const { tabbed } = element.dataset
    element.dataset.tabbed = String(mark)
    return tabbed === undefined || tabbed === String(mark - 1) ? 'new' : 'again'
  }, number)

for (const four of inFours(Object.entries(screens)))
  test(`${four.map(([name]) => name).join(', ')}: Tab leads through, shows where it is, and out again`, async ({
    page,
  }) => {
    test.setTimeout(120_000)
    for (const [name, screen] of four)
      await test.step(name, async () => {
        await page.goto(await addressOf(page, screen))
        await screen.arrived(page)
        await page.getByRole('link', { name: 'Skip to content' }).focus()
        await page.keyboard.press('Enter')
        let stops = 0
        for (; stops < most; stops++) {
          await page.keyboard.press('Tab')
          const stop = await stopAt(page, stops)
          if (stop === null) break
          expect(stop, `stop ${stops + 1} of ${name}`).toBe('new')
          await expectVisibleFocus(page)
        }
        expect(stops, `stops of ${name}`).toBeLessThan(most)
        if (await page.getByRole('main').getByRole('button').first().isVisible())
          expect(stops, `stops of ${name}`).toBeGreaterThan(0)
      })
  })
