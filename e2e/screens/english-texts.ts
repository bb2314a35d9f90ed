import type { Page } from '@playwright/test'
import * as german from '../../apps/web/src/platform/messages/de/index.ts'
import * as english from '../../apps/web/src/platform/messages/en/index.ts'
import { expect } from '../harness/test.ts'

interface Texts {
  readonly [key: string]: string | Texts
}

const flatten = (texts: Texts): readonly string[] =>
  Object.values(texts).flatMap((value) => (typeof value === 'string' ? [value] : flatten(value)))

const germanTexts = new Set(flatten(german))
/** English on purpose: permission names of the API in tooltips, and the button that switches to English. */
const allowedTexts = new Set([...flatten(english.roles.names), 'Switch to English'])
/** Texts that only the English catalogue has, without those with placeholders. */
const englishTexts = new Set(
  flatten(english).filter(
    (text) => !germanTexts.has(text) && !allowedTexts.has(text) && !text.includes('{{'),
  ),
)

/** Words that appear in most English sentences and in no German one. */
const englishWord =
  /(?<![\w@.-])(the|is|are|were|of|and|with|from|by|has|have|this|that|there|yet|which|must|could|cannot|been|than|into|since)(?![\w@-])/i

/** @returns the English texts of a page, accessible names and descriptions included */
async function englishOn(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = []
    // Texts written by users and systems keep their language.
    const untranslated = '[translate=no], [role=log], code, pre, script, style'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      if (text !== '' && node.parentElement?.closest(untranslated) === null) found.push(text)
    }
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (element.closest(untranslated) === null) found.push(element.getAttribute(name)?.trim() ?? '')
    return [document.title, ...new Set(found)]
  })
  return texts.filter((text) => englishTexts.has(text) || englishWord.test(text))
}

/** Switches a loaded screen to German. */
export const switchToGerman = (page: Page): Promise<void> =>
  switchLanguage(page, 'Search webs, screens and actions', 'Auf Deutsch umstellen', 'de')

/** Switches a screen back to English. */
export const switchToEnglish = (page: Page): Promise<void> =>
  switchLanguage(page, 'Webs, Seiten und Aktionen suchen', 'Switch to English', 'en')

async function switchLanguage(page: Page, search: string, action: string, language: string): Promise<void> {
  const input = page.getByRole('combobox', { name: search })
  const html = page.locator('html')
  // On screens that say that something is missing, the shortcut was seen to do nothing at first.
  await expect(async () => {
    if ((await html.getAttribute('lang')) === language) return
    if (!(await input.isVisible())) await page.keyboard.press('ControlOrMeta+K')
    await input.fill(action, { timeout: 2_000 })
    await page.getByRole('option', { name: action }).click({ timeout: 2_000 })
    await expect(html).toHaveAttribute('lang', language, { timeout: 2_000 })
  }).toPass()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

export const expectGerman = (page: Page, name: string) =>
  expect.soft.poll(() => englishOn(page), `English on ${name}`).toEqual([])
