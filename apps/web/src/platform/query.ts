import type { CallInput, Route, RouteAnswer } from '@kustos/contract/route'
import {
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { call, exchange } from './client.ts'
import { createCoalescer, pause } from './coalesce.ts'
import { onSession, signedInUser } from './session.ts'

/** Retries help while the server restarts, not if it has rejected the request. */
const worthRetrying = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, retry: worthRetrying },
    // A write fails at once while the browser is offline. Paused, it would be sent on reconnect, unasked.
    mutations: { networkMode: 'always' },
  },
})

let userId = signedInUser()?.id
onSession(() => {
  const before = userId
  userId = signedInUser()?.id
  // Another user may not see what this one's screens have loaded.
  if (userId !== before) queryClient.clear()
})

/** The query key of a route. Without an input it matches all its inputs. */
export function keyOf<R extends Route>(route: R, input?: CallInput<R>): QueryKey {
  return input === undefined ? [route.method, route.path] : [route.method, route.path, input]
}

type RouteOptions<R extends Route, Data> = Omit<
  UseQueryOptions<RouteAnswer<R>, ApiError, Data>,
  'queryKey' | 'queryFn'
>

/** The response of a GET route, cached under `keyOf(route, input)`. */
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

/** A write whose own event is expected, for the query keys that it refetches at its end. */
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

/** Refetches what the server reports as changed, once a second at most. */
export function refreshAfterEvent(queryKey: QueryKey) {
  const hash = JSON.stringify(queryKey)
  const writes = [...pendingWrites].filter(({ hashes }) => hashes.has(hash))
  for (const { onEvent } of writes) onEvent(hash)
  if (writes.length === 0) refreshSoon(hash, () => refresh(queryKey))
}

async function refresh(queryKey: QueryKey) {
  // What is being fetched may have been read before the change. Cutting it off would waste it.
  await queryClient.refetchQueries(
    { queryKey, predicate: ({ state }) => state.fetchStatus === 'fetching' },
    { cancelRefetch: false },
  )
  await queryClient.invalidateQueries({ queryKey })
}

/**
 * Calls a POST, PUT or DELETE route, then refetches what it changed: once for the write and its own event.
 * @param refreshes the routes whose responses the change makes stale
 * @throws {ApiError} as `call` does
 */
export async function write<R extends Route>(
  route: R,
  input: CallInput<R>,
  refreshes: readonly Route[],
  signal?: AbortSignal,
): Promise<RouteAnswer<R>> {
  const keys = refreshes.map((stale) => keyOf(stale))
  const missing = new Set(keys.map((key) => JSON.stringify(key)))
  let confirm = () => {}
  const eventsArrived = new Promise<void>((resolve) => {
    confirm = resolve
  })
  const pending: PendingWrite = {
    hashes: new Set(missing),
    onEvent(hash) {
      missing.delete(hash)
      if (missing.size === 0) confirm()
    },
  }
  const finish = () => {
    pendingWrites.delete(pending)
    return Promise.all(keys.map(refresh))
  }
  pendingWrites.add(pending)
  try {
    const answer = await call(route, input, signal)
    if (missing.size > 0) await Promise.race([eventsArrived, pause(eventWaitMs)])
    await finish()
    return answer
  } catch (error) {
    // What is shown may be what the write was refused for.
    void finish()
    throw error
  }
}

/**
 * Calls a POST route that responds without a body, and refetches what it changed without waiting for it.
 * @returns the id at the end of the response's Location; null if it names none
 * @throws {ApiError} as `call` does
 */
export async function create<R extends Route>(
  route: R,
  input: CallInput<R>,
  refreshes: readonly Route[],
  signal?: AbortSignal,
): Promise<number | null> {
  const { headers } = await exchange(route, input, signal)
  for (const stale of refreshes) refreshAfterEvent(keyOf(stale))
  const id = /\/([1-9]\d*)$/.exec(headers.get('location') ?? '')?.[1]
  return id === undefined ? null : Number(id)
}

/** `write` as a mutation: `mutateAsync` takes the route's input. */
export function useAction<R extends Route>(
  route: R,
  refreshes: readonly Route[] = [],
): UseMutationResult<RouteAnswer<R>, ApiError, CallInput<R>> {
  return useMutation<RouteAnswer<R>, ApiError, CallInput<R>>({
    mutationFn: (input) => write(route, input, refreshes),
  })
}
