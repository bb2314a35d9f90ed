import type { Bitbucket } from '@kustos/clients/bitbucket'
import type { Context } from '../platform/context.ts'
import { DomainError, toError, upstreamError } from '../platform/errors.ts'
import { readStoredError } from '../platform/stored-message.ts'
import { readSync, type Sync, staleSeconds } from '../platform/sync-state.ts'
import { readRepositories, repositoryList } from './read.ts'
import { refreshRepositories } from './refresh.ts'

const freshForMs = 60_000
/** Without a cached list a failure is answered for this long before Bitbucket is asked again. */
const failedForMs = 5_000

/**
 * @param bitbucket null if not configured
 * @param onError called for errors in the background, except failures of Bitbucket, which are stored
 */
export function createRepositoryCache(bitbucket: Bitbucket | null, onError: (error: Error) => void) {
  let refreshing: Promise<unknown> | null = null
  const closed = new AbortController()

  /** Simultaneous callers share one refresh. */
  const refresh = (context: Context, from: Bitbucket): Promise<unknown> => {
    refreshing ??= refreshRepositories(context, from, closed.signal).finally(() => {
      refreshing = null
    })
    return refreshing
  }

  const refreshBehind = (context: Context, from: Bitbucket) => {
    refresh(context, from).catch((error: unknown) => {
      const kept = error instanceof DomainError && error.kind === 'upstream'
      if (kept || closed.signal.aborted) return
      onError(toError(error))
    })
  }

  const first = async (context: Context, sync: Sync): Promise<Sync> => {
    if (bitbucket === null) throw upstreamError('bitbucket_not_configured')
    const { failed_at: failedAt, error } = sync
    if (failedAt !== null && error !== null && age(context, failedAt) < failedForMs)
      throw new DomainError('upstream', readStoredError(sync))
    await refresh(context, bitbucket)
    return readSync(context.db, repositoryList)
  }

  return {
    /**
     * Returns the cached list, and refreshes it in the background if it is older than a minute.
     * @throws DomainError upstream if there is no cached list and Bitbucket does not answer
     */
    async listRepositories(context: Context) {
      // What is read here may predate a refresh that ends meanwhile.
      const wasRefreshing = refreshing !== null
      const [cached, known] = await Promise.all([
        readRepositories(context),
        readSync(context.db, repositoryList),
      ])
      const isFirst = known.succeeded_at === null
      const sync = isFirst ? await first(context, known) : known
      const tried = Math.max(known.succeeded_at?.getTime() ?? 0, known.failed_at?.getTime() ?? 0)
      if (!isFirst && !wasRefreshing && bitbucket !== null && age(context, new Date(tried)) >= freshForMs)
        refreshBehind(context, bitbucket)
      return {
        repositories: isFirst ? await readRepositories(context) : cached,
        staleSeconds: staleSeconds(context, sync, sync.error !== null || bitbucket === null),
      }
    },
    /** Aborts a running refresh. */
    async close(): Promise<void> {
      closed.abort()
      await refreshing?.catch(() => undefined)
    },
  }
}

const age = ({ now }: Context, moment: Date): number => now().getTime() - moment.getTime()
