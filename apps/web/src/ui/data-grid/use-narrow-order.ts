import type { GridColumns } from '@kustos/contract/grid'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'

/**
 * On phones and tablets, where two to four columns are seen at a time, those that matter most stand first; elsewhere the
 * contract's order holds.
 * @param first keys of columns; the same object each time
 */
export function useNarrowOrder<Row>(
  grid: GridColumns<Row>,
  first: readonly string[] | undefined,
): GridColumns<Row> {
  const isNarrow = useMediaQuery('(max-width: 64em)', false, { getInitialValueInEffect: false })
  return useMemo(() => {
    if (!isNarrow || first === undefined) return grid
    const placeOf = (key: string) => (first.includes(key) ? first.indexOf(key) : first.length)
    return { ...grid, columns: grid.columns.toSorted((a, b) => placeOf(a.key) - placeOf(b.key)) }
  }, [grid, first, isNarrow])
}
