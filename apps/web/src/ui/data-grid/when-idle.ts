/** Safari has no idle callbacks: there a step waits for its turn like any other task. */
const hasIdle = 'requestIdleCallback' in window
const wait = (step: () => void) => (hasIdle ? requestIdleCallback(step) : window.setTimeout(step, 50))
const forget = (handle: number) => (hasIdle ? cancelIdleCallback(handle) : window.clearTimeout(handle))

/** In milliseconds: what was just asked for is drawn first, the moment between two frames is not idle time. */
const rest = 150

/**
 * Takes work on step by step while the browser has nothing else to do.
 * @returns how to end it early
 */
export function whenIdle(work: Generator<void>): () => void {
  let handle: number | undefined
  const timer = window.setTimeout(step, rest)
  function step() {
    handle = work.next().done ? undefined : wait(step)
  }
  return () => {
    window.clearTimeout(timer)
    if (handle !== undefined) forget(handle)
  }
}
