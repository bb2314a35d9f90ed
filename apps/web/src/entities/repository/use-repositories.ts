import { bitbucketRoutes, type Repository } from '@kustos/contract/bitbucket'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../platform/api-error.ts'
import { type StaleList, useStaleList } from '../../platform/stale-list.ts'

export type Repositories = StaleList<readonly Repository[]>

/** The repositories, with the age of the list while Bitbucket is unreachable. */
export function useRepositories(): UseQueryResult<Repositories, ApiError> {
  return useStaleList(bitbucketRoutes.listRepositories, {})
}
