import {
  type GridDefinition,
  type GridState,
  gridStateFromQuery,
  gridStateToQuery,
} from '@kustos/contract/grid'
import { type ListWithViews, listsWithViews, type View } from '@kustos/contract/views'

/** A view as its list reads it. */
export interface SavedView {
  readonly view: View
  readonly state: GridState
  /** The list's own query parameters in the view, such as `deleted=1`. */
  readonly params: [string, string][]
}

const sections = ['q', 'regex', 'sort', 'size', 'sets', 'changed']

/** Parameters of the grid apart from the page, which views do not keep. */
const isStateParam = (key: string) => sections.includes(key) || key.startsWith('f.') || key.startsWith('j.')
const isGridParam = (key: string) => key === 'page' || isStateParam(key)

export const firstPage = (state: GridState): GridState => ({ ...state, page: 1 })

const withoutGrid = (query: URLSearchParams) => [...query].filter(([key]) => !isGridParam(key))

/** Parameters of the list itself, in one order. */
export function ownParams({ list }: Pick<View, 'list'>, query: URLSearchParams): [string, string][] {
  const { params = [] }: ListWithViews = listsWithViews[list]
  // Which view and which entry are open is no filter.
  const isOwn = (key: string) => params?.includes(key) ?? !/^(view|entry)$/.test(key)
  return withoutGrid(query)
    .filter(([key, value]) => value && isOwn(key))
    .sort()
}

export function readSavedView<Row>(view: View, grid: GridDefinition<Row>): SavedView {
  const query = new URLSearchParams(view.query)
  return { view, state: firstPage(gridStateFromQuery([...query], grid)), params: ownParams(view, query) }
}

/** The id in `?view=`; undefined without one, as in `?view=none`. */
export function viewIdOf(search: string): number | undefined {
  const id = Number(new URLSearchParams(search).get('view'))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Whether the URL has a state of its own beside the view's. */
export const hasOwnState = (search: string): boolean =>
  [...new URLSearchParams(search).keys()].some(isStateParam)

/** The state that a URL shows. A URL that names only the view, and maybe a page, shows what the view saved. */
export function readUrl<Row>(search: string, grid: GridDefinition<Row>, saved?: SavedView): GridState {
  const state = gridStateFromQuery([...new URLSearchParams(search)], grid)
  return saved === undefined || hasOwnState(search) ? state : { ...saved.state, page: state.page }
}

/** Filters in the order of the columns, as a URL has them after it was read. */
function normalized(state: GridState) {
  const filters = state.filters.toSorted((a, b) => (a.column < b.column ? -1 : 1))
  return JSON.stringify(gridStateToQuery({ ...firstPage(state), filters }))
}

/** Whether a view shows just this, apart from the page. @param query of the URL */
export const isAsSaved = (state: GridState, query: URLSearchParams, { view, ...saved }: SavedView): boolean =>
  normalized(state) === normalized(saved.state) &&
  JSON.stringify(ownParams(view, query)) === JSON.stringify(saved.params)

/**
 * The query string of a state; parameters that are not the grid's are kept. While the state is as the open view saved it, the URL
 * only names the view, so that it stays short and follows the view. A changed one is written whole.
 * @param hasDefault whether the list opens with a view unless its URL asks for none
 */
export function writeUrl(
  search: string,
  state: GridState,
  saved: SavedView | undefined,
  hasDefault: boolean,
): string {
  const before = new URLSearchParams(search)
  const others = withoutGrid(before)
  const own = gridStateToQuery(state)
  const query = new URLSearchParams(others)
  const isView = viewIdOf(search) !== undefined
  if (isView && saved !== undefined && isAsSaved(state, before, saved)) {
    if (state.page !== 1) query.append('page', String(state.page))
  } else {
    // Without it, a view without its filters would look like the view.
    if (isView && own.every(([key]) => key === 'page')) query.append('changed', '1')
    for (const [key, value] of own) query.append(key, value)
    if (query.size === 0 && hasDefault) query.append('view', 'none')
  }
  return query.size === 0 ? '' : `?${query}`
}

/** The query string of a view as saved. */
export const savedUrl = ({ view, params }: Pick<SavedView, 'view' | 'params'>): string =>
  `?${new URLSearchParams([['view', String(view.id)], ...params])}`

/** Where a view is shown as saved, also if it is open already and its list shows something else. */
export const viewUrl = (view: View): string =>
  `${listsWithViews[view.list].path}${savedUrl({ view, params: ownParams(view, new URLSearchParams(view.query)) })}`

/** The query string with the list's own parameters of another version of the open view; everything else is kept. */
export function replaceOwnParams(search: string, before: SavedView, next: SavedView): string {
  const query = new URLSearchParams(search)
  for (const [key] of before.params) query.delete(key)
  for (const [key, value] of next.params) query.append(key, value)
  return `?${query}`
}
