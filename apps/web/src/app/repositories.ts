import { bitbucketRoutes, type Repository, staleHeader } from '@kustos/contract/bitbucket'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { exchange } from './client.ts'
import { keyOf } from './query.ts'

const { listRepositories } = bitbucketRoutes

export interface Repositories {
  readonly list: readonly Repository[]
  /** Since when Bitbucket could not be asked, in milliseconds; null while it answers. */
  readonly staleSince: number | null
}

/** The repositories, and how old the list is where Bitbucket is away. */
export function useRepositories(): UseQueryResult<Repositories, ApiError> {
  return useQuery<Repositories, ApiError>({
    queryKey: keyOf(listRepositories, {}),
    queryFn: async ({ signal }) => {
      const { answer, headers } = await exchange(listRepositories, {}, signal)
      return { list: answer, staleSince: staleSince(headers.get(staleHeader), Date.now()) }
    },
  })
}

/** @param header whole seconds @param now in milliseconds */
export function staleSince(header: string | null, now: number): number | null {
  return header !== null && /^\d+$/.test(header) ? now - Number(header) * 1000 : null
}
