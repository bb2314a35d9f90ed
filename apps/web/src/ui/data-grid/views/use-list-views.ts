import { type ListName, listNames, type View, viewsRoutes } from '@kustos/contract/views'
import { useMemo } from 'react'
import type { ApiError } from '../../../platform/api-error.ts'
import { useRoute } from '../../../platform/query.ts'

const none: readonly View[] = []

export interface ListViews {
  /** Undefined for lists without views, such as those within a page. */
  readonly list: ListName | undefined
  readonly views: readonly View[]
  /** Whether it is known which views there are, or that they cannot be loaded. */
  readonly isSettled: boolean
  readonly isLoaded: boolean
  readonly error: ApiError | null
  readonly defaultView: View | undefined
}

/** The user's views of a list. @param id of the grid */
export function useListViews(id: string): ListViews {
  const list = listNames.find((name) => name === id)
  const { data, error } = useRoute(viewsRoutes.listViews, {}, { enabled: list !== undefined })
  return useMemo(() => {
    const views = data?.filter((view) => view.list === list) ?? none
    return {
      list,
      views,
      isSettled: list === undefined || data !== undefined || error !== null,
      isLoaded: data !== undefined,
      error: data === undefined ? error : null,
      defaultView: views.find(({ is_default }) => is_default),
    }
  }, [list, data, error])
}
