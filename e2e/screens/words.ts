import type { Page } from '@playwright/test'
import { messages as german } from '../../apps/web/src/app/messages/de/index.ts'
import { messages as english } from '../../apps/web/src/app/messages/en/index.ts'

interface Texts {
  readonly [key: string]: string | Texts
}

const flat = (texts: Texts): readonly string[] =>
  Object.values(texts).flatMap((value) => (typeof value === 'string' ? [value] : flat(value)))

const spoken = new Set(flat(german))
/** The names that API and log have for permissions, which stand in tooltips; and the way back to English. */
const meant = new Set([...flat(english.roles.names), 'Switch to English'])
/** What the English catalogue says otherwise than the German one; what is filled in is no part of it. */
const foreign = new Set(
  flat(english).filter((text) => !spoken.has(text) && !meant.has(text) && !text.includes('{{')),
)

/** Words that German does not have, and that hardly an English sentence does without. */
const foreignWord =
  /(?<![\w@.-])(the|is|are|were|of|and|with|from|by|has|have|this|that|there|yet|which|must|could|cannot|been|than|into|since)(?![\w@-])/i

/** The texts of a page that are English, with those that tell something to those who do not see it. */
export async function englishOn(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = []
    // What people and machines wrote stays in the language that they wrote it in.
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
  return texts.filter((text) => foreign.has(text) || foreignWord.test(text))
}
