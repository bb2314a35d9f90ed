import type { JsonApi } from '../http/json-api.ts'
import { BitbucketError, bitbucketError, type Fork, SlugTakenError } from './bitbucket.ts'
import { isSafeToRetry } from './errors.ts'
import { type BitbucketRepository, repository } from './schemas.ts'

export interface ForkRequest {
  /** A slug, or a UUID in braces. */
  readonly workspace: string
  /** The slug to fork from. */
  readonly source: string
  readonly fork: Fork
  /** Lists and creates the source's forks. */
  readonly url: URL
  /** For the request, the check and the second request together. */
  readonly deadlineMs: number
  readonly find: (slug: string) => Promise<BitbucketRepository | null>
  readonly signal: AbortSignal | undefined
}

/**
 * Forks at most once. If it is unknown whether the request had an effect, it looks for the fork before the second and
 * last request. A repository with the same source and description counts as this fork.
 */
export async function forkOnce(api: JsonApi, request: ForkRequest): Promise<BitbucketRepository> {
  const { workspace, source, fork, url, deadlineMs, find, signal } = request
  const body = {
    name: fork.name,
    description: fork.description,
    project: { key: fork.project },
    workspace: workspace.startsWith('{') ? { uuid: workspace } : { slug: workspace },
  }

  const requestFork = async () => {
    const made = await api.request(repository, { url, body, signal, deadlineMs, canRetry: isSafeToRetry })
    if (made === undefined)
      throw bitbucketError(404, { code: 'bitbucket_repository_missing', params: { repository: source } })
    return made
  }

  /** @throws {BitbucketError} with the error that led here, if the check fails too */
  const findOwn = async (error: BitbucketError) => {
    try {
      const found = await find(fork.name)
      // The full name contains the workspace's slug even if the workspace is configured by its UUID.
      const isOwn = found?.parent?.endsWith(`/${source}`) && found.description === fork.description
      return isOwn ? found : null
    } catch (cause) {
      if (!(cause instanceof BitbucketError)) throw cause
      throw bitbucketError(
        error.status,
        { code: 'bitbucket_fork_unknown', params: { reason: error.codedMessage } },
        cause,
      )
    }
  }

  let first: BitbucketError
  try {
    return await requestFork()
  } catch (error) {
    if (!(error instanceof BitbucketError) || !isUncertain(error)) throw error
    first = error
  }
  const made = await findOwn(first)
  if (made !== null) return made
  try {
    return await requestFork()
  } catch (error) {
    if (!(error instanceof BitbucketError) || !(isUncertain(error) || error instanceof SlugTakenError))
      throw error
    // The first request may have taken effect after the check.
    const late = await findOwn(error)
    if (late === null) throw error
    return late
  }
}

/** No response, an unreadable one, or a server error. */
const isUncertain = (error: BitbucketError): boolean =>
  (error.status < 300 || error.status >= 500) && !isSafeToRetry(error)
