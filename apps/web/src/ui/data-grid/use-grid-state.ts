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
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import { type SearchParamChanges, updateSearchParams } from '../../platform/search-params.ts'
import { mergeGridState } from './merge-grid-state.ts'

/** The input that is typed into; its keystrokes are one entry of the browser's history. */
export type Typing = string | null

/** Changes the address of a screen, including the grid's part. */
export type ChangeAddress = (changes: SearchParamChanges) => void

export type ChangeGrid = (patch: Partial<GridState>, typing?: Typing) => void

interface Held {
  readonly state: GridState
  readonly typing: Typing
  /** Whether it has yet to be written into the address. */
  readonly ours: boolean
}

const read = <Row>(search: string, grid: GridDefinition<Row>) =>
  gridStateFromQuery([...new URLSearchParams(search)], grid)

const isOurs = (key: string) =>
  ['q', 'regex', 'sort', 'page', 'size', 'sets'].includes(key) || key.startsWith('f.') || key.startsWith('j.')

/** The query string with a state; parameters of others are kept. */
function write(search: string, state: GridState): string {
  const others = [...new URLSearchParams(search)].filter(([key]) => !isOurs(key))
  const query = new URLSearchParams([...others, ...gridStateToQuery(state)])
  return query.size === 0 ? '' : `?${query}`
}

/** Delays until the address is updated: rows are rendered first, and browsers limit how often it may change. */
const updateDelayMs = 100
const typingDelayMs = 250

/** Rows that take longer to render do not block typing. */
const slowRenderMs = 32

/** Every change but one of page or columns goes to page 1. */
const applied = (state: GridState, patch: Partial<GridState>): GridState => ({
  ...state,
  page: patch.sets === undefined ? 1 : state.page,
  ...patch,
})

/**
 * The state of the grid. It is written into the address, one history entry for each step, and read from there after Back,
 * Forward and links.
 * @returns `state` for the inputs, and `shown` for the rows, which lags behind if rendering is slow
 */
export function useGridState<Row>(grid: GridDefinition<Row>) {
  const writer = useId()
  const location = useLocation()
  const arrivedBy = useNavigationType()
  const navigate = useNavigate()
  const [held, hold] = useState<Held>(() => ({
    state: read(location.search, grid),
    typing: null,
    ours: false,
  }))

  const [shown, show] = useState(held.state)

  const [known, setKnown] = useState({ key: location.key, search: location.search })
  if (known.key !== location.key) {
    setKnown({ key: location.key, search: location.search })
    const wroteIt = arrivedBy !== 'POP' && location.state?.grid === writer
    if (!wroteIt) {
      const theirs = read(location.search, grid)
      // Another control of the screen changed the address before this state was written.
      const isPending = arrivedBy !== 'POP' && held.ours
      const state = isPending ? mergeGridState(read(known.search, grid), held.state, theirs) : theirs
      hold({ state, typing: null, ours: isPending })
      show(state)
    }
  }

  const typedLast = useRef<Typing>(null)
  const follow = useEffectEvent(({ state, typing }: Held) => {
    // The rendered location may be older than what another control has just written.
    const { search: written, hash } = window.location
    const search = write(written, state)
    const replace = typing !== null && typing === typedLast.current
    typedLast.current = typing
    if (search === written) return
    void navigate(
      { search, hash },
      // Synchronously, so that a quick Back is not missed here.
      { replace, state: { grid: writer }, preventScrollReset: true, flushSync: true },
    )
  })
  useEffect(() => {
    if (!held.ours) {
      typedLast.current = null
      return
    }
    const timer = setTimeout(() => follow(held), held.typing === null ? updateDelayMs : typingDelayMs)
    return () => clearTimeout(timer)
  }, [held])

  const asked = useRef(0)
  const took = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures the render of what is shown.
  useLayoutEffect(() => {
    took.current = performance.now() - asked.current
  }, [shown])

  const change: ChangeGrid = useCallback((patch, typing = null) => {
    const isSlow = took.current > slowRenderMs
    asked.current = performance.now()
    hold(({ state }) => ({ state: applied(state, patch), typing, ours: true }))
    const bringRows = () => show((state) => applied(state, patch))
    if (typing !== null && isSlow) startTransition(bringRows)
    else bringRows()
  }, [])

  const latest = useRef({ location, navigate, state: held.state })
  useLayoutEffect(() => {
    latest.current = { location, navigate, state: held.state }
  })
  const changeAddress: ChangeAddress = useCallback((changes) => {
    const { location: at, navigate: go, state } = latest.current
    // Includes the state that has yet to be written, which would be lost otherwise.
    const address = updateSearchParams(new URLSearchParams(write(at.search, state)), {
      ...changes,
      page: null,
    })
    void go({ search: address.toString(), hash: at.hash }, { preventScrollReset: true, flushSync: true })
  }, [])

  return { state: held.state, shown, change, changeAddress }
}
