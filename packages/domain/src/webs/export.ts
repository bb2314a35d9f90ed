import { Worker } from 'node:worker_threads'
import { message } from '@kustos/contract/messages'
import type { OpenDatabase } from '@kustos/database/client'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import type { ExportTask } from './export-thread.ts'
import { readWebRows, type WebListSettings } from './list.ts'

export type ExportKind = 'webs' | 'tracking'

interface ExportOptions extends WebListSettings {
  /** Only a regular expression with endless backtracking takes more than a few seconds. */
  readonly deadlineMs: number
}

export type Exports = ReturnType<typeof openExports>

/** Besides the running export. */
const maxWaitingExports = 4

/** Runs one export at a time, since each holds the whole list in memory. */
export function openExports({ internalMarker, deadlineMs }: ExportOptions) {
  let previousExport: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    /**
     * Exports the rows and columns that a grid shows as an .xlsx file. Runs in a thread, since it takes a second of
     * computing and its filter may be an expensive regular expression.
     * @param query the parameters of the grid's address
     * @throws DomainError invalid if it takes too long; too-many if too many exports are waiting
     */
    async exportWebs(context: Context, kind: ExportKind, query: ExportTask['query']): Promise<Uint8Array> {
      if (waiting > maxWaitingExports) {
        throw new DomainError('too-many', message('exports_busy'), { retryAfterSeconds: deadlineMs / 1000 })
      }
      waiting++
      const currentExport = previousExport.then(() => {
        const now = Math.floor(context.now().getTime() / 1000)
        return runInThread({ kind, query, internalMarker, now }, context.database, deadlineMs)
      })
      previousExport = currentExport
        .catch(() => undefined)
        .finally(() => {
          waiting--
        })
      const result = await currentExport
      await withAudit(context, (tx) =>
        tx.record({ log: 'webs', description: 'exported', attributes: { export: kind, rows: result.rows } }),
      )
      return result.file
    },
  }
}

interface ExportResult {
  readonly file: Uint8Array
  readonly rows: number
}

/** The thread loads its modules meanwhile. Rows are streamed, so neither thread holds the whole list as one string. */
async function runInThread(task: ExportTask, db: OpenDatabase, deadlineMs: number): Promise<ExportResult> {
  const thread = new Worker(new URL('./export-thread.ts', import.meta.url), {
    workerData: task,
    // By default the young generation takes three times as much memory, for objects that are collected at once.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
  })
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), deadlineMs)
  try {
    const [result] = await Promise.all([
      waitForResult(thread, deadline.signal),
      readWebRows(db, { includeTracking: task.kind === 'tracking' }, (piece) =>
        thread.postMessage(piece, [piece.buffer]),
      ).then(() => thread.postMessage(null)),
    ])
    return result
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

function waitForResult(thread: Worker, deadline: AbortSignal): Promise<ExportResult> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The export ended without a file')))
    deadline.addEventListener('abort', () => reject(new DomainError('invalid', message('export_too_slow'))))
  })
}
