import type { GridDefinition } from '@kustos/contract/grid'
import type { View } from '@kustos/contract/views'
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { ListViews } from './use-list-views.ts'
import { hasOwnState, ownParams, readSavedView, type SavedView, savedUrl, viewIdOf } from './view-url.ts'

export interface OpenedView {
  /** The version of the view that the user sees, even after somebody else has changed or deleted it. */
  readonly saved: SavedView | undefined
  /** The newest version; undefined if it is deleted or no longer shared. */
  readonly latest: View | undefined
  /** Whether the URL names a view that the user cannot open, or no longer. */
  readonly isMissing: boolean
  /** Whether the URL names the view without its parameters of the list, because the user has cleared them. */
  readonly hasClearedParams: boolean
  readonly hasDefault: boolean
  /** Rows wait until it is known what to show. */
  readonly isWaiting: boolean
  /** Takes another version as the one that the user sees. */
  readonly adopt: (view: View) => void
}

/** The view in the URL. A list without a query string opens with its default view. */
export function useOpenedView<Row>(listViews: ListViews, grid: GridDefinition<Row>): OpenedView {
  const { list, views, isSettled, isLoaded, defaultView } = listViews
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const id = list === undefined ? undefined : viewIdOf(search)
  const latest = views.find((view) => view.id === id)
  const [opened, setOpened] = useState(latest)
  if (opened?.id !== id && opened !== latest) setOpened(latest)
  const view = opened?.id === id ? opened : latest
  const saved = useMemo(() => view && readSavedView(view, grid), [view, grid])

  const opensDefault = list !== undefined && search === '' && defaultView !== undefined
  // A short link names only the view, and the list reads its own parameters from the URL. A URL whose filters were cleared, maybe
  // before the view has come, looks the same later.
  const isShort =
    list !== undefined &&
    !hasOwnState(search) &&
    ownParams({ list }, new URLSearchParams(search)).length === 0
  const [entry, setEntry] = useState({ id, isShort })
  if (entry.id !== id) setEntry({ id, isShort })
  const isEntering = saved !== undefined && entry.id === id && entry.isShort
  const lacksParams = saved !== undefined && saved.params.length > 0 && isShort
  const target = opensDefault
    ? savedUrl(readSavedView(defaultView, grid))
    : isEntering && lacksParams
      ? savedUrl(saved)
      : null
  useEffect(() => {
    if (target !== null) void navigate({ search: target, hash }, { replace: true })
  }, [target, hash, navigate])
  useEffect(() => {
    if (isEntering) setEntry({ id, isShort: false })
  }, [id, isEntering])

  return {
    saved,
    latest,
    isMissing: id !== undefined && isLoaded && latest === undefined,
    hasClearedParams: lacksParams && !isEntering,
    hasDefault: defaultView !== undefined,
    isWaiting: target !== null || (!isSettled && (id !== undefined || search === '')),
    adopt: setOpened,
  }
}
