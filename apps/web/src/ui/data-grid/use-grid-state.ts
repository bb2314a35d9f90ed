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
import { mergeGridState } from './merge-grid-state.ts'

/** Names what is being typed into: its keystrokes are one step of the browser's history. */
export type Typing = string | null

/** Writes what a screen keeps in the address beside its grid, or a filter that it has a control of its own for. */
export type ChangeAddress = (edit: (address: URLSearchParams) => void) => void

export type ChangeGrid = (patch: Partial<GridState>, typing?: Typing) => void

interface Held {
  readonly state: GridState
  readonly typing: Typing
  /** Whether the address still has to learn of it. */
  readonly ours: boolean
}

const read = <Row>(search: string, grid: GridDefinition<Row>) =>
  gridStateFromQuery([...new URLSearchParams(search)], grid)

const isOurs = (key: string) =>
  ['q', 'regex', 'sort', 'page', 'size', 'sets'].includes(key) || key.startsWith('f.') || key.startsWith('j.')

/** The address of a state; what the address says beside the grid stays. */
function write(search: string, state: GridState): string {
  const others = [...new URLSearchParams(search)].filter(([key]) => !isOurs(key))
  const query = new URLSearchParams(
    [...others, ...gridStateToQuery(state)].map(([key, value]) => [key, value]),
  )
  return query.size === 0 ? '' : `?${query}`
}

/**
 * When the address follows, in milliseconds: rows are drawn first, and keystrokes wait for a pause, since browsers limit
 * how often an address may change.
 */
const soon = 100
const pause = 250

/** Rows that take longer than this, in milliseconds, come after the keystroke that asks for them. */
const smooth = 32

/** Everything but a change of page or columns starts over at page 1. */
const applied = (state: GridState, patch: Partial<GridState>): GridState => ({
  ...state,
  page: patch.sets === undefined ? 1 : state.page,
  ...patch,
})

/**
 * What the grid is asked to show. It is held here and follows into the address, where one step is one entry of the
 * history; Back, Forward and links bring it back from there.
 * @returns `state` as the fields show it, and `shown` for the rows, which lag behind where they would hold up typing
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
      // Another control of the screen wrote the address before it had learned of what was asked here.
      const isPending = arrivedBy !== 'POP' && held.ours
      const state = isPending ? mergeGridState(read(known.search, grid), held.state, theirs) : theirs
      hold({ state, typing: null, ours: isPending })
      show(state)
    }
  }

  const typedLast = useRef<Typing>(null)
  const follow = useEffectEvent(({ state, typing }: Held) => {
    // The rendered location may lag behind what another control of the screen has just written.
    const { search: written, hash } = window.location
    const search = write(written, state)
    const replace = typing !== null && typing === typedLast.current
    typedLast.current = typing
    if (search === written) return
    void navigate(
      { search, hash },
      // At once: drawn later, a step that Back has already undone would never be seen here, and what is held stay.
      { replace, state: { grid: writer }, preventScrollReset: true, flushSync: true },
    )
  })
  useEffect(() => {
    if (!held.ours) {
      typedLast.current = null
      return
    }
    const timer = setTimeout(() => follow(held), held.typing === null ? soon : pause)
    return () => clearTimeout(timer)
  }, [held])

  const asked = useRef(0)
  const took = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is there now.
  useLayoutEffect(() => {
    took.current = performance.now() - asked.current
  }, [shown])

  const change: ChangeGrid = useCallback((patch, typing = null) => {
    const isSlow = took.current > smooth
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
  const changeAddress: ChangeAddress = useCallback((edit) => {
    const { location: at, navigate: go, state } = latest.current
    // Together with what the address has yet to learn of: written past it, that would be read back as never asked for.
    const address = new URLSearchParams(write(at.search, state))
    edit(address)
    address.delete('page')
    void go({ search: address.toString(), hash: at.hash }, { preventScrollReset: true, flushSync: true })
  }, [])

  return { state: held.state, shown, change, changeAddress }
}
