import { Worker } from 'node:worker_threads'
import { findIgnoredParameter, gridStateFromQuery } from '@kustos/contract/grid'
import { message } from '@kustos/contract/messages'
import { can } from '@kustos/contract/permissions'
import { webColumns, websRoutes } from '@kustos/contract/webs'
import type { OpenDatabase } from '@kustos/database/client'
import { withAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { DomainError, forbidden, invalid } from '../platform/errors.ts'
import { exhaustsResources } from '../platform/exhausts-resources.ts'
import { readWithoutConsent } from '../third-parties/index.ts'
import { createExportQueue } from './export-queue.ts'
import type { ExportMessage, ExportResult, ExportTask } from './export-thread.ts'
import { assertCanList, readWebRows, type WebListSettings, type WebScope } from './list.ts'

export type ExportKind = 'webs' | 'tracking'

interface ExportOptions extends WebListSettings {
  /** For an export, from its start. */
  readonly deadlineMs: number
  /** For its filters and its order. Only a regular expression with endless backtracking takes more than a second. */
  readonly selectionMs: number
}

export type Exports = ReturnType<typeof openExports>

/** Runs one export at a time, since each holds the whole list in memory. */
export function openExports({ internalMarker, ...limits }: ExportOptions) {
  const runInTurn = createExportQueue(limits.deadlineMs / 1000)
  return {
    /**
     * Exports the rows and columns that a grid shows as an .xlsx file. Runs in a thread, since it takes a second of
     * computing and its filter may be an expensive regular expression.
     * @param query the parameters of the grid's address
     * @param signal aborted when the client has gone, which ends the work
     * @throws DomainError invalid if it takes too long, or its filter all of the thread's stack or memory; too-many if too many
     * exports of the user are waiting; unauthenticated or forbidden if the user's session or permission was revoked meanwhile; the
     * signal's reason
     */
    exportWebs: (
      context: Context,
      kind: ExportKind,
      query: ExportTask['query'],
      signal: AbortSignal,
    ): Promise<Uint8Array> =>
      runInTurn(context.actor?.id, signal, async () => {
        await context.readActor?.(context.db)
        const now = Math.floor(context.now().getTime() / 1000)
        const withoutConsent = kind === 'tracking' ? await readWithoutConsent(context.db) : undefined
        const task = {
          ...({ kind, query, output: 'file', internalMarker, now } as const),
          ...(withoutConsent && { withoutConsent }),
        }
        const { file, rows } = await runInThread<ExportResult>(task, context.database, limits, signal)
        await withAudit(context, (tx) =>
          tx.record({ log: 'webs', description: 'exported', attributes: { export: kind, rows } }),
        )
        return file
      }),

    /**
     * The ids of the webs that the list shows with these parameters, in its order.
     * @throws the errors of `exportWebs`; DomainError forbidden for users who may not list these webs; invalid if there is no filter, or
     * one that the list would ignore
     */
    async selectWebs(
      context: Context,
      query: ExportTask['query'],
      signal: AbortSignal,
    ): Promise<readonly number[]> {
      const assertMaySelect = (actor: Context['actor'], scope: WebScope) => {
        if (!can(actor, websRoutes.listWebs.access)) throw forbidden('unauthorized')
        assertCanList({ ...context, actor }, scope)
      }
      assertMaySelect(context.actor, 'active')
      const scope = readSelectedScope(query)
      assertMaySelect(context.actor, scope)
      return runInTurn(context.actor?.id, signal, async () => {
        assertMaySelect((await context.readActor?.(context.db)) ?? context.actor, scope)
        const now = Math.floor(context.now().getTime() / 1000)
        const task = { kind: 'webs', scope, query, output: 'ids', internalMarker, now } as const
        return runInThread<readonly number[]>(task, context.database, limits, signal)
      })
    },
  }
}

/** @throws DomainError invalid if not every parameter has its effect, or if there is none that leaves out webs */
function readSelectedScope(query: ExportTask['query']): WebScope {
  const filters = query.filter(([name, value]) => name !== 'deleted' || value !== '1')
  const ignored = findIgnoredParameter(filters, webColumns)
  if (ignored !== undefined) throw invalid({ filter: message('filter_ignored', { parameter: ignored }) })
  if (filters.length < query.length) return 'deleted'
  const { search, filters: conditions } = gridStateFromQuery(filters, webColumns)
  if (search.trim() === '' && conditions.length === 0) throw invalid({ filter: message('filter_empty') })
  return 'active'
}

type Limits = Pick<ExportOptions, 'deadlineMs' | 'selectionMs'>

/** The thread loads its modules meanwhile. Rows are streamed, so neither thread holds the whole list as one string. */
async function runInThread<Result extends Exclude<ExportMessage, string>>(
  task: ExportTask,
  db: OpenDatabase,
  { deadlineMs, selectionMs }: Limits,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./export-thread.ts', import.meta.url), {
    workerData: task,
    // By default the young generation takes three times as much memory, for objects that are collected at once.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
  })
  const slow = new AbortController()
  const tooSlow =
    task.output === 'ids'
      ? invalid({ filter: message('filter_too_slow') })
      : new DomainError('invalid', message('export_too_slow'))
  const expire = () => slow.abort(tooSlow)
  const deadline = setTimeout(expire, deadlineMs)
  let selection: NodeJS.Timeout | undefined
  const ending = AbortSignal.any([signal, slow.signal])
  const result = new Promise<Result>((resolve, reject) => {
    thread.on('message', (said: ExportMessage) => {
      if (said === 'selecting') selection = setTimeout(expire, selectionMs)
      else if (said === 'selected') {
        clearTimeout(selection)
        selection = undefined
      }
      // The thread responds as the task's output says.
      else resolve(said as Result)
    })
    thread.once('error', (error) =>
      reject(selection !== undefined && exhaustsResources(error) ? tooSlow : error),
    )
    thread.once('exit', () => reject(new Error('The export ended without a file')))
    ending.addEventListener('abort', () => reject(ending.reason), { once: true })
  })
  const sendRows = async () => {
    const { kind, scope = 'active' } = task
    await readWebRows(db, { scope, includeTracking: kind === 'tracking' }, (piece) => {
      ending.throwIfAborted()
      thread.postMessage(piece, [piece.buffer])
    })
    thread.postMessage(null)
  }
  try {
    const [made] = await Promise.all([result, sendRows()])
    return made
  } finally {
    clearTimeout(deadline)
    clearTimeout(selection)
    await thread.terminate()
  }
}
