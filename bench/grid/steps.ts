/** What both pages are asked to do, in this order; each changes what is shown. */
export const steps = ['filter', 'search all', 'sort', 'page', 'toggle a column'] as const
export type Step = (typeof steps)[number]

/** A page's side of the benchmark. */
export interface Driver {
  /** Brings the page to where the step starts; not measured. */
  prepare(step: Step): Promise<void>
  /** The action itself. */
  act(step: Step): void
  /** What the page shows, so that it is known when the action has come through. */
  shown(step: Step): string
  /** Takes the action back; not measured. */
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

/** Waits until something holds. */
export async function until(holds: () => boolean) {
  while (!holds()) await frame()
}

/**
 * Offers `window.measure`: milliseconds from the action to the second animation frame after it, and at least to the
 * first one after the result is in the document.
 */
export function offer(driver: Driver) {
  window.driver = driver
  window.measure = async (step) => {
    await driver.prepare(step)
    await rest(300)
    await frame()
    const before = driver.shown(step)
    const from = performance.now()
    driver.act(step)
    await frame()
    await until(() => driver.shown(step) !== before)
    await frame()
    const took = performance.now() - from
    await driver.restore(step)
    await rest(50)
    return took
  }
}
