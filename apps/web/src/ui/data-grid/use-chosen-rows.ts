import { useCallback, useMemo, useState } from 'react'

type Id = string | number

/** The rows chosen for a bulk action; one that has left the list is chosen no more. */
export function useChosenRows<Row>(rows: readonly Row[], getRowId: (row: Row) => Id) {
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
  const chosenRows = useMemo(
    () => (chosen.size === 0 ? [] : rows.filter((row) => chosen.has(getRowId(row)))),
    [rows, chosen, getRowId],
  )
  return { chosen, chosenRows, choose, clear }
}
