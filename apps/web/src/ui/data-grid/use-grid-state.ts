import type { GridDefinition, GridState } from '@kustos/contract/grid'
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
import type { OpenedView } from './views/use-opened-view.ts'
import { readUrl, writeUrl } from './views/view-url.ts'

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
  /** Whether the same state is written in another way, which is no step of its own. */
  readonly isSameStep?: boolean
}

/** Delays until the URL is updated: rows are rendered first, and browsers limit how often it may change. */
const updateDelayMs = 100
const typingDelayMs = 250

/** Rows that take longer to render do not block typing. */
const slowRenderMs = 32

const withoutEntry = (search: string) =>
  updateSearchParams(new URLSearchParams(search), { entry: null }).toString()

/** Whether only another entry is open, beside the list, in which nothing changes. */
const differInEntryOnly = (one: string, other: string) =>
  one !== other && withoutEntry(one) === withoutEntry(other)

/** Changes of anything but the page or the columns go to page 1. */
const patchState = (state: GridState, patch: Partial<GridState>): GridState => ({
  ...state,
  page: patch.sets === undefined ? 1 : state.page,
  ...patch,
})

/**
 * The state of the grid. It is written into the URL, one history entry for each step, and read from there after Back,
 * Forward and links.
 * @param opened the view that the URL is about
 * @returns `state` for the inputs, and `shown` for the rows, which lags behind if rendering is slow
 */
export function useGridState<Row>(grid: GridDefinition<Row>, opened: OpenedView) {
  const { saved, isMissing, hasDefault, isWaiting } = opened
  const writer = useId()
  const location = useLocation()
  const navigationType = useNavigationType()
  const navigate = useNavigate()
  const { location: destination } = useNavigation()
  const [current, setCurrent] = useState<CurrentState>(() => ({
    state: readUrl(location.search, grid, saved),
    typing: null,
    isPending: false,
  }))

  const [shown, setShown] = useState(current.state)

  const [seen, setSeen] = useState({ key: location.key, search: location.search, saved })
  const isNewVersion = seen.saved?.view !== saved?.view
  if (seen.key !== location.key || isNewVersion) {
    setSeen({ key: location.key, search: location.search, saved })
    const isOwnUpdate = navigationType !== 'POP' && location.state?.grid === writer && !isNewVersion
    const isSameList = !isNewVersion && differInEntryOnly(seen.search, location.search)
    if (!isOwnUpdate && !isSameList) {
      const theirs = readUrl(location.search, grid, saved)
      // Another control of the screen changed the URL, or the view came, before this state was written.
      const isPending = (navigationType !== 'POP' || seen.key === location.key) && current.isPending
      const state = isPending
        ? mergeGridState(readUrl(seen.search, grid, seen.saved), current.state, theirs)
        : theirs
      setCurrent({ state, typing: null, isPending })
      setShown(state)
    }
  }

  // Without a view to return to, the URL has the whole state.
  const write = useCallback(
    (search: string, state: GridState) => writeUrl(search, state, isMissing ? undefined : saved, hasDefault),
    [saved, isMissing, hasDefault],
  )

  const lastTyping = useRef<EditedInputId>(null)
  const updateUrl = useEffectEvent(({ state, typing, isSameStep = false }: CurrentState) => {
    // Writing would abort the navigation to a screen whose code is being loaded.
    if (destination !== undefined && destination.pathname !== location.pathname) return
    // The rendered location may be older than what another control has just written.
    const { search: before, hash } = window.location
    const search = write(before, state)
    const replace = isSameStep || (typing !== null && typing === lastTyping.current)
    lastTyping.current = typing
    if (search === before) return
    void navigate(
      { search, hash },
      // Synchronously, so that a quick Back is not missed here.
      { replace, state: { grid: writer }, preventScrollReset: true, flushSync: true },
    )
  })
  useEffect(() => {
    if (!current.isPending) lastTyping.current = null
    // What differs from the view is known once the view is.
    if (!current.isPending || isWaiting) return
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
  }, [current, isWaiting])

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

  const latest = useRef({ location, navigate, state: current.state, write })
  useLayoutEffect(() => {
    latest.current = { location, navigate, state: current.state, write }
  })
  const changeSearchParams: ChangeSearchParams = useCallback((changes) => {
    const { location: at, navigate: go, state, write: toUrl } = latest.current
    // Includes the state that has yet to be written, which would be lost otherwise.
    const params = updateSearchParams(new URLSearchParams(at.search), changes)
    const search = toUrl(params.toString(), { ...state, page: 1 })
    void go({ search, hash: at.hash }, { preventScrollReset: true, flushSync: true })
  }, [])

  /** Writes the URL again after what it is compared with has changed. */
  const rewriteUrl = useCallback(
    () => setCurrent((before) => ({ ...before, typing: null, isPending: true, isSameStep: true })),
    [],
  )

  return { state: current.state, shown, change, changeSearchParams, rewriteUrl }
}
