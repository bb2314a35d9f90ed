/** A repository as Kustos needs it of Bitbucket Cloud's REST 2.0. */
export interface BitbucketRepository {
  /** The slug. */
  readonly name: string
  readonly project: { readonly key: string; readonly name: string }
  readonly description: string
  readonly fork_policy: string | null
  readonly html_url: string
  /** For git over https, without credentials. */
  readonly clone_url: string
  /** The full name (`workspace/slug`) of what it was forked from. */
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

/** Each call throws {@link BitbucketError} where Bitbucket is away or refuses. */
export interface Bitbucket {
  /** All repositories of the workspace. */
  list(signal?: AbortSignal): Promise<readonly BitbucketRepository[]>
  /** @returns null where there is none of this slug */
  find(slug: string, signal?: AbortSignal): Promise<BitbucketRepository | null>
  /**
   * Done at most once: where an answer was lost, it looks whether the fork is there before it asks again.
   * @returns the new repository
   * @throws {SlugTaken}
   */
  fork(source: string, fork: Fork, signal?: AbortSignal): Promise<BitbucketRepository>
}

export class BitbucketError extends Error {
  override readonly name = 'BitbucketError'
  /** The HTTP status of its answer; 0 where none came. */
  readonly status: number

  /** @param sentence for staff; it names Bitbucket */
  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.status = status
  }
}

/** The workspace has a repository of the name that a fork was to get. */
export class SlugTaken extends BitbucketError {}
