import { useCallback, useMemo, useState } from 'react'

type Id = string | number

/**
 * The rows that are selected for a bulk action.
 * @param matching the rows that match the filters; actions run on these only
 */
export function useSelectedRows<Row>(
  rows: readonly Row[],
  matching: readonly Row[],
  getRowId: (row: Row) => Id,
) {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<Id>>(new Set())

  const setSelected = useCallback(
    (which: readonly Row[], isSelected: boolean) => {
      setSelectedIds((old) => {
        const next = new Set(old)
        for (const row of which) {
          if (isSelected) next.add(getRowId(row))
          else next.delete(getRowId(row))
        }
        return next
      })
    },
    [getRowId],
  )
  const clear = useCallback(() => setSelectedIds(new Set<Id>()), [])
  const { selectedRows, hiddenCount } = useMemo(() => {
    if (selectedIds.size === 0) return { selectedRows: [], hiddenCount: 0 }
    const isSelected = (row: Row) => selectedIds.has(getRowId(row))
    const shown = matching.filter(isSelected)
    return { selectedRows: shown, hiddenCount: rows.filter(isSelected).length - shown.length }
  }, [rows, matching, selectedIds, getRowId])
  return { selectedIds, selectedRows, hiddenCount, setSelected, clear }
}
