import type { GridDefinition } from '@kustos/contract/grid'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
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
  const sets = useMemo(() => {
    const known = grid.sets.map((set) => set.key)
    if (setsInUrl) return setsInUrl
    if (isStringArray(storedSets)) return known.filter((key) => storedSets.includes(key))
    return grid.sets.filter((set) => set.isVisibleByDefault).map((set) => set.key)
  }, [grid, setsInUrl, storedSets])

  const currentSets = useRef(sets)
  useLayoutEffect(() => {
    currentSets.current = sets
  }, [sets])

  const toggle = useCallback(
    (key: string) => {
      const visible = currentSets.current
      const next = grid.sets
        .map((set) => set.key)
        .filter((known) => (known === key ? !visible.includes(key) : visible.includes(known)))
      if (storageKey) {
        remember(storageKey, next)
        setStoredSets(next)
      }
      change({ sets: next })
    },
    [grid, storageKey, change],
  )

  return { sets, toggle }
}
