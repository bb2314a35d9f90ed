import type { GridDefinition, GridState } from '@kustos/contract/grid'
import { type ListName, listsWithViews, type View, viewsRoutes } from '@kustos/contract/views'
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { keyOf, queryClient, write } from '../../../platform/query.ts'
import { notifyDone, notifyOutcome } from '../../notify.tsx'
import type { ListViews } from './use-list-views.ts'
import type { OpenedView } from './use-opened-view.ts'
import { findMissing, type MissingParts, viewQuery } from './view-contents.ts'
import { isAsSaved, ownParams, readSavedView, replaceOwnParams, viewUrl } from './view-url.ts'

const { listViews, editView } = viewsRoutes

const contentOf = ({ query, column_order, column_widths }: View) =>
  JSON.stringify([query, column_order, column_widths])

/** What a view of the list as it is now would save. */
export interface ShownState extends Pick<View, 'query' | 'column_order' | 'column_widths'> {
  readonly list: ListName
}

export interface ViewControl {
  readonly list: ListName
  readonly views: ListViews
  /** As the user sees it. */
  readonly view: View | undefined
  readonly latest: View | undefined
  readonly shown: ShownState
  /** Whether the list differs from the view as the user has seen it saved. */
  readonly isChanged: boolean
  /** Whether somebody else has saved the view since, while it is changed here. */
  readonly isOutdated: boolean
  readonly isMissing: boolean
  readonly missingParts: MissingParts | null
  /** Where the list without a view is. */
  readonly plainUrl: string
  readonly save: () => Promise<void>
  /** Shows the newest version of the view as saved. */
  readonly reset: () => void
  /** Keeps the changes, as changes of the newest version. */
  readonly keepChanges: () => void
  /** Opens another view, and forgets changes of the columns here, which it has saved. */
  readonly openSaved: (view: View) => void
}

export interface ViewControlOptions<Row> {
  readonly listViews: ListViews
  readonly opened: OpenedView
  readonly grid: GridDefinition<Row>
  readonly state: GridState
  readonly sets: readonly string[]
  readonly layout: {
    readonly saved: Pick<View, 'column_order' | 'column_widths'>
    readonly isChanged: boolean
    readonly restore: () => void
  }
  readonly isNarrow: boolean
  /** Of the list's own parameters, with changes that have yet to be rendered. */
  readonly search: string
  readonly rewriteUrl: () => void
}

/** @returns undefined for lists without views */
export function useViewControl<Row>(options: ViewControlOptions<Row>): ViewControl | undefined {
  const { listViews: views, opened, grid, state, sets, layout, isNarrow, search, rewriteUrl } = options
  const { saved, latest, isMissing, adopt } = opened
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isSaving, setIsSaving] = useState(false)
  const { list } = views
  const view = saved?.view
  const hasOtherState = saved !== undefined && !isAsSaved(state, new URLSearchParams(search), saved)
  const isChanged = hasOtherState || (saved !== undefined && layout.isChanged && !isNarrow)
  const newer =
    view !== undefined && latest !== undefined && latest.updated_at !== view.updated_at && !isSaving
      ? latest
      : undefined
  const isOnlyRenamed = view !== undefined && newer !== undefined && contentOf(view) === contentOf(newer)
  const { restore } = layout

  // Unchanged here, the list follows the view.
  const follow = useEffectEvent((next: View) => {
    adopt(next)
    if (saved) {
      const { search: before, hash } = window.location
      const newest = replaceOwnParams(before, saved, readSavedView(next, grid))
      if (newest !== before)
        void navigate({ search: newest, hash }, { replace: true, preventScrollReset: true })
    }
    notifyDone(next.name, t('views.done.followed'))
  })
  const follows = !isChanged && !isOnlyRenamed ? newer : undefined
  useEffect(() => {
    if (follows) follow(follows)
  }, [follows])
  // A new name or audience changes nothing in the list, even if a colleague has set it.
  const renamed = isOnlyRenamed ? newer : undefined
  useEffect(() => {
    if (renamed) adopt(renamed)
  }, [renamed, adopt])
  // Nothing is lost if a view is deleted while it is open: the URL has the whole state from then on. And if it named the view only,
  // a list whose filters were cleared would have them again after a reload.
  const hasLost = isMissing && saved !== undefined
  const needsState = hasLost || opened.hasClearedParams
  useEffect(() => {
    if (needsState) rewriteUrl()
  }, [needsState, rewriteUrl])

  const { column_order, column_widths } = layout.saved
  const shown = useMemo(() => {
    if (list === undefined) return undefined
    const params = ownParams({ list }, new URLSearchParams(search))
    return { list, query: viewQuery(grid, state, sets, params), column_order, column_widths }
  }, [list, search, grid, state, sets, column_order, column_widths])

  const save = useCallback(async () => {
    if (view === undefined || shown === undefined) return
    const { list: _, ...change } = shown
    const { id, name, audience, role, updated_at } = view
    const body = { ...change, name, audience, role_id: role?.id ?? null, updated_at }
    setIsSaving(true)
    try {
      const isSaved = await notifyOutcome(name, t('views.done.saved'), () =>
        write(editView, { params: { id }, body }, [listViews]),
      )
      if (!isSaved) return
      const fresh = queryClient.getQueryData<readonly View[]>(keyOf(listViews, {}))
      const next = fresh?.find((one) => one.id === id)
      if (next) adopt(next)
      restore()
      rewriteUrl()
    } finally {
      setIsSaving(false)
    }
  }, [view, shown, t, adopt, restore, rewriteUrl])

  const reset = useCallback(() => {
    if (saved === undefined) return
    if (latest) adopt(latest)
    restore()
    void navigate(viewUrl(latest ?? saved.view), { flushSync: true })
  }, [saved, latest, adopt, restore, navigate])

  const keepChanges = useCallback(() => {
    if (latest) adopt(latest)
  }, [latest, adopt])

  const openSaved = useCallback(
    (next: View) => {
      restore()
      void navigate(`${listsWithViews[next.list].path}?view=${next.id}`)
    },
    [restore, navigate],
  )

  const missingParts = useMemo(() => (view ? findMissing(view, grid) : null), [view, grid])
  return useMemo(() => {
    if (list === undefined || shown === undefined) return undefined
    const { path } = listsWithViews[list]
    const isOutdated = newer !== undefined && isChanged && !isOnlyRenamed
    const plainUrl = views.defaultView === undefined ? path : `${path}?view=none`
    const facts = { isChanged, isOutdated, isMissing, missingParts, plainUrl }
    return { list, views, view, latest, shown, ...facts, save, reset, keepChanges, openSaved }
  }, [
    list,
    shown,
    views,
    view,
    latest,
    isChanged,
    newer,
    isOnlyRenamed,
    isMissing,
    missingParts,
    save,
    reset,
    keepChanges,
    openSaved,
  ])
}
