import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect } from '../harness/test.ts'
import { axeFindings } from './axe.ts'

const pictures = fileURLToPath(new URL('../../test-results/screens', import.meta.url))
const heights = { 1440: 900, 390: 844 } as const
export const widths = [1440, 390] as const
export type Width = (typeof widths)[number]
export type Scheme = 'light' | 'dark'

/** Sets the window's width and colour scheme without reloading, and waits for colour transitions. */
export async function setAppearance(page: Page, width: Width, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: heights[width] })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  // Contrast during a transition belongs to neither scheme.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })
}

interface ScreenCheck {
  readonly name: string
  readonly width: Width
  /** A selector of the checked part; the whole page by default. */
  readonly within?: string
  /** Whether the header and the sidebar are checked as well. */
  readonly withShell?: boolean
}

/** Both colour schemes at the larger width: colours do not depend on it. */
export const schemesAt = (width: Width): readonly Scheme[] => (width === 1440 ? ['light', 'dark'] : ['light'])

/** Checks the screen in the colour schemes of its width. */
export async function checkInSchemes(page: Page, check: ScreenCheck): Promise<void> {
  for (const scheme of schemesAt(check.width)) {
    await setAppearance(page, check.width, scheme)
    await checkScreen(page, check, scheme)
  }
}

/**
 * Checks the screen with axe, that it does not scroll sideways and that no label is cut, and takes a screenshot if
 * KUSTOS_PICTURES is set. Only contrast depends on the scheme, so the dark scheme is checked for contrast alone.
 */
export async function checkScreen(
  page: Page,
  { name, width, within, withShell = false }: ScreenCheck,
  scheme: Scheme,
): Promise<void> {
  const title = `${name}-${scheme}-${width}`
  if (process.env.KUSTOS_PICTURES)
    await page.screenshot({ path: `${pictures}/${title}.png`, fullPage: true, animations: 'disabled' })
  const findings = await axeFindings(page, { within, coloursOnly: scheme === 'dark', withShell })
  expect.soft(findings, `axe on ${title}`).toEqual([])
  const overflowPx = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect.soft(overflowPx, `pixels that ${title} scrolls sideways`).toBeLessThanOrEqual(0)
  expect.soft(await cutLabelsOn(page), `labels that are cut on ${title}`).toEqual([])
}

/** Headings, buttons and the chips of lists must fit; but the chips of the tracking list are names of services. */
const labels =
  'main :is([role=columnheader] span, [role=grid]:not([aria-label=Tracking]) [data-tone] > span, th, button, label, h1, h2, h3)'

/** @returns the labels that have less room than they need */
export const cutLabelsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)]
        // Texts for screen readers alone are a pixel wide.
        .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
        .filter((label) => getComputedStyle(label).overflowX !== 'visible')
        .map((label) => label.textContent ?? ''),
    labels,
  )
