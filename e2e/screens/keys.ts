import type { Locator, Page } from '@playwright/test'
import { expect } from '../harness/test.ts'

/** So many stops are walked at most before something counts as out of reach. */
const most = 60

/** Walks with Tab until that is focused; every stop on the way has to show that it is. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let step = 0; step < most; step++) {
    if (await holdsFocus(wanted)) return
    await page.keyboard.press('Tab')
    await expectVisibleFocus(page)
  }
  throw new Error(`${most} times Tab did not lead to ${wanted}`)
}

const holdsFocus = async (wanted: Locator) =>
  (await wanted.count()) > 0 && (await wanted.first().evaluate((element) => element.matches(':focus')))

/** What has the focus shows it: by an outline or a ring around it, or by the caret of a text field. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  // The border of a field takes its colour in a tenth of a second.
  await expect.poll(() => hiddenFocus(page), 'what has the focus and does not show it').toBeNull()
}

function hiddenFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    // What is focused to be read out, and no stop of Tab, shows nothing.
    if (element === null || element === document.body || element.getAttribute('tabindex') === '-1')
      return null
    /** Fields have a border of another colour while they have the focus. */
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
