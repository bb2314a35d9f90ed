import { type LogRow, logQuery, logRows, logsRoutes } from '@kustos/contract/logs'
import { useCallback, useMemo } from 'react'
import { useRoute } from '../../platform/query.ts'
import { useUpdatableSearchParams } from '../../platform/search-params.ts'

/** The open entry, whose id is in the URL. It may be older than the loaded rows or hidden by the filter. */
export function useOpenEntry(rows: readonly LogRow[] | undefined) {
  const [searchParams, update] = useUpdatableSearchParams()
  const id = searchParams.get('entry')
  const isValid = id !== null && logQuery.safeParse({ id }).success
  const loaded = useMemo(() => rows?.find((row) => String(row.id) === id), [rows, id])
  const { data, error, isFetching, refetch } = useRoute(
    logsRoutes.listLogs,
    { query: { id: id ?? '' } },
    { enabled: isValid && rows !== undefined && loaded === undefined, select: logRows },
  )
  const entry = loaded ?? (isValid ? data?.find((row) => String(row.id) === id) : undefined)
  return {
    id,
    /** Undefined while it loads or if it does not exist. */
    entry,
    isMissing: id !== null && entry === undefined && (!isValid || data !== undefined),
    error: id === null || entry ? null : error,
    retry: () => void refetch(),
    isRetrying: isFetching,
    open: useCallback((row: LogRow) => update({ entry: String(row.id) }), [update]),
    close: () => update({ entry: null }),
  }
}
