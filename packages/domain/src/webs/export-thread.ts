import { parentPort, workerData } from 'node:worker_threads'
import { columnsOf, gridStateFromQuery, localise, selectorOf } from '@kustos/contract/grid'
import { isListed, trackingColumnsAt, type WebList, webColumns } from '@kustos/contract/webs'
import { writeSheet } from './sheet.ts'

export interface ExportTask {
  readonly kind: 'webs' | 'tracking'
  readonly query: readonly (readonly [string, string])[]
  /** In Unix seconds. */
  readonly now: number
  /** The list's JSON (contract: `webList`). */
  readonly list: Uint8Array<ArrayBuffer>
}

const task: ExportTask = workerData
const { data, internal_marker }: WebList = JSON.parse(new TextDecoder().decode(task.list))
const language = task.query.find(([name]) => name === 'lang')?.[1] ?? 'en'
const grid = localise(task.kind === 'webs' ? webColumns : trackingColumnsAt(task.now), language)
const state = gridStateFromQuery(task.query, grid)
const shown = grid.sets.filter((set) => set.shown).map((set) => set.key)
const columns = columnsOf(grid, state.sets ?? shown)
const listed = task.kind === 'webs' ? data : data.filter((web) => isListed(web, internal_marker))
const rows = selectorOf(listed, grid.columns).select(state, columns)
const file = writeSheet(task.kind === 'webs' ? 'Webs' : 'Tracking', columns, rows)
parentPort?.postMessage({ file, rows: rows.length }, [file.buffer])
