import type { Page } from '@playwright/test'
import axe, { type AxeResults, type ContextObject, type RunOptions } from 'axe-core'

/** What a colour scheme can change; all else that axe asks for is the same in each. */
const ofColours = ['color-contrast', 'link-in-text-block']

interface Asked {
  /** A selector of what is asked about. */
  readonly within?: string | undefined
  /** Whether contrast alone is asked for. */
  readonly coloursAlone: boolean
}

/**
 * What axe finds on a page, a line each. It is run in place, where it needs a quarter of the time that it takes when
 * its source is sent anew for each run and its passes come back; frames, which that would look into, there are none.
 */
export async function axeFindings(page: Page, { within, coloursAlone }: Asked): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ within, rules }) => {
      const { violations } = await window.axe.run(
        {
          ...(within !== undefined && { include: [within] }),
          // Row after row is alike, and axe takes seconds for a hundred.
          exclude: ['[role=row][data-row]:nth-child(n + 6)'],
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
    { within, rules: coloursAlone ? ofColours : undefined },
  )
}

declare global {
  interface Window {
    axe: { run(context: ContextObject, options: RunOptions): Promise<AxeResults> }
  }
}
