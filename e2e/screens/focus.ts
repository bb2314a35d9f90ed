import type { Locator, Page } from '@playwright/test'
import { expect } from '../harness/test.ts'

/** The number of presses of Tab after which an element counts as unreachable. */
const maxStops = 60

/** Waits for the element, presses Tab until it is focused, and checks that every stop on the way shows its focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let step = 0; step < maxStops; step++) {
    if (await holdsFocus(wanted)) return
    await page.keyboard.press('Tab')
    await expectVisibleFocus(page)
  }
  throw new Error(`${maxStops} presses of Tab did not reach ${wanted}`)
}

const holdsFocus = (wanted: Locator) => wanted.evaluate((element) => element.matches(':focus'))

/** Checks that the focused element shows its focus by an outline, a ring or the caret of a text field. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  if ((await hiddenFocus(page)) === null) return
  // The border colour of a field changes over a tenth of a second.
  await expect.poll(() => hiddenFocus(page), 'focused element that does not show its focus').toBeNull()
}

function hiddenFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    // Elements that are focused only for screen readers show nothing.
    if (element === null || element === document.body || element.getAttribute('tabindex') === '-1')
      return null
    /** Whether a field has the border colour of focused fields. */
    function isFramed(field: Element) {
      const colour = (name: string) => {
        const probe = document.createElement('i')
        probe.style.color = `var(${name})`
        field.parentElement?.append(probe)
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      }
      const { borderTopColor } = getComputedStyle(field)
      return (
        borderTopColor === colour('--mantine-primary-color-filled') &&
        borderTopColor !== colour('--mantine-color-default-border')
      )
    }
    const hasRing = (candidate: Element | null | undefined) => {
      if (candidate === null || candidate === undefined) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(candidate)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    }
    const hasCaret = element.matches('textarea, input:not([readonly], [type=checkbox], [type=radio])')
    const hasFrame = element.matches('select, input') && isFramed(element)
    const around = [element, element.nextElementSibling, element.parentElement, element.closest('label')]
    const label = element.id === '' ? null : document.querySelector(`label[for="${CSS.escape(element.id)}"]`)
    if (hasCaret || hasFrame || [...around, label].some(hasRing)) return null
    return element.outerHTML.slice(0, 200)
  })
}
