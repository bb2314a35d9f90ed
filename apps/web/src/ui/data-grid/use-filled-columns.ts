import type { Cell, Column } from '@kustos/contract/grid'
import { useEffect, useMemo, useState } from 'react'
import { isStringArray, recall, remember } from '../../platform/storage.ts'

const isEmpty = (value: Cell) =>
  value === null || value === '' || (typeof value === 'object' && value.length === 0)

/** @returns the keys of the columns in which no row has a value; columns without values of their own are none of them */
export const findEmptyColumns = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly string[] =>
  columns
    .filter(({ displayOnly, value }) => !displayOnly && rows.every((row) => isEmpty(value(row))))
    .map(({ key }) => key)

/**
 * The columns without those that are empty in every row. Until the rows are there, the last known ones are left out, so that no
 * column disappears when they arrive.
 * @param storageKey undefined for grids that keep empty columns
 * @param kept columns with filters, which have to stay within reach
 */
export function useFilledColumns<C extends Column<Row>, Row>(
  storageKey: string | undefined,
  columns: readonly C[],
  rows: readonly Row[],
  kept: ReadonlySet<string>,
): readonly C[] {
  const [last] = useState(() => (storageKey === undefined ? undefined : recall(storageKey)))
  const found = useMemo(
    () => (storageKey === undefined || rows.length === 0 ? undefined : findEmptyColumns(columns, rows)),
    [storageKey, columns, rows],
  )
  useEffect(() => {
    if (storageKey !== undefined && found !== undefined) remember(storageKey, found)
  }, [storageKey, found])
  const empty = found ?? last
  return useMemo(
    () =>
      storageKey !== undefined && isStringArray(empty)
        ? columns.filter(({ key }) => kept.has(key) || !empty.includes(key))
        : columns,
    [storageKey, columns, empty, kept],
  )
}
