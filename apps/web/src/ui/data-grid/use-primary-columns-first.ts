import type { ColumnFilter, GridDefinition } from '@kustos/contract/grid'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'

/** Moves the most important columns to the front on phones and tablets, and those that are filtered behind the naming one. */
export function usePrimaryColumnsFirst<Row>(grid: GridDefinition<Row>, filters: readonly ColumnFilter[]) {
  const isNarrow = useMediaQuery('(max-width: 64em)', false, { getInitialValueInEffect: false })
  const filtered = filters.map(({ column }) => column).join()
  const orderedGrid = useMemo(() => {
    const { primaryColumns } = grid
    if (!isNarrow || primaryColumns === undefined) return grid
    const [naming, ...others] = primaryColumns
    const first = [naming, ...filtered.split(','), ...others]
    const rank = (key: string) => {
      const index = first.indexOf(key)
      return index === -1 ? first.length : index
    }
    return { ...grid, columns: grid.columns.toSorted((a, b) => rank(a.key) - rank(b.key)) }
  }, [grid, isNarrow, filtered])
  return { isNarrow, orderedGrid }
}
