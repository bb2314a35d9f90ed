import { useCallback, useMemo, useState } from 'react'

type Id = string | number

/**
 * The rows that are selected for a bulk action.
 * @param passing the rows that match the filters; actions run on these only
 */
export function useChosenRows<Row>(
  rows: readonly Row[],
  passing: readonly Row[],
  getRowId: (row: Row) => Id,
) {
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(new Set())

  const choose = useCallback(
    (which: readonly Row[], isChosen: boolean) => {
      setChosen((old) => {
        const next = new Set(old)
        for (const row of which) {
          if (isChosen) next.add(getRowId(row))
          else next.delete(getRowId(row))
        }
        return next
      })
    },
    [getRowId],
  )
  const clear = useCallback(() => setChosen(new Set<Id>()), [])
  const { chosenRows, hiddenCount } = useMemo(() => {
    if (chosen.size === 0) return { chosenRows: [], hiddenCount: 0 }
    const isChosen = (row: Row) => chosen.has(getRowId(row))
    const shown = passing.filter(isChosen)
    return { chosenRows: shown, hiddenCount: rows.filter(isChosen).length - shown.length }
  }, [rows, passing, chosen, getRowId])
  return { chosen, chosenRows, hiddenCount, choose, clear }
}
