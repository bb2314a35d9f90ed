import type { GridDefinition } from '@kustos/contract/grid'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { isTexts, recall, remember } from '../../platform/storage.ts'
import type { ChangeGrid } from './use-grid-state.ts'

/**
 * The column sets that are on: the address decides, then what was chosen last, then the contract's defaults.
 * A view that came with a link is not remembered before something in it is toggled.
 */
export function useColumnSets<Row>(
  grid: GridDefinition<Row>,
  inAddress: readonly string[] | null,
  change: ChangeGrid,
  storageKey: string | undefined,
) {
  const [remembered, setRemembered] = useState(() => (storageKey ? recall(storageKey) : undefined))
  const sets = useMemo(() => {
    const known = grid.sets.map((set) => set.key)
    if (inAddress) return inAddress
    if (isTexts(remembered)) return known.filter((key) => remembered.includes(key))
    return grid.sets.filter((set) => set.shown).map((set) => set.key)
  }, [grid, inAddress, remembered])

  const latest = useRef(sets)
  useLayoutEffect(() => {
    latest.current = sets
  }, [sets])

  const toggle = useCallback(
    (key: string) => {
      const on = latest.current
      const next = grid.sets
        .map((set) => set.key)
        .filter((known) => (known === key ? !on.includes(key) : on.includes(known)))
      if (storageKey) {
        remember(storageKey, next)
        setRemembered(next)
      }
      change({ sets: next })
    },
    [grid, storageKey, change],
  )

  return { sets, toggle }
}
