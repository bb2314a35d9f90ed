import type { View } from '@kustos/contract/views'
import { useEffect, useState } from 'react'
import { loadTexts } from '../../platform/i18n.ts'
import { queryClient } from '../../platform/query.ts'
import { runWhenIdle } from '../../ui/data-grid/run-when-idle.ts'
import type { CountableList } from './countable-lists.ts'

/** The screen's own lists are loaded first. */
const firstDelayMs = 3000
/** Lists that no screen shows are loaded again at most this often. */
const refreshMs = 60_000

/**
 * How many rows match each view, by its id. They are counted in idle time, in the rows that the server gives this user: at once
 * while a screen shows the list, otherwise once a minute. Views that cannot be counted have none.
 */
export function useViewCounts(views: readonly View[], language: string): ReadonlyMap<number, number> {
  const [counts, setCounts] = useState<ReadonlyMap<number, number>>(new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels are searched, so another language counts again.
  useEffect(() => {
    if (views.length === 0) return setCounts(new Map())
    const lifetime = new AbortController()
    let stop = () => {}
    const timer = setTimeout(async () => {
      const [{ countableList }] = await Promise.all([import('./countable-lists.ts'), loadTexts('console')])
      if (!lifetime.signal.aborted) stop = followCounts(views, countableList, setCounts)
    }, firstDelayMs)
    return () => {
      lifetime.abort()
      clearTimeout(timer)
      stop()
    }
  }, [views, language])
  return counts
}

/** @returns a function that stops it */
export function followCounts(
  views: readonly View[],
  countableList: (view: View) => CountableList | undefined,
  onCounts: (counts: ReadonlyMap<number, number>) => void,
): () => void {
  const counted = views.flatMap((view) => {
    const list = countableList(view)
    return list ? [{ view, list }] : []
  })
  const keys = new Set(counted.map(({ list }) => JSON.stringify(list.queryKey)))
  const counts = new Map<number, number>()
  /** What each count was made of. */
  const madeOf = new Map<number, unknown>()
  let stop = () => {}

  function* count() {
    for (const { view, list } of counted) {
      const data = queryClient.getQueryData(list.queryKey)
      if (data === undefined || madeOf.get(view.id) === data) continue
      madeOf.set(view.id, data)
      const rows = list.count(data, view)
      if (rows === null) counts.delete(view.id)
      else counts.set(view.id, rows)
      onCounts(new Map(counts))
      yield
    }
  }
  const recount = () => {
    stop()
    stop = runWhenIdle(count())
  }
  async function load() {
    if (document.hidden) return
    for (const { list } of counted) {
      const { queryKey, queryFn } = list
      // Fails silently: the count stays away or as it was, and the list's own screen says why.
      await queryClient.prefetchQuery({ queryKey, queryFn, staleTime: refreshMs })
    }
    recount()
  }
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'success' && keys.has(query.queryHash)) recount()
  })
  void load()
  const timer = setInterval(() => void load(), refreshMs)
  return () => {
    unsubscribe()
    clearInterval(timer)
    stop()
  }
}
