import type { GridDefinition } from '@kustos/contract/grid'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'

/** Moves the most important columns to the front on phones and tablets. */
export function usePrimaryColumnsFirst<Row>(grid: GridDefinition<Row>) {
  const isNarrow = useMediaQuery('(max-width: 64em)', false, { getInitialValueInEffect: false })
  const orderedGrid = useMemo(() => {
    const { primaryColumns } = grid
    if (!isNarrow || primaryColumns === undefined) return grid
    const rank = (key: string) => {
      const index = primaryColumns.indexOf(key)
      return index === -1 ? primaryColumns.length : index
    }
    return { ...grid, columns: grid.columns.toSorted((a, b) => rank(a.key) - rank(b.key)) }
  }, [grid, isNarrow])
  return { isNarrow, orderedGrid }
}
