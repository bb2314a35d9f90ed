import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { cellText, columnsOf, labelGrid } from '@kustos/contract/grid'
import { type WebList, webColumns } from '@kustos/contract/webs'
import { labels } from '@kustos/contract/webs/labels'
import { openDatabase } from '@kustos/database/client'
import { readWebList } from '@kustos/domain/webs'
import XLSX from 'sheetjs-style'

/** The baseline for exports: the library alone writes the same cells from memory. Runs in its own process. */
const url = process.env.DATABASE_URL
if (url === undefined) throw new Error('DATABASE_URL is missing')
const database = openDatabase(url)
const { body } = await readWebList(database, 'active', 'objects', { internalMarker: '' })
await database.close()
const { data }: WebList = JSON.parse(new TextDecoder().decode(body))
const columns = columnsOf(
  labelGrid(webColumns, labels.webs, 'en'),
  webColumns.sets.map((set) => set.key),
)
const cells = [
  columns.map((column) => column.label),
  ...data.map((web) =>
    columns.map((column) => {
      const value = column.value(web)
      return value === null || typeof value === 'number' ? value : cellText(column, value) || null
    }),
  ),
]

function write(): Uint8Array {
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), 'Webs')
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true }))
}

const server = http.createServer((_, response) => response.end(write()))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))
