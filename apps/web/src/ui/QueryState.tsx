import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../platform/api-error.ts'
import { Failure } from './Failure.tsx'
import { useRetry } from './use-retry.ts'

interface Props<Data> {
  readonly query: UseQueryResult<Data, ApiError>
  /** As high as the content, so that nothing jumps. */
  readonly skeleton: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Shows a skeleton while loading, the error with Retry, or the data, which stays when a refetch fails. */
export function QueryState<Data>({ query, skeleton, children }: Props<Data>) {
  const { data, error, isFetching } = query
  const retry = useRetry()
  if (data === undefined && error === null) return skeleton
  const failure = error !== null && (
    <Failure error={error} onRetry={retry} retrying={isFetching} stale={data !== undefined} />
  )
  if (data === undefined) return failure
  return failure === false ? (
    children(data)
  ) : (
    <Stack gap="md">
      {failure}
      {children(data)}
    </Stack>
  )
}
