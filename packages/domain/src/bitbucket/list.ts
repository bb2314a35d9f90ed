import type { Bitbucket } from '@kustos/clients/bitbucket'
import type { Repository } from '@kustos/contract/bitbucket'
import type { Context } from '../context.ts'
import { asError, DomainError, upstream } from '../errors.ts'
import { readRepositories, readSync, type Sync } from './read.ts'
import { refreshRepositories } from './refresh.ts'

export interface ListedRepositories {
  readonly repositories: Repository[]
  /** Whole seconds since the list was good, where Bitbucket could not be asked since; null where it could. */
  readonly staleFor: number | null
}

export interface RepositoryList {
  /**
   * The cached list at once; one that is older than a minute is refreshed behind the caller's back.
   * @throws DomainError upstream where there never was a list and Bitbucket gives none now
   */
  listRepositories(context: Context): Promise<ListedRepositories>
  /** Ends the refresh under way. */
  close(): Promise<void>
}

/** Milliseconds until a list is asked for again. */
const freshFor = 60_000
/** The same where there is none yet, so that those who wait for the first one do not wait for a dead service each. */
const failedFor = 5_000

/**
 * @param bitbucket null where it is not configured
 * @param onError told of what went wrong behind the caller's back, and is not Bitbucket's failure, which is kept
 */
export function openRepositoryList(
  bitbucket: Bitbucket | null,
  onError: (error: Error) => void,
): RepositoryList {
  let refreshing: Promise<unknown> | null = null
  const closed = new AbortController()

  /** However many ask at once, Bitbucket is asked by one. */
  const refresh = (context: Context, from: Bitbucket): Promise<unknown> => {
    refreshing ??= refreshRepositories(context, from, closed.signal).finally(() => {
      refreshing = null
    })
    return refreshing
  }

  const refreshBehind = (context: Context, from: Bitbucket) => {
    refresh(context, from).catch((error: unknown) => {
      const kept = error instanceof DomainError && error.code === 'upstream'
      if (kept || closed.signal.aborted) return
      onError(asError(error))
    })
  }

  /** @returns what is known of the list once there is one */
  const first = async (context: Context, sync: Sync): Promise<Sync> => {
    if (bitbucket === null) {
      throw upstream(
        'Bitbucket is not configured: set BITBUCKET_WORKSPACE and BITBUCKET_TOKEN to list its repositories.',
      )
    }
    const { failedAt, error } = sync
    if (failedAt !== null && error !== null && age(context, failedAt) < failedFor) throw upstream(error)
    await refresh(context, bitbucket)
    return readSync(context)
  }

  return {
    async listRepositories(context) {
      const [cached, known] = await Promise.all([readRepositories(context), readSync(context)])
      if (known.succeededAt === null) {
        const sync = await first(context, known)
        return {
          repositories: await readRepositories(context),
          staleFor: staleness(context, sync, bitbucket),
        }
      }
      const tried = Math.max(known.succeededAt.getTime(), known.failedAt?.getTime() ?? 0)
      if (bitbucket !== null && age(context, new Date(tried)) >= freshFor) refreshBehind(context, bitbucket)
      return { repositories: cached, staleFor: staleness(context, known, bitbucket) }
    },
    async close() {
      closed.abort()
      await refreshing?.catch(() => undefined)
    },
  }
}

/** In milliseconds. */
const age = ({ now }: Context, moment: Date): number => now().getTime() - moment.getTime()

/** A Bitbucket that is not configured any more is as good as away. */
function staleness(
  context: Context,
  { succeededAt, error }: Sync,
  bitbucket: Bitbucket | null,
): number | null {
  if (succeededAt === null || (error === null && bitbucket !== null)) return null
  return Math.max(0, Math.floor(age(context, succeededAt) / 1000))
}
