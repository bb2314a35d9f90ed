/** The measured actions, in this order. Each changes what the table shows. */
export const steps = ['filter', 'search all', 'sort', 'page', 'toggle a column'] as const
export type Step = (typeof steps)[number]

/** Implemented by each of the two pages. */
export interface Driver {
  /** Prepares a step; not measured. */
  prepare(step: Step): Promise<void>
  /** Performs the action. */
  act(step: Step): void
  /** A text of what the table shows, which changes once the action is complete. */
  shown(step: Step): string
  /** Reverts the action; not measured. */
  restore(step: Step): Promise<void>
}

declare global {
  interface Window {
    measure?: (step: Step) => Promise<number>
    driver?: Driver
  }
}

export const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

const rest = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

export async function waitUntil(holds: () => boolean) {
  while (!holds()) await frame()
}

/**
 * Adds `window.measure`, which resolves to the milliseconds from the action to the second animation frame after it, and
 * at least to the first frame after the result is in the document.
 */
export function exposeMeasure(driver: Driver) {
  window.driver = driver
  window.measure = async (step) => {
    await driver.prepare(step)
    await rest(300)
    await frame()
    const before = driver.shown(step)
    const from = performance.now()
    driver.act(step)
    await frame()
    await waitUntil(() => driver.shown(step) !== before)
    await frame()
    const took = performance.now() - from
    await driver.restore(step)
    await rest(50)
    return took
  }
}
