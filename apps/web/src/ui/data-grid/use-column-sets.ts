import type { GridDefinition } from '@kustos/contract/grid'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { isStringArray, recall, remember } from '../../platform/storage.ts'
import type { ChangeGrid } from './use-grid-state.ts'

/**
 * The visible column sets: from the URL, else the last choice, else the contract's defaults. Sets from a URL are stored
 * only after a toggle.
 */
export function useColumnSets<Row>(
  grid: GridDefinition<Row>,
  setsInUrl: readonly string[] | null,
  change: ChangeGrid,
  storageKey: string | undefined,
) {
  const [storedSets, setStoredSets] = useState(() => (storageKey ? recall(storageKey) : undefined))
  const { key: entry } = useLocation()
  /** What entries of the history whose URL names no sets showed before a toggle, since Back returns to them. */
  const [setsBefore, setSetsBefore] = useState<ReadonlyMap<string, readonly string[]>>(new Map())
  const sets = useMemo(() => {
    const known = grid.sets.map((set) => set.key)
    if (setsInUrl) return setsInUrl
    const before = setsBefore.get(entry)
    if (before) return before
    if (isStringArray(storedSets)) return known.filter((key) => storedSets.includes(key))
    return grid.sets.filter((set) => set.isVisibleByDefault).map((set) => set.key)
  }, [grid, setsInUrl, setsBefore, entry, storedSets])

  const current = useRef({ sets, entry, isInUrl: setsInUrl !== null })
  useLayoutEffect(() => {
    current.current = { sets, entry, isInUrl: setsInUrl !== null }
  })

  const toggle = useCallback(
    (key: string) => {
      const { sets: visible, entry: left, isInUrl } = current.current
      const next = grid.sets
        .map((set) => set.key)
        .filter((known) => (known === key ? !visible.includes(key) : visible.includes(known)))
      if (storageKey) {
        if (!isInUrl) setSetsBefore((before) => new Map(before).set(left, visible))
        remember(storageKey, next)
        setStoredSets(next)
      }
      change({ sets: next })
    },
    [grid, storageKey, change],
  )

  return { sets, toggle }
}
