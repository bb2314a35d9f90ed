import type { ScreenName } from '../../apps/web/src/app/screens.ts'
import { administrator } from '../harness/people.ts'
import { sessionOf } from '../harness/system.ts'
import { expect, test } from '../harness/test.ts'
import { look, schemes, wear, widths } from './look.ts'
import { overlays } from './overlays.ts'
import { screens } from './table.ts'

test.use({ storageState: async ({ storageState: _ }, use) => use(sessionOf(administrator)) })

const opened = '[role=dialog], [role=menu]'

for (const [screen, those] of Object.entries(overlays))
  for (const width of widths)
    test(`what opens over ${screen} is accessible at ${width} px`, async ({ page }) => {
      const { path, arrived } = screens[screen as ScreenName]
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await arrived(page)
      for (const { name, open, close, narrowOnly } of those) {
        if (narrowOnly && width === 1440) continue
        await test.step(name, async () => {
          await open(page)
          for (const scheme of schemes) {
            await wear(page, width, scheme)
            await look(page, { name, width, within: opened }, scheme)
          }
          if (close === undefined) await page.keyboard.press('Escape')
          else await close(page)
          await expect(page.locator(opened).filter({ visible: true })).toHaveCount(0)
        })
      }
    })
