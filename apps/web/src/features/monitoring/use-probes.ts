import { monitoringRoutes } from '@kustos/contract/monitoring'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../../platform/api-error.ts'
import { call } from '../../platform/client.ts'
import { keyOf } from '../../platform/query.ts'
import { notifyFailed } from '../../ui/notify.tsx'

const { listStatistics } = monitoringRoutes
type Page = Awaited<ReturnType<typeof call<typeof listStatistics>>>

/**
 * The newest probes, of one web or of all. Older ones are only loaded while the list is paused, because they depend on where
 * it ends.
 */
export function useProbes(web: string | undefined) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [pausedAt, setPausedAt] = useState<number>()
  const query = { ...(web !== undefined && { web }) }
  const queryKey = [...keyOf(listStatistics, { query }), 'pages']
  const probes = useInfiniteQuery<Page, ApiError, InfiniteData<Page>, typeof queryKey, string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call(listStatistics, { query: { ...query, ...(pageParam && { before: pageParam }) } }, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ data }) => data.at(-1)?.created_at,
    // A list that is opened on a later page is paused before there is anything to read.
    enabled: ({ state }) => pausedAt === undefined || state.data === undefined,
  })

  const { data, hasNextPage, isFetchNextPageError } = probes
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data])

  function pause() {
    // Rows that arrive later would move what the user reads.
    if (pausedAt === undefined && data !== undefined) void client.cancelQueries({ queryKey })
    setPausedAt((now) => now ?? Date.now())
  }

  function resume() {
    client.setQueryData<typeof data>(queryKey, (all) =>
      all === undefined ? all : { pages: all.pages.slice(0, 1), pageParams: all.pageParams.slice(0, 1) },
    )
    setPausedAt(undefined)
  }

  async function loadOlder() {
    pause()
    // Ends a refresh that is under way: its rows would not reach down to the older ones.
    const { isFetchNextPageError: hasFailed, error } = await probes.fetchNextPage()
    if (hasFailed) notifyFailed(t('monitoring.events.older'), error)
  }

  return {
    rows,
    pausedAt,
    hasAll: data !== undefined && data.pages.length > 1 && !hasNextPage,
    error: isFetchNextPageError ? null : probes.error,
    isFetching: probes.isFetching,
    isLoadingOlder: probes.isFetchingNextPage,
    refetch: probes.refetch,
    pause,
    resume,
    loadOlder,
  }
}
