import { Worker } from 'node:worker_threads'
import type { OpenDatabase } from '@kustos/database/client'
import { change } from '../audit.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { ExportTask } from './export-thread.ts'
import { readWebRows, type WebListSettings } from './list.ts'

export type ExportKind = 'webs' | 'tracking'

export interface ExportOptions extends WebListSettings {
  /** In milliseconds. Only a regular expression that backtracks without end needs more than a few seconds. */
  readonly deadline: number
}

export interface Exports {
  /**
   * The rows and columns that a grid shows at this address, as an .xlsx file. A thread of its own does it, since making
   * the file takes a second of computing, and since its filter may be a regular expression of any cost.
   * @param query the grid's address, as pairs
   * @throws DomainError invalid where it takes too long, too-many where others wait already
   */
  exportWebs(context: Context, kind: ExportKind, query: ExportTask['query']): Promise<Uint8Array>
}

/** How many may wait for the one that is being made. */
const room = 4

/** Makes exports one at a time: each holds the whole list in memory. */
export function openExports({ internalMarker, deadline }: ExportOptions): Exports {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async exportWebs(context, kind, query) {
      if (waiting > room) {
        throw new DomainError('too-many', 'Other exports are being made. Try again.', {
          retryAfter: deadline / 1000,
        })
      }
      waiting++
      const turn = last.then(() => {
        const now = Math.floor(context.now().getTime() / 1000)
        return inThread({ kind, query, internalMarker, now }, context.database, deadline)
      })
      last = turn
        .catch(() => undefined)
        .finally(() => {
          waiting--
        })
      const made = await turn
      await change(context, (inside) =>
        inside.record({
          log: 'webs',
          description: 'exported',
          attributes: { export: kind, rows: made.rows },
        }),
      )
      return made.file
    },
  }
}

interface Made {
  readonly file: Uint8Array
  readonly rows: number
}

/** The thread loads its modules while the database sends the rows; neither keeps the list as a whole text. */
async function inThread(task: ExportTask, database: OpenDatabase, deadline: number): Promise<Made> {
  const thread = new Worker(new URL('./export-thread.ts', import.meta.url), {
    workerData: task,
    // The young generation would take three times as much for what is forgotten at once.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
  })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), deadline)
  try {
    const [made] = await Promise.all([
      madeBy(thread, late.signal),
      readWebRows(database, task.kind === 'tracking', (piece) =>
        thread.postMessage(piece, [piece.buffer]),
      ).then(() => thread.postMessage(null)),
    ])
    return made
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

function madeBy(thread: Worker, late: AbortSignal): Promise<Made> {
  return new Promise((resolve, reject) => {
    thread.once('message', (made: Made) => resolve(made))
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The export ended without a file')))
    late.addEventListener('abort', () =>
      reject(new DomainError('invalid', 'The export took too long. A simpler regular expression may help.')),
    )
  })
}
