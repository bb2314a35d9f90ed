import { CodedServiceError } from '../http/json-api.ts'
import type { Message } from '../message.ts'
import type { BitbucketRepository } from './schemas.ts'

export interface Fork {
  /** Already in slug form. */
  readonly name: string
  readonly project: string
  readonly description: string
}

/** Each call throws {@link BitbucketError} if Bitbucket cannot be reached or refuses. */
export interface Bitbucket {
  list(signal?: AbortSignal): Promise<readonly BitbucketRepository[]>
  /** Returns null if there is no repository with this slug. */
  find(slug: string, signal?: AbortSignal): Promise<BitbucketRepository | null>
  /**
   * Forks at most once: after a lost response, it checks whether the fork exists before it asks again.
   * @throws {SlugTakenError}
   */
  fork(source: string, fork: Fork, signal?: AbortSignal): Promise<BitbucketRepository>
}

type BitbucketFailure =
  | { readonly code: `bitbucket_${'token_refused' | 'moved' | 'name_taken'}` }
  | Message<'bitbucket_forbidden', 'detail'>
  | Message<'bitbucket_workspace_blocked', 'workspace' | 'detail'>
  | Message<'bitbucket_workspace_missing', 'workspace'>
  | Message<'bitbucket_rate_limited', 'when'>
  | Message<'bitbucket_out_of_order' | 'bitbucket_refused', 'status' | 'detail'>
  | Message<'bitbucket_repository_missing', 'repository'>
  | Message<'bitbucket_name_invalid', 'name'>
  | Message<'bitbucket_fork_unknown', 'reason'>

export class BitbucketError extends CodedServiceError<BitbucketFailure> {
  override readonly name = 'BitbucketError'
}

export const bitbucketError = (status: number, codedMessage: BitbucketFailure, cause?: unknown) =>
  new BitbucketError(status, JSON.stringify(codedMessage), { codedMessage, cause })

/** The workspace already has a repository with the fork's name. */
export class SlugTakenError extends BitbucketError {}
