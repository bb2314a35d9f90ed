import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, ContextObject, RunOptions, Spec } from 'axe-core'

/** The source of axe, less than half as long as `axe.source`. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose result depends on the colour scheme. */
const colourRules = ['color-contrast', 'link-in-text-block']

interface AxeOptions {
  /** A selector of the checked part. */
  readonly within?: string | undefined
  /** Whether only the rules about colours run. */
  readonly coloursOnly: boolean
  /** Whether the header and the sidebar are checked as well, which are the same on every screen. */
  readonly withShell: boolean
}

/**
 * Runs axe and returns its violations, one line each. The source is injected once per page and only violations are returned,
 * without the HTML of each element, which takes a quarter of the time of @axe-core/playwright; the console has no frames.
 */
export async function axeFindings(
  page: Page,
  { within, coloursOnly, withShell }: AxeOptions,
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async ({ within, rules, withShell }) => {
      window.axe.configure({ noHtml: true })
      const { violations } = await window.axe.run(
        {
          ...(within !== undefined && { include: [within] }),
          // Rows are alike, and axe takes seconds for a hundred of them.
          exclude: [
            '[role=row][data-row]:nth-child(n + 6)',
            ...(withShell ? [] : ['header:has(~ main)', 'nav:has(~ main)']),
          ],
        },
        { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) },
      )
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary = '' }) => {
          const [, ...reasons] = failureSummary.split('\n')
          return `${id}: ${help}: ${target.join(' ')}: ${reasons.map((reason) => reason.trim()).join('; ')}`
        }),
      )
    },
    { within, rules: coloursOnly ? colourRules : undefined, withShell },
  )
}

declare global {
  interface Window {
    axe: {
      configure(spec: Spec): void
      run(context: ContextObject, options: RunOptions): Promise<AxeResults>
    }
  }
}
