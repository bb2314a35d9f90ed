import { parentPort, workerData } from 'node:worker_threads'
import { type GridLabels, type GridLanguage, gridLanguages } from '@kustos/contract/grid'
import { isListed, trackingGridAt, type Web, webColumns } from '@kustos/contract/webs'
import { labels as en } from '@kustos/contract/webs/labels'
import de from '@kustos/contract/webs/labels.de.json' with { type: 'json' }
import { createRowSelection, receiveRows } from '../platform/grid-rows.ts'
import { type ServicesByWeb, withoutConsentIn } from '../platform/services-without-consent.ts'
import type { WebScope } from './list.ts'
import { createSheet, type Sheet, writeSheet } from './sheet.ts'

/** The data of the thread. It then receives the rows in chunks (`readWebRows`), and null after the last one. */
export interface ExportTask {
  readonly kind: 'webs' | 'tracking'
  /** Active webs by default. */
  readonly scope?: WebScope
  readonly query: readonly (readonly [string, string])[]
  /** A file, or only the ids of the rows that match. */
  readonly output: 'file' | 'ids'
  readonly internalMarker: string
  /** In Unix seconds. */
  readonly now: number
  /** Only for the tracking list. */
  readonly withoutConsent?: ServicesByWeb
}

export interface ExportResult {
  readonly file: Uint8Array
  readonly rows: number
}

/** The thread's messages: it begins to filter and sort, it has done so, and its result. */
export type ExportMessage = 'selecting' | 'selected' | ExportResult | readonly number[]

/** Labels of the grids that are exported. */
const labels: Readonly<Record<GridLanguage, Readonly<Record<ExportTask['kind'], GridLabels>>>> = { en, de }

const { kind, query, output, internalMarker, now, withoutConsent }: ExportTask = workerData
if (parentPort === null) throw new Error('This runs as a thread')
const say = (said: ExportMessage, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(said, transfer)

function select(webs: readonly Web[]) {
  const asked = query.find(([name]) => name === 'lang')?.[1]
  const language = gridLanguages.find((known) => known === asked) ?? 'en'
  const definition =
    kind === 'webs' ? webColumns : trackingGridAt(now, withoutConsentIn(language, withoutConsent))
  const listed = kind === 'webs' ? webs : webs.filter((web) => isListed(web, internalMarker))
  say('selecting')
  const selected = createRowSelection(definition, labels[language][kind], language, listed)(query)
  say('selected')
  return selected
}

/** A separate function, so its data can be garbage-collected before the file is written. */
function fillSheet(webs: readonly Web[]): { readonly sheet: Sheet; readonly rows: number } {
  const { rows, columns } = select(webs)
  return { sheet: createSheet(kind === 'webs' ? 'Webs' : 'Tracking', columns, rows), rows: rows.length }
}

if (output === 'ids') say(select(await receiveRows<Web>(parentPort)).rows.map(({ id }) => id))
else {
  const { sheet, rows } = fillSheet(await receiveRows<Web>(parentPort))
  const file = writeSheet(sheet)
  say({ file, rows }, [file.buffer])
}
