import { describeFailure } from '../http/describe-failure.ts'
import { createJsonApi, parseBaseUrl } from '../http/json-api.ts'
import { type Bitbucket, BitbucketError, bitbucketError, type Fork } from './bitbucket.ts'
import { explainRefusal } from './errors.ts'
import { forkOnce } from './fork.ts'
import { type BitbucketRepository, page, repository, repositoryFields } from './schemas.ts'

export interface BitbucketOptions {
  /** Base address of the REST API, such as https://api.bitbucket.org/2.0 */
  readonly url: string
  readonly workspace: string
  /** A repository, project or workspace access token; or `email:token` with an API token of that user. */
  readonly credentials: string
  /** Masks secrets in Bitbucket's own words. */
  readonly mask?: (text: string) => string
  readonly timeoutMs?: number
  /** For a request with its retries. */
  readonly totalTimeoutMs?: number
  readonly now?: () => number
  readonly sleep?: (delayMs: number) => Promise<void>
}

/** A page has a hundred repositories. */
const maxPages = 1_000
const firstBackoffMs = 500
const maxBackoffMs = 8_000

/** Creates a client of Bitbucket Cloud's REST API; nothing is requested yet. */
export function openBitbucket(options: BitbucketOptions): Bitbucket & { close(): Promise<void> } {
  const { workspace, credentials, timeoutMs = 15_000, totalTimeoutMs = 30_000, now = Date.now } = options
  const { mask = (text) => text } = options
  const baseUrl = parseBaseUrl(options.url)
  const api = createJsonApi({
    service: 'Bitbucket',
    Failure: BitbucketError,
    headers: { authorization: formatAuthorization(credentials) },
    connections: 4,
    timeoutMs,
    totalTimeoutMs,
    // A page of a hundred repositories has about 80 KB.
    maxResponseBytes: 8 * 1024 * 1024,
    refuse: (response) => explainRefusal(response, { workspace, mask }),
    describeFailure,
    retryDelayMs: (attempt, retryAfterMs) =>
      Math.max(
        retryAfterMs ?? 0,
        Math.min(firstBackoffMs * 2 ** attempt, maxBackoffMs) * (0.75 + Math.random() / 2),
      ),
    now,
    sleep: options.sleep,
  })
  const addressOf = (segments: readonly string[], query: Readonly<Record<string, string>> = {}) => {
    const path = ['repositories', workspace, ...segments].map(encodeURIComponent).join('/')
    const url = new URL(path, baseUrl)
    url.search = String(new URLSearchParams(query))
    return url
  }

  async function list(signal?: AbortSignal): Promise<readonly BitbucketRepository[]> {
    const first = addressOf([], {
      pagelen: '100',
      // New repositories come last, so no page shifts while the pages are read.
      sort: 'created_on',
      fields: ['next', ...repositoryFields.map((field) => `values.${field}`)].join(','),
    })
    const found = new Map<string, BitbucketRepository>()
    for await (const each of api.pages(page, first, { maxPages, urlSetting: 'BITBUCKET_URL', signal })) {
      if (each === undefined)
        throw bitbucketError(404, { code: 'bitbucket_workspace_missing', params: { workspace } })
      for (const repository of each.values) found.set(repository.name, repository)
    }
    return [...found.values()]
  }

  async function find(slug: string, signal?: AbortSignal, deadlineMs?: number) {
    if (!isSlug(slug)) return null
    const url = addressOf([slug], { fields: repositoryFields.join(',') })
    return (await api.request(repository, { url, signal, deadlineMs })) ?? null
  }

  async function fork(source: string, fork: Fork, signal?: AbortSignal): Promise<BitbucketRepository> {
    if (!isSlug(source))
      throw bitbucketError(404, { code: 'bitbucket_repository_missing', params: { repository: source } })
    if (!isSlug(fork.name))
      throw bitbucketError(400, { code: 'bitbucket_name_invalid', params: { name: fork.name } })
    const url = addressOf([source, 'forks'])
    const deadlineMs = now() + totalTimeoutMs
    const findFork = (slug: string) => find(slug, signal, deadlineMs)
    return forkOnce(api, { workspace, source, fork, url, deadlineMs, find: findFork, signal })
  }

  return { list, find: (slug, signal) => find(slug, signal), fork, close: api.close }
}

/** Whether Bitbucket allows the name, and it cannot change a path. */
const isSlug = (text: string): boolean => /^[a-z0-9._-]{1,128}$/i.test(text) && !/^\.+$/.test(text)

/** A user's API token comes with the account's e-mail address, any other token alone. */
const formatAuthorization = (credentials: string): string =>
  credentials.includes(':') ? `Basic ${Buffer.from(credentials).toString('base64')}` : `Bearer ${credentials}`
