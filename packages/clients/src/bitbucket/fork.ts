import { readRepository } from './answers.ts'
import { BitbucketError, type BitbucketRepository, type Fork, SlugTaken } from './bitbucket.ts'
import type { Ask, Exchange } from './exchange.ts'
import { hadNoEffect } from './refusals.ts'

export interface Forking {
  /** A slug, or a UUID in braces. */
  readonly workspace: string
  /** The slug to fork from. */
  readonly source: string
  readonly fork: Fork
  /** Of the source's forks. */
  readonly url: URL
  /** Looks for a repository, until the same deadline. */
  readonly look: (slug: string, deadline: number) => Promise<BitbucketRepository | null>
  readonly signal: AbortSignal | undefined
}

/**
 * Forks at most once. Where it is not known whether asking had an effect, it looks for the fork before it asks a second
 * and last time, and takes what it finds for its own where source and description are the same.
 */
export async function forkOnce(exchange: Exchange, forking: Forking): Promise<BitbucketRepository> {
  const { workspace, source, fork, url, look, signal } = forking
  // For asking, looking and asking again together.
  const deadline = exchange.deadline()
  const request: Ask = {
    method: 'POST',
    url,
    body: {
      name: fork.name,
      description: fork.description,
      project: { key: fork.project },
      workspace: workspace.startsWith('{') ? { uuid: workspace } : { slug: workspace },
    },
    signal,
    deadline,
    again: hadNoEffect,
  }

  const ask = async () => {
    const answer = await exchange.ask(request)
    if (answer === null) throw new BitbucketError(404, `Bitbucket has no repository ${source}.`)
    return readRepository(answer)
  }

  /** @throws {BitbucketError} with the error that led here, where that cannot be seen either */
  const findOurs = async (error: BitbucketError) => {
    try {
      const there = await look(fork.name, deadline)
      // The full name shows the workspace's slug, however it was given to us.
      const ours = there?.parent?.endsWith(`/${source}`) && there.description === fork.description
      return ours ? there : null
    } catch (cause) {
      if (!(cause instanceof BitbucketError)) throw cause
      const sentence = `${error.message} Whether the fork was made could not be seen.`
      throw new BitbucketError(error.status, sentence, { cause })
    }
  }

  let first: BitbucketError
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof BitbucketError) || !isUnsure(error)) throw error
    first = error
  }
  const made = await findOurs(first)
  if (made !== null) return made
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof BitbucketError) || !(isUnsure(error) || error instanceof SlugTaken)) throw error
    // The first one may have come about after it was looked for.
    const late = await findOurs(error)
    if (late === null) throw error
    return late
  }
}

/** No answer, one that cannot be read, or one of a server in trouble. */
const isUnsure = (error: BitbucketError): boolean =>
  (error.status < 300 || error.status >= 500) && !hadNoEffect(error)
