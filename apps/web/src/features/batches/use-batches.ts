import { batchesRoutes, maxBatchesPerResponse } from '@kustos/contract/batches'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../../platform/api-error.ts'
import { call } from '../../platform/client.ts'
import { keyOf } from '../../platform/query.ts'
import { notifyFailed } from '../../ui/notify.tsx'

const { listBatches } = batchesRoutes
type Page = Awaited<ReturnType<typeof call<typeof listBatches>>>

/** The newest batches, and older ones as far as they were loaded. What is loaded stays current, as batches of any age run. */
export function useBatches() {
  const { t } = useTranslation()
  const queryKey = [...keyOf(listBatches, {}), 'pages']
  const batches = useInfiniteQuery<Page, ApiError, InfiniteData<Page>, typeof queryKey, string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call(listBatches, { query: pageParam === undefined ? {} : { before: pageParam } }, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ data }) =>
      data.length < maxBatchesPerResponse ? undefined : data.at(-1)?.id.toString(),
  })
  const { data, hasNextPage, isFetchNextPageError } = batches

  async function loadOlder() {
    const { isFetchNextPageError: hasFailed, error } = await batches.fetchNextPage()
    if (hasFailed) notifyFailed(t('batches.older'), error)
  }

  return {
    rows: useMemo(() => data?.pages.flatMap((page) => page.data), [data]),
    hasOlder: hasNextPage,
    isLoadingOlder: batches.isFetchingNextPage,
    loadOlder,
    error: isFetchNextPageError ? null : batches.error,
    isFetching: batches.isFetching,
    refetch: batches.refetch,
  }
}
