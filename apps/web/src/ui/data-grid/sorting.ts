import type { Sort } from '@kustos/contract/grid'

/**
 * The sort after a click on a header: ascending, descending, none.
 * @param add whether other columns keep their part in it (shift-click)
 */
export function nextSort(sort: readonly Sort[], column: string, add: boolean): readonly Sort[] {
  const now = sort.find((part) => part.column === column)
  const next: Sort[] = now?.descending ? [] : [{ column, descending: now !== undefined }]
  if (!add) return next
  if (!now) return [...sort, ...next]
  return sort.flatMap((part) => (part.column === column ? next : [part]))
}
