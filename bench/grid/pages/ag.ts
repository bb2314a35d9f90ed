import { type Column, cellText } from '@kustos/contract/grid'
import type { Web } from '@kustos/contract/webs'
import { AllCommunityModule, type ColDef, createGrid, ModuleRegistry, themeQuartz } from 'ag-grid-community'
import { columns, makeRows } from '../rows.ts'
import { type Driver, exposeMeasure, waitUntil } from '../steps.ts'

type Flat = Record<string, string | number | null>

ModuleRegistry.registerModules([AllCommunityModule])
const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element with the id root')

const isNumeric = (column: Column<Web>) => column.kind === 'number' || column.kind === 'bytes'

/** AG Grid gets prepared rows: numbers as numbers, everything else as the text shown. */
const flat = (web: Web): Flat =>
  Object.fromEntries(
    columns.columns.map((column) => {
      const value = column.value(web)
      return [column.key, isNumeric(column) && typeof value === 'number' ? value : cellText(column, value)]
    }),
  )

const columnDefs = columns.columns.map((column): ColDef<Flat> => {
  const base = { field: column.key, headerName: column.label, width: column.width ?? 160 }
  if (!isNumeric(column)) return { ...base, filter: 'agTextColumnFilter' }
  return {
    ...base,
    filter: 'agNumberColumnFilter',
    type: 'rightAligned',
    valueFormatter: ({ value }) => cellText(column, value ?? null),
  }
})

const api = createGrid<Flat>(root, {
  theme: themeQuartz.withParams({ rowHeight: 36, headerHeight: 36, fontSize: 13 }),
  columnDefs,
  rowData: makeRows(10_000).map(flat),
  pagination: true,
  paginationPageSize: 50,
  paginationPageSizeSelector: [25, 50, 100, 500, 1000],
  cacheQuickFilter: true,
  animateRows: false,
  suppressColumnMoveAnimation: true,
})

const sortBy = (sort: 'asc' | null) => api.applyColumnState({ state: [{ colId: 'fqdn', sort }] })
async function filterBy(text: string) {
  await api.setColumnFilterModel(
    'fqdn',
    text === '' ? null : { filterType: 'text', type: 'contains', filter: text },
  )
  api.onFilterChanged()
}

// Minimal controls for what our grid has built in.
const search = document.createElement('input')
search.type = 'search'
search.addEventListener('input', () => api.setGridOption('quickFilterText', search.value))
const nodeToggle = document.createElement('input')
nodeToggle.type = 'checkbox'
nodeToggle.checked = true
nodeToggle.addEventListener('change', () => api.setColumnsVisible(['node'], nodeToggle.checked))
root.before(search, nodeToggle)

function type(text: string) {
  search.value = text
  search.dispatchEvent(new Event('input'))
}

/** Sorted by position: AG Grid keeps elements in the order of their creation. */
const sortedElements = (selector: string, place: string) =>
  [...document.querySelectorAll(selector)].toSorted(
    (a, b) => Number(a.getAttribute(place)) - Number(b.getAttribute(place)),
  )
const table = () =>
  [
    api.paginationGetRowCount(),
    ...sortedElements('.ag-header-cell', 'aria-colindex').map((cell) => cell.textContent),
    ...sortedElements('.ag-row', 'row-index')
      .slice(0, 10)
      .map((row) => row.querySelector('[col-id=fqdn]')?.textContent),
  ].join()
let untouched = ''

const driver: Driver = {
  async prepare() {
    await waitUntil(() => document.querySelector('.ag-row') !== null)
    untouched ||= table()
  },
  act(step) {
    if (step === 'filter') void filterBy('alpenhof')
    if (step === 'search all') type('shopware')
    if (step === 'sort') sortBy('asc')
    if (step === 'page') api.paginationGoToNextPage()
    if (step === 'toggle a column') nodeToggle.click()
  },
  shown: table,
  async restore(step) {
    if (step === 'filter') await filterBy('')
    if (step === 'search all') type('')
    if (step === 'sort') sortBy(null)
    if (step === 'page') api.paginationGoToPreviousPage()
    if (step === 'toggle a column') nodeToggle.click()
    await waitUntil(() => table() === untouched)
  },
}
exposeMeasure(driver)
