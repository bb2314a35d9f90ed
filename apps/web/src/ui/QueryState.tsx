import { Stack } from '@mantine/core'
import { type QueryClient, type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../app/api-error.ts'
import { Failure } from './Failure.tsx'

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
  const client = useQueryClient()
  if (data === undefined && error === null) return skeleton
  const failure = error !== null && (
    <Failure
      error={error}
      onRetry={() => void retryAll(client)}
      retrying={isFetching}
      stale={data !== undefined}
    />
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

/** What failed beside it most likely failed for the same reason. */
const retryAll = (client: QueryClient) =>
  client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
