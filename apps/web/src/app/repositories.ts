import { bitbucketRoutes, type Repository } from '@kustos/contract/bitbucket'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { type StaleList, useStaleList } from './stale-list.ts'

export type Repositories = StaleList<readonly Repository[]>

/** The repositories, and how old the list is where Bitbucket is away. */
export function useRepositories(): UseQueryResult<Repositories, ApiError> {
  return useStaleList(bitbucketRoutes.listRepositories, {})
}
