import { staleHeader } from '@kustos/contract/bitbucket'
import type { CallInput, Route, RouteResponse } from '@kustos/contract/route'
import { type QueryFunctionContext, useQuery } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { callWithHeaders } from './client.ts'
import { keyOf } from './query.ts'

export interface StaleList<List> {
  readonly list: List
  /** Unix milliseconds; null while the outside system is reachable. */
  readonly staleSince: number | null
}

/** A list from an outside system, with its age while that is unreachable. */
export function useStaleList<R extends Route>(
  route: R,
  input: CallInput<R>,
  options: { readonly enabled?: boolean } = {},
) {
  return useQuery<StaleList<RouteResponse<R>>, ApiError>({ ...options, ...staleListQuery(route, input) })
}

/** The query of `useStaleList`. */
export const staleListQuery = <R extends Route>(route: R, input: CallInput<R>) => ({
  queryKey: keyOf(route, input),
  queryFn: async ({ signal }: QueryFunctionContext): Promise<StaleList<RouteResponse<R>>> => {
    const { body, headers } = await callWithHeaders(route, input, signal)
    return { list: body, staleSince: staleSince(headers.get(staleHeader), Date.now()) }
  },
})

/** @param header whole seconds @param now in milliseconds */
export function staleSince(header: string | null, now: number): number | null {
  return header !== null && /^\d+$/.test(header) ? now - Number(header) * 1000 : null
}
