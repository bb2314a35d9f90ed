import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect } from '../harness/test.ts'
import { axeFindings } from './axe.ts'

const pictures = fileURLToPath(new URL('../../test-results/screens', import.meta.url))
const heights = { 1440: 900, 390: 844 } as const
export const widths = [1440, 390] as const
export const schemes = ['light', 'dark'] as const
export type Width = (typeof widths)[number]
export type Scheme = (typeof schemes)[number]

/** Makes the window as wide as that, and of that colour scheme, without loading anything anew. */
export async function wear(page: Page, width: Width, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: heights[width] })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  // Colours that are on their way are neither scheme's.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })
}

interface Looked {
  readonly name: string
  readonly width: Width
  /** A selector of what is asked about; the whole page where it is left out. */
  readonly within?: string
}

/** As it stands there, in both schemes. */
export async function lookInBoth(page: Page, looked: Looked): Promise<void> {
  for (const scheme of schemes) {
    await wear(page, looked.width, scheme)
    await look(page, looked, scheme)
  }
}

/**
 * What a machine can tell of the screen, and a picture where KUSTOS_PICTURES asks for them. What axe asks for beside
 * contrast is the same in both schemes, and is asked for in the light one.
 */
export async function look(page: Page, { name, width, within }: Looked, scheme: Scheme): Promise<void> {
  const title = `${name}-${scheme}-${width}`
  if (process.env.KUSTOS_PICTURES)
    await page.screenshot({ path: `${pictures}/${title}.png`, fullPage: true, animations: 'disabled' })
  const found = await axeFindings(page, { within, coloursAlone: scheme === 'dark' })
  expect.soft(found, `axe on ${title}`).toEqual([])
  const sideways = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect.soft(sideways, `pixels that ${title} scrolls sideways`).toBeLessThanOrEqual(0)
}
