import type { GridDefinition } from '@kustos/contract/grid'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'

/** Moves the most important columns to the front on phones and tablets. */
export function useNarrowOrder<Row>(grid: GridDefinition<Row>) {
  const isNarrow = useMediaQuery('(max-width: 64em)', false, { getInitialValueInEffect: false })
  const orderedGrid = useMemo(() => {
    const { first } = grid
    if (!isNarrow || first === undefined) return grid
    const placeOf = (key: string) => (first.includes(key) ? first.indexOf(key) : first.length)
    return { ...grid, columns: grid.columns.toSorted((a, b) => placeOf(a.key) - placeOf(b.key)) }
  }, [grid, isNarrow])
  return { isNarrow, orderedGrid }
}
