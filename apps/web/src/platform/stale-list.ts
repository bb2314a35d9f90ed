import { staleHeader } from '@kustos/contract/bitbucket'
import type { CallInput, Route, RouteAnswer } from '@kustos/contract/route'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { exchange } from './client.ts'
import { keyOf } from './query.ts'

/** A list from an outside system, with its age while that is unreachable. */
export interface StaleList<List> {
  readonly list: List
  /** Unix milliseconds; null while the system is reachable. */
  readonly staleSince: number | null
}

/** A route whose response has its age in a header. */
export function useStaleList<R extends Route>(
  route: R,
  input: CallInput<R>,
  options: { readonly enabled?: boolean } = {},
): UseQueryResult<StaleList<RouteAnswer<R>>, ApiError> {
  return useQuery<StaleList<RouteAnswer<R>>, ApiError>({
    ...options,
    queryKey: keyOf(route, input),
    queryFn: async ({ signal }) => {
      const { answer, headers } = await exchange(route, input, signal)
      return { list: answer, staleSince: staleSince(headers.get(staleHeader), Date.now()) }
    },
  })
}

/** @param header whole seconds @param now in milliseconds */
export function staleSince(header: string | null, now: number): number | null {
  return header !== null && /^\d+$/.test(header) ? now - Number(header) * 1000 : null
}
