import type { ScreenName } from '../../apps/web/src/app/screens.ts'
import { storageStateOf } from '../harness/global-setup.ts'
import { administrator } from '../harness/seeded-users.ts'
import { expect, test } from '../harness/test.ts'
import { visit } from '../harness/visit.ts'
import { checkScreen, schemesAt, setAppearance, widths } from './check-screen.ts'
import { overlays } from './overlays.ts'
import { screens } from './screens.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(storageStateOf(administrator)) })

const focusedClose = '.mantine-Modal-close:focus, .mantine-Drawer-close:focus'
const opened = '[role=dialog], [role=menu]'

for (const [screen, those] of Object.entries(overlays))
  test(`overlays of ${screen} are accessible at ${widths.join(' and ')} px`, async ({ openPage: page }) => {
    test.setTimeout(120_000)
    const { path, expectLoaded } = screens[screen as ScreenName]
    await visit(page, path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await expectLoaded(page)
      for (const { name, open, close, narrowOnly } of those) {
        if (narrowOnly && width === 1440) continue
        await test.step(`${name} at ${width} px`, async () => {
          await open(page)
          for (const scheme of schemesAt(width)) {
            await setAppearance(page, width, scheme)
            await checkScreen(page, { name, width, within: opened }, scheme)
          }
          // One that is only read has nothing else to focus.
          if (name !== 'log-entry') await expect(page.locator(focusedClose)).toHaveCount(0)
          if (close === undefined) await page.keyboard.press('Escape')
          else await close(page)
          await expect(page.locator(opened).filter({ visible: true })).toHaveCount(0)
        })
      }
    }
  })
