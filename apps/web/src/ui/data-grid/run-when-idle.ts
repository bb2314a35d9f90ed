/** Safari has no idle callbacks. */
const hasIdle = 'requestIdleCallback' in window
const wait = (step: () => void) => (hasIdle ? requestIdleCallback(step) : window.setTimeout(step, 50))
const forget = (handle: number) => (hasIdle ? cancelIdleCallback(handle) : window.clearTimeout(handle))

/** Rendering comes first: time between two frames counts as idle, too. */
const startDelayMs = 150

/**
 * Runs work step by step while the browser is idle.
 * @returns a function that stops it
 */
export function runWhenIdle(work: Generator<void>): () => void {
  let handle: number | undefined
  const timer = window.setTimeout(step, startDelayMs)
  function step() {
    handle = work.next().done ? undefined : wait(step)
  }
  return () => {
    window.clearTimeout(timer)
    if (handle !== undefined) forget(handle)
  }
}
