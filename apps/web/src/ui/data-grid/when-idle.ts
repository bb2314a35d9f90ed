/** Safari has no idle callbacks: there a step waits for its turn like any other task. */
const hasIdle = 'requestIdleCallback' in window
const wait = (step: () => void) => (hasIdle ? requestIdleCallback(step) : window.setTimeout(step, 50))
const forget = (handle: number) => (hasIdle ? cancelIdleCallback(handle) : window.clearTimeout(handle))

/**
 * Takes work on step by step while the browser has nothing else to do.
 * @returns how to end it early
 */
export function whenIdle(work: Generator<void>): () => void {
  let handle = wait(step)
  function step() {
    if (!work.next().done) handle = wait(step)
  }
  return () => forget(handle)
}
