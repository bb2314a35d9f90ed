import {
  type GridDefinition,
  type GridState,
  gridStateFromQuery,
  gridStateToQuery,
} from '@kustos/contract/grid'
import {
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate, useNavigation, useNavigationType } from 'react-router-dom'
import { type SearchParamChanges, updateSearchParams } from '../../platform/search-params.ts'
import { mergeGridState } from './merge-grid-state.ts'

/** The input that the user types into. All its keystrokes are one entry of the browser's history. */
export type EditedInputId = string | null

/** Changes the URL of a screen, including the grid's part. */
export type ChangeSearchParams = (changes: SearchParamChanges) => void

export type ChangeGrid = (patch: Partial<GridState>, typing?: EditedInputId) => void

interface CurrentState {
  readonly state: GridState
  readonly typing: EditedInputId
  /** Whether it has yet to be written into the URL. */
  readonly isPending: boolean
}

const readState = <Row>(search: string, grid: GridDefinition<Row>) =>
  gridStateFromQuery([...new URLSearchParams(search)], grid)

const isGridParam = (key: string) =>
  ['q', 'regex', 'sort', 'page', 'size', 'sets'].includes(key) || key.startsWith('f.') || key.startsWith('j.')

/** The query string with a state; other parameters are kept. */
function writeState(search: string, state: GridState): string {
  const others = [...new URLSearchParams(search)].filter(([key]) => !isGridParam(key))
  const query = new URLSearchParams([...others, ...gridStateToQuery(state)])
  return query.size === 0 ? '' : `?${query}`
}

/** Delays until the URL is updated: rows are rendered first, and browsers limit how often it may change. */
const updateDelayMs = 100
const typingDelayMs = 250

/** Rows that take longer to render do not block typing. */
const slowRenderMs = 32

/** Changes of anything but the page or the columns go to page 1. */
const patchState = (state: GridState, patch: Partial<GridState>): GridState => ({
  ...state,
  page: patch.sets === undefined ? 1 : state.page,
  ...patch,
})

/**
 * The state of the grid. It is written into the URL, one history entry for each step, and read from there after Back,
 * Forward and links.
 * @returns `state` for the inputs, and `shown` for the rows, which lags behind if rendering is slow
 */
export function useGridState<Row>(grid: GridDefinition<Row>) {
  const writer = useId()
  const location = useLocation()
  const navigationType = useNavigationType()
  const navigate = useNavigate()
  const { location: destination } = useNavigation()
  const [current, setCurrent] = useState<CurrentState>(() => ({
    state: readState(location.search, grid),
    typing: null,
    isPending: false,
  }))

  const [shown, setShown] = useState(current.state)

  const [seen, setSeen] = useState({ key: location.key, search: location.search })
  if (seen.key !== location.key) {
    setSeen({ key: location.key, search: location.search })
    const isOwnUpdate = navigationType !== 'POP' && location.state?.grid === writer
    if (!isOwnUpdate) {
      const theirs = readState(location.search, grid)
      // Another control of the screen changed the URL before this state was written.
      const isPending = navigationType !== 'POP' && current.isPending
      const state = isPending ? mergeGridState(readState(seen.search, grid), current.state, theirs) : theirs
      setCurrent({ state, typing: null, isPending })
      setShown(state)
    }
  }

  const lastTyping = useRef<EditedInputId>(null)
  const updateUrl = useEffectEvent(({ state, typing }: CurrentState) => {
    // Writing would abort the navigation to a screen whose code is being loaded.
    if (destination !== undefined && destination.pathname !== location.pathname) return
    // The rendered location may be older than what another control has just written.
    const { search: before, hash } = window.location
    const search = writeState(before, state)
    const replace = typing !== null && typing === lastTyping.current
    lastTyping.current = typing
    if (search === before) return
    void navigate(
      { search, hash },
      // Synchronously, so that a quick Back is not missed here.
      { replace, state: { grid: writer }, preventScrollReset: true, flushSync: true },
    )
  })
  useEffect(() => {
    if (!current.isPending) {
      lastTyping.current = null
      return
    }
    const delayMs = current.typing === null ? updateDelayMs : typingDelayMs
    const timer = setTimeout(() => updateUrl(current), delayMs)
    // Back returns from the link's target to what was shown. Other controls must not be rendered while they are clicked.
    const writeBeforeLink = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('a[href]') !== null) updateUrl(current)
    }
    window.addEventListener('click', writeBeforeLink, { capture: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('click', writeBeforeLink, { capture: true })
    }
  }, [current])

  const changedAt = useRef(0)
  const lastRenderMs = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures the render of what is shown.
  useLayoutEffect(() => {
    lastRenderMs.current = performance.now() - changedAt.current
  }, [shown])

  const change: ChangeGrid = useCallback((patch, typing = null) => {
    const isSlow = lastRenderMs.current > slowRenderMs
    changedAt.current = performance.now()
    setCurrent(({ state }) => ({ state: patchState(state, patch), typing, isPending: true }))
    const showRows = () => setShown((state) => patchState(state, patch))
    if (typing !== null && isSlow) startTransition(showRows)
    else showRows()
  }, [])

  const latest = useRef({ location, navigate, state: current.state })
  useLayoutEffect(() => {
    latest.current = { location, navigate, state: current.state }
  })
  const changeSearchParams: ChangeSearchParams = useCallback((changes) => {
    const { location: at, navigate: go, state } = latest.current
    // Includes the state that has yet to be written, which would be lost otherwise.
    const params = new URLSearchParams(writeState(at.search, state))
    const search = updateSearchParams(params, { ...changes, page: null }).toString()
    void go({ search, hash: at.hash }, { preventScrollReset: true, flushSync: true })
  }, [])

  return { state: current.state, shown, change, changeSearchParams }
}
