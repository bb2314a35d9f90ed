import { ServiceError } from '../http/json-api.ts'

/** A repository as Kustos needs it of Bitbucket Cloud's REST 2.0. */
export interface BitbucketRepository {
  /** The slug. */
  readonly name: string
  readonly project: { readonly key: string; readonly name: string }
  readonly description: string
  readonly fork_policy: string | null
  readonly html_url: string
  /** For git over HTTPS, without credentials. */
  readonly clone_url: string
  /** The full name (`workspace/slug`) of the repository that it was forked from. */
  readonly parent: string | null
  readonly created_on: Date
  readonly updated_on: Date
}

export interface Fork {
  /** Already in slug form. */
  readonly name: string
  /** The project's key. */
  readonly project: string
  readonly description: string
}

/** Each call throws {@link BitbucketError} if Bitbucket cannot be reached or refuses. */
export interface Bitbucket {
  /** All repositories of the workspace. */
  list(signal?: AbortSignal): Promise<readonly BitbucketRepository[]>
  /** Returns null if there is no repository with this slug. */
  find(slug: string, signal?: AbortSignal): Promise<BitbucketRepository | null>
  /**
   * Forks at most once: after a lost response, it checks whether the fork exists before it asks again.
   * @throws {SlugTaken}
   */
  fork(source: string, fork: Fork, signal?: AbortSignal): Promise<BitbucketRepository>
}

export class BitbucketError extends ServiceError {
  override readonly name = 'BitbucketError'
}

/** The workspace already has a repository with the fork's name. */
export class SlugTaken extends BitbucketError {}
