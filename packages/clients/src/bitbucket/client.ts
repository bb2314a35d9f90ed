import { setTimeout as sleep } from 'node:timers/promises'
import { readPage, readRepository, repositoryFields } from './answers.ts'
import { type Bitbucket, BitbucketError, type BitbucketRepository, type Fork } from './bitbucket.ts'
import { openExchange } from './exchange.ts'
import { forkOnce } from './fork.ts'

export interface BitbucketOptions {
  /** Where the REST API lies, such as https://api.bitbucket.org/2.0 */
  readonly url: string
  /** The workspace's slug. */
  readonly workspace: string
  /** A repository, project or workspace access token; or `email:token` with an API token of that user. */
  readonly credentials: string
  /** Milliseconds for one answer; 15 s unless told otherwise. */
  readonly timeout?: number
  /** Milliseconds after which a request gives up, its retries included; 30 s unless told otherwise. */
  readonly patience?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Pages of a hundred: more repositories than that are no workspace, but a server that never ends. */
const mostPages = 200

/** Opens a client of Bitbucket Cloud's REST API; nothing is asked yet. */
export function openBitbucket(options: BitbucketOptions): Bitbucket & { close(): Promise<void> } {
  const { workspace } = options
  const base = new URL(`${options.url.replace(/\/+$/, '')}/`)
  const exchange = openExchange({
    base,
    workspace,
    credentials: options.credentials,
    timeout: options.timeout ?? 15_000,
    patience: options.patience ?? 30_000,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? (async (milliseconds, signal) => sleep(milliseconds, undefined, { signal })),
  })
  const address = (...segments: string[]) =>
    new URL(['repositories', workspace, ...segments].map(encodeURIComponent).join('/'), base)

  async function list(signal?: AbortSignal): Promise<readonly BitbucketRepository[]> {
    const first = address()
    first.search = String(
      new URLSearchParams({
        pagelen: '100',
        // The order in which nothing moves while the pages are read: what is new comes last.
        sort: 'created_on',
        fields: ['next', ...repositoryFields.map((field) => `values.${field}`)].join(','),
      }),
    )
    const found = new Map<string, BitbucketRepository>()
    let next: URL | null = first
    for (let pages = 0; next !== null; pages++) {
      if (pages === mostPages)
        throw new BitbucketError(200, `Bitbucket's list has no end after ${pages} pages.`)
      const answer = await exchange.ask({ method: 'GET', url: next, signal })
      if (answer === null) {
        throw new BitbucketError(
          404,
          `Bitbucket knows no workspace ${workspace}. Check BITBUCKET_WORKSPACE and what the token may read.`,
        )
      }
      const page = readPage(answer)
      for (const repository of page.values) found.set(repository.name, repository)
      next = page.next === undefined ? null : nextPage(page.next)
    }
    return [...found.values()]
  }

  async function look(
    slug: string,
    signal?: AbortSignal,
    deadline?: number,
  ): Promise<BitbucketRepository | null> {
    if (!isSlug(slug)) return null
    const url = address(slug)
    url.search = String(new URLSearchParams({ fields: repositoryFields.join(',') }))
    const answer = await exchange.ask({ method: 'GET', url, signal, deadline })
    return answer === null ? null : readRepository(answer)
  }

  async function fork(source: string, fork: Fork, signal?: AbortSignal): Promise<BitbucketRepository> {
    if (!isSlug(source)) throw new BitbucketError(404, `Bitbucket has no repository ${source}.`)
    if (!isSlug(fork.name))
      throw new BitbucketError(400, `${fork.name} is no name that Bitbucket takes for a repository.`)
    return forkOnce(exchange, {
      workspace,
      source,
      fork,
      url: address(source, 'forks'),
      look: (slug, deadline) => look(slug, signal, deadline),
      signal,
    })
  }

  return { list, find: (slug, signal) => look(slug, signal), fork, close: () => exchange.close() }
}

/** What Bitbucket itself allows; nothing that changes a path. */
const isSlug = (text: string): boolean => /^[a-z0-9._-]{1,128}$/i.test(text) && !/^\.+$/.test(text)

function nextPage(next: string): URL {
  if (!URL.canParse(next)) throw new BitbucketError(200, "Bitbucket's next page has no address.")
  return new URL(next)
}
