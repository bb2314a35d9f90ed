import '@mantine/core/styles.css'
import { viewsRoutes } from '@kustos/contract/views'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { cssVariables, theme } from '../../../apps/web/src/app/theme.ts'
import { loadTexts, startMessages } from '../../../apps/web/src/platform/i18n.ts'
import { keyOf, queryClient } from '../../../apps/web/src/platform/query.ts'
import { DataGrid } from '../../../apps/web/src/ui/data-grid/DataGrid.tsx'
import { columns, makeRows } from '../rows.ts'
import { type Driver, exposeMeasure, frame, waitUntil } from '../steps.ts'

startMessages()
await loadTexts('console', 'en')
const rows = makeRows(10_000)
// There is no server.
queryClient.setQueryDefaults(keyOf(viewsRoutes.listViews), { staleTime: Number.POSITIVE_INFINITY })
queryClient.setQueryData(keyOf(viewsRoutes.listViews, {}), [])

function Page() {
  return (
    <div style={{ display: 'flex', height: 880, padding: 16 }}>
      <DataGrid
        id="webs"
        title="Webs"
        grid={columns}
        rows={rows}
        getRowId={(web) => web.id}
        rowActions={() => []}
      />
    </div>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element with the id root')
const router = createBrowserRouter([{ path: '*', element: <Page /> }])
createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <RouterProvider router={router} />
  </MantineProvider>,
)

function find<E extends HTMLElement>(selector: string, of: new () => E): E {
  const element = document.querySelector(selector)
  if (!(element instanceof of)) throw new Error(`The page has no ${selector}`)
  return element
}

const button = (selector: string) => find(selector, HTMLButtonElement)

/** Sets a value so that React notices: through the native setter and an input event. */
function type(selector: string, text: string) {
  const field = find(selector, HTMLInputElement)
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const search = 'input[type=search]'
const condition = '[role=dialog] input'
const previous = 'button[aria-label="Previous page"]'
const next = 'button[aria-label="Next page"]'
const columnsButton = () =>
  [...document.querySelectorAll<HTMLElement>('button[aria-haspopup=menu]')].find(
    ({ textContent }) => textContent === 'Columns',
  )
const nodeToggle = () =>
  [...document.querySelectorAll<HTMLElement>('[role=menuitemcheckbox]')].find(
    (item) => item.textContent === 'Node',
  )

const table = () =>
  [
    document.querySelector('[aria-live]')?.textContent,
    ...[...document.querySelectorAll('[role=columnheader]')].map((cell) => cell.textContent),
    ...[...document.querySelectorAll('[data-row]')]
      .slice(0, 10)
      .map((row) => row.querySelectorAll('[data-stop]')[1]?.textContent),
  ].join()
let untouched = ''

const driver: Driver = {
  async prepare(step) {
    await waitUntil(() => document.querySelector('[role=row][data-row]') !== null)
    untouched ||= table()
    if (step === 'filter' && document.querySelector(condition) === null) {
      button('button[aria-label="Filter FQDN"]').click()
      await waitUntil(() => document.querySelector(condition) !== null)
    }
    if (step === 'toggle a column' && nodeToggle() === undefined) {
      columnsButton()?.click()
      await waitUntil(() => nodeToggle() !== undefined)
    }
  },
  act(step) {
    if (step === 'filter') type(condition, 'alpenhof')
    if (step === 'search all') type(search, 'shopware')
    if (step === 'sort') button('[role=columnheader]:nth-child(2) button').click()
    if (step === 'page') button(next).click()
    if (step === 'toggle a column') nodeToggle()?.click()
  },
  shown: table,
  async restore(step) {
    if (step === 'filter') type(condition, '')
    if (step === 'search all') type(search, '')
    if (step === 'sort') {
      for (let click = 0; click < 2; click++) {
        button('[role=columnheader]:nth-child(2) button').click()
        await frame()
      }
    }
    if (step === 'page') {
      await waitUntil(() => !button(previous).disabled)
      button(previous).click()
    }
    if (step === 'toggle a column') nodeToggle()?.click()
    await waitUntil(() => table() === untouched)
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    await waitUntil(() => document.querySelector(`${condition}, [role=menu]`) === null)
  },
}
exposeMeasure(driver)
