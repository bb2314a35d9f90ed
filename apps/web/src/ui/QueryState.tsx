import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../app/api-error.ts'
import { Failure } from './Failure.tsx'
import { useRetry } from './use-retry.ts'

interface Props<Data> {
  readonly query: UseQueryResult<Data, ApiError>
  /** Of the size of what will stand there, so that nothing jumps. */
  readonly skeleton: ReactNode
  readonly children: (data: Data) => ReactNode
}

/**
 * The three states of an answer: a skeleton while it loads, the server's sentence with Retry where it failed,
 * and its data. Data that is there stays when a later try fails.
 */
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
