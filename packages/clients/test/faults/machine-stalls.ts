import { Worker } from 'node:worker_threads'

const tickMs = 50
/** Later than a busy machine makes a thread that does nothing. */
const lateMs = 500

/**
 * Watches with a thread of its own how long this machine stands still: some virtual machines do for seconds while the processes
 * of a browser send each other a flood of messages.
 */
export function watchMachine() {
  const cells = new Int32Array(new SharedArrayBuffer(8))
  const thread = new Worker(
    `const { workerData: cells } = require('node:worker_threads')
    for (let last = performance.now(); ; ) {
      Atomics.wait(cells, 1, 0, ${tickMs})
      const late = performance.now() - last - ${tickMs}
      if (late > ${lateMs}) Atomics.add(cells, 0, late)
      last = performance.now()
    }`,
    { eval: true, workerData: cells },
  )
  return {
    /** Milliseconds until now. */
    stalledMs: () => Atomics.load(cells, 0),
    stop: () => thread.terminate(),
  }
}
