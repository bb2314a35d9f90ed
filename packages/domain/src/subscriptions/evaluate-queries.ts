import { Worker } from 'node:worker_threads'
import { exhaustsResources } from '../platform/exhausts-resources.ts'
import type { Evaluation, EvaluationMessage, EvaluationTask } from './evaluation-thread.ts'

export interface EvaluationLimits {
  /** For each query. Only a regular expression with endless backtracking takes more than a second. */
  readonly selectionMs: number
}

type SendRows = (take: (piece: Uint8Array<ArrayBuffer>) => void) => Promise<void>

/**
 * Evaluates queries of one list in a thread, since each may be an expensive regular expression.
 * @param sendRows is called again after a query that took too much, which ends the thread
 * @returns for each query its rows; null if it took too long, or all of the thread's stack or memory
 * @throws the signal's reason
 */
export async function evaluateQueries(
  task: EvaluationTask,
  sendRows: SendRows,
  limits: EvaluationLimits,
  signal: AbortSignal,
): Promise<(Evaluation | null)[]> {
  const results: (Evaluation | null)[] = []
  while (results.length < task.queries.length) {
    const queries = task.queries.slice(results.length)
    results.push(...(await runInThread({ ...task, queries }, sendRows, limits, signal)))
  }
  return results
}

/** @returns the results up to the first query that takes too much */
async function runInThread(
  task: EvaluationTask,
  sendRows: SendRows,
  limits: EvaluationLimits,
  signal: AbortSignal,
): Promise<(Evaluation | null)[]> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./evaluation-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<(Evaluation | null)[]>()
  const results: (Evaluation | null)[] = []
  const skipQuery = () => resolve([...results, null])
  let selection: NodeJS.Timeout | undefined
  thread.on('message', (said: EvaluationMessage) => {
    clearTimeout(selection)
    selection = said === 'selecting' ? setTimeout(skipQuery, limits.selectionMs) : undefined
    if (said !== 'selecting') results.push(said)
    if (results.length === task.queries.length) resolve(results)
  })
  thread.once('error', (error) => {
    if (selection !== undefined && exhaustsResources(error)) skipQuery()
    else reject(error)
  })
  thread.once('exit', () => reject(new Error('The evaluation of views ended without a result')))
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const send = async () => {
    await sendRows((piece) => thread.postMessage(piece, [piece.buffer]))
    thread.postMessage(null)
  }
  try {
    const [done] = await Promise.all([promise, send()])
    return done
  } finally {
    clearTimeout(selection)
    signal.removeEventListener('abort', abort)
    await thread.terminate()
  }
}
