import type { Route, RouteAnswer } from '@kustos/contract/route'
import {
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { type CallInput, call } from './client.ts'

/** Another try helps against a server that restarts, not against an answer it has thought about. */
const worthRetrying = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502)

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 15_000, retry: worthRetrying } },
})

/** The key of a route's answer; without an input, that of all its answers. */
export function keyOf<R extends Route>(route: R, input?: CallInput<R>): QueryKey {
  return input === undefined ? [route.method, route.path] : [route.method, route.path, input]
}

type RouteOptions<R extends Route, Data> = Omit<
  UseQueryOptions<RouteAnswer<R>, ApiError, Data>,
  'queryKey' | 'queryFn'
>

/** The answer of a GET route, cached under `keyOf(route, input)`. */
export function useRoute<R extends Route, Data = RouteAnswer<R>>(
  route: R,
  input: CallInput<R>,
  options?: RouteOptions<R, Data>,
): UseQueryResult<Data, ApiError> {
  return useQuery<RouteAnswer<R>, ApiError, Data>({
    ...options,
    queryKey: keyOf(route, input),
    queryFn: ({ signal }) => call(route, input, signal),
  })
}

/**
 * A POST, PUT or DELETE route. `mutateAsync` takes the route's input; what it changes is read anew.
 * @param refreshes the routes whose answers the change makes stale
 */
export function useAction<R extends Route>(
  route: R,
  refreshes: readonly Route[] = [],
): UseMutationResult<RouteAnswer<R>, ApiError, CallInput<R>> {
  const client = useQueryClient()
  return useMutation<RouteAnswer<R>, ApiError, CallInput<R>>({
    mutationFn: (input) => call(route, input),
    onSuccess: () =>
      Promise.all(refreshes.map((stale) => client.invalidateQueries({ queryKey: keyOf(stale) }))),
  })
}
