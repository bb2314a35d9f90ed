import { Worker } from 'node:worker_threads'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { ExportTask } from './export-thread.ts'
import { readWebList } from './list.ts'

export type ExportKind = 'webs' | 'tracking'

/** In milliseconds: longer than any honest export takes. Only a regular expression that backtracks without end needs it. */
const exportDeadline = 20_000

export interface ExportOptions {
  readonly internalMarker: string
  readonly deadline?: number
}

/** One at a time: each holds the whole list in memory twice. */
let last: Promise<unknown> = Promise.resolve()

/**
 * The rows and columns that a grid shows at this address, as an .xlsx file. A thread of its own does it, since making
 * the file takes a second of computing, and since its filter may be a regular expression of any cost.
 * @param query the grid's address, as pairs
 * @throws DomainError invalid where it takes too long
 */
export async function exportWebs(
  context: Context,
  kind: ExportKind,
  query: ExportTask['query'],
  { internalMarker, deadline = exportDeadline }: ExportOptions,
): Promise<Uint8Array> {
  const turn = last.then(async () => {
    const { body } = await readWebList(context.database, 'living')
    return inThread({ kind, query, internalMarker, list: new Uint8Array(body) }, deadline)
  })
  last = turn.catch(() => undefined)
  const made = await turn
  await change(context, (inside) =>
    inside.record({ log: 'webs', description: 'exported', attributes: { export: kind, rows: made.rows } }),
  )
  return made.file
}

interface Made {
  readonly file: Uint8Array
  readonly rows: number
}

function inThread(task: ExportTask, deadline: number): Promise<Made> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./export-thread.ts', import.meta.url), {
      workerData: task,
      transferList: [task.list.buffer],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const timer = setTimeout(() => {
      reject(new DomainError('invalid', 'The export took too long. A simpler regular expression may help.'))
      void thread.terminate()
    }, deadline)
    thread.once('message', (made: Made) => resolve(made))
    thread.once('error', reject)
    thread.once('exit', () => {
      clearTimeout(timer)
      reject(new Error('The export ended without a file'))
    })
  })
}
