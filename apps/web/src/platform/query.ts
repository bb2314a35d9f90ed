import type { CallInput, Route, RouteResponse } from '@kustos/contract/route'
import {
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { call, callWithHeaders, isAskingForPassword } from './client.ts'
import { createCoalescer, sleep } from './coalesce.ts'
import { onUserChange } from './session.ts'

/** Retries help while the server restarts, but not if it has rejected the request. */
const worthRetrying = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: worthRetrying },
    // A write fails at once while the browser is offline. Paused, it would be sent on reconnect, unasked.
    mutations: { networkMode: 'always' },
  },
})

// Another user must not see this one's data.
onUserChange(() => queryClient.clear())

/** The query key of a route. Without an input it matches all its inputs. */
export function keyOf<R extends Route>(route: R, input?: CallInput<R>): QueryKey {
  return input === undefined ? [route.method, route.path] : [route.method, route.path, input]
}

/** The response of a GET route, cached under `keyOf(route, input)`. */
export function useRoute<R extends Route, Data = RouteResponse<R>>(
  route: R,
  input: CallInput<R>,
  options?: Omit<UseQueryOptions<RouteResponse<R>, ApiError, Data>, 'queryKey' | 'queryFn'>,
) {
  return useQuery<RouteResponse<R>, ApiError, Data>({ ...options, ...routeQuery(route, input) }, queryClient)
}

/** The query of `useRoute`. */
export const routeQuery = <R extends Route>(route: R, input: CallInput<R>) => ({
  queryKey: keyOf(route, input),
  queryFn: ({ signal }: QueryFunctionContext) => call(route, input, signal),
})

/** Requests the response of a GET route, unless one is cached: the screen that shows it refreshes that. */
export function prefetchRoute<R extends Route>(route: R, input: CallInput<R>) {
  void queryClient.prefetchQuery({ ...routeQuery(route, input), staleTime: Number.POSITIVE_INFINITY })
}

/** A write that waits for its own event before it refetches these query keys. */
interface PendingWrite {
  readonly hashes: ReadonlySet<string>
  readonly onEvent: (hash: string) => void
}

const pendingWrites = new Set<PendingWrite>()
const refreshIntervalMs = 1000
/** Runs work under a key at most once a second. */
export const refreshSoon = createCoalescer(refreshIntervalMs)
/** The event of a write arrives at about the same time as its response. */
const eventWaitMs = 200

/** Refetches a query that the server reports as changed, at most once a second. */
export function refreshAfterEvent(queryKey: QueryKey) {
  const hash = JSON.stringify(queryKey)
  // A write that waits for the password, perhaps for minutes, has changed nothing yet.
  const writes = isAskingForPassword() ? [] : [...pendingWrites].filter(({ hashes }) => hashes.has(hash))
  for (const { onEvent } of writes) onEvent(hash)
  if (writes.length === 0) refreshSoon(hash, () => refresh(queryKey))
}

async function refresh(queryKey: QueryKey) {
  // A running fetch may have read the data before the change, but aborting it would waste it.
  await queryClient.refetchQueries(
    { queryKey, predicate: ({ state }) => state.fetchStatus === 'fetching' },
    { cancelRefetch: false },
  )
  await queryClient.invalidateQueries({ queryKey })
}

/**
 * Calls a POST, PUT or DELETE route, then refetches what it changed: once for the write and its own event.
 * @param refreshes the routes whose responses become stale
 * @throws {ApiError} as `call` does
 */
export async function write<R extends Route>(
  route: R,
  input: CallInput<R>,
  refreshes: readonly Route[],
  signal?: AbortSignal,
) {
  const keys = refreshes.map((stale) => keyOf(stale))
  const missing = new Set(keys.map((key) => JSON.stringify(key)))
  const eventsArrived = Promise.withResolvers<void>()
  const pending: PendingWrite = {
    hashes: new Set(missing),
    onEvent(hash) {
      missing.delete(hash)
      if (missing.size === 0) eventsArrived.resolve()
    },
  }
  const finish = () => {
    pendingWrites.delete(pending)
    return Promise.all(keys.map(refresh))
  }
  pendingWrites.add(pending)
  try {
    const response = await call(route, input, signal)
    if (missing.size > 0) await Promise.race([eventsArrived.promise, sleep(eventWaitMs)])
    await finish()
    return response
  } catch (error) {
    // The write may have been rejected because the data on screen is stale.
    void finish()
    throw error
  }
}

/**
 * Calls a POST route that responds without a body, and refetches what it changed without waiting for it.
 * @returns the id at the end of the response's Location; null without one
 * @throws {ApiError} as `call` does
 */
export async function create<R extends Route>(
  route: R,
  input: CallInput<R>,
  refreshes: readonly Route[],
  signal?: AbortSignal,
): Promise<number | null> {
  const { headers } = await callWithHeaders(route, input, signal)
  for (const stale of refreshes) refreshAfterEvent(keyOf(stale))
  const id = /\/([1-9]\d*)$/.exec(headers.get('location') ?? '')?.[1]
  return id === undefined ? null : Number(id)
}

/** `write` as a mutation: `mutateAsync` takes the route's input. */
export const useAction = <R extends Route>(route: R, refreshes: readonly Route[] = []) =>
  useMutation<RouteResponse<R>, ApiError, CallInput<R>>({
    mutationFn: (input) => write(route, input, refreshes),
  })
