import { Agent, type Dispatcher } from 'undici'
import { retryAfterOf } from '../http/retry-after.ts'
import { BitbucketError } from './bitbucket.ts'
import { refused, unanswered } from './refusals.ts'

export interface ExchangeOptions {
  /** Where the REST API lies, such as https://api.bitbucket.org/2.0 */
  readonly base: URL
  readonly workspace: string
  /** A bearer token, or `email:token` of a user. */
  readonly credentials: string
  /** Milliseconds for one answer. */
  readonly timeout: number
  /** Milliseconds after which a call gives up, its retries and their waits included. */
  readonly patience: number
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export interface Ask {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly body?: object
  readonly signal?: AbortSignal | undefined
  /** When to give up, where a call is more than this one request. */
  readonly deadline?: number | undefined
  /** Whether it may be asked again after this error; asked before each wait. */
  readonly again?: (error: BitbucketError) => boolean
}

/** Answers are read up to this size, in bytes: a page of a hundred repositories has some 80 KB. */
const largest = 8 * 1024 * 1024

const firstWait = 500
const longestWait = 8_000
/** A try that cannot last this long would only hide why the one before it failed. */
const shortestTry = 2_000

/** A failure that time may heal. */
const passes = ({ status }: BitbucketError) => status === 0 || status === 429 || status >= 500

/** One request after the other with Bitbucket, each with its retries. */
export function openExchange(options: ExchangeOptions) {
  const { base, timeout, patience, now, sleep } = options
  const agent = new Agent({
    connections: 4,
    // One request at a time gains nothing by it, and every failure is one of a connection's own.
    allowH2: false,
    connectTimeout: Math.min(timeout, 5_000),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: largest,
  })
  const closed = new AbortController()
  const authorization = authorizationOf(options.credentials)

  /** @throws {BitbucketError} */
  async function once({ method, url, body }: Ask, limit: number, signal: AbortSignal): Promise<Answer> {
    // The credentials leave for one place alone, whatever an answer points to.
    if (url.origin !== base.origin) {
      throw new BitbucketError(
        200,
        'Bitbucket points to another host for more, which Kustos does not follow. Check BITBUCKET_URL.',
      )
    }
    const soon = AbortSignal.any([signal, AbortSignal.timeout(limit)])
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: {
          accept: 'application/json',
          authorization,
          'user-agent': 'Kustos',
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? JSON.stringify(body) : null,
        signal: soon,
      })
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() }
    } catch (cause) {
      signal.throwIfAborted()
      throw unanswered(cause, limit)
    }
  }

  return {
    deadline: () => now() + patience,
    /**
     * @returns the answer's JSON; null for 404
     * @throws {BitbucketError} and the signal's reason where it is aborted, another Error where the client is closed
     */
    async ask(request: Ask): Promise<unknown> {
      const signal = request.signal ? AbortSignal.any([request.signal, closed.signal]) : closed.signal
      const deadline = request.deadline ?? now() + patience
      for (let attempt = 0; ; attempt++) {
        signal.throwIfAborted()
        const limit = Math.max(1, Math.ceil(Math.min(timeout, deadline - now())))
        const outcome = await settle(once(request, limit, signal))
        if ('json' in outcome) return outcome.json
        const { error, retryAfter } = outcome
        signal.throwIfAborted()
        const backoff = Math.min(firstWait * 2 ** attempt, longestWait) * (0.75 + Math.random() / 2)
        const wait = Math.max(retryAfter ?? 0, backoff)
        const late = now() + wait + Math.min(timeout, shortestTry) > deadline
        if (late || !passes(error) || request.again?.(error) === false) throw error
        await sleep(wait, signal).catch((reason) => {
          signal.throwIfAborted()
          throw reason
        })
      }
    },
    async close(): Promise<void> {
      // Not a failure of Bitbucket's.
      closed.abort(new Error('The client of Bitbucket was closed'))
      await agent.destroy()
    },
  }

  async function settle(
    answering: Promise<Answer>,
  ): Promise<{ json: unknown } | { error: BitbucketError; retryAfter: number | null }> {
    try {
      const { status, headers, body } = await answering
      if (status === 404) return { json: null }
      if (status >= 200 && status < 300) return { json: parse(status, body) }
      const retryAfter = retryAfterOf(headers['retry-after'], now())
      return { error: refused({ status, body, retryAfter, workspace: options.workspace }), retryAfter }
    } catch (error) {
      if (error instanceof BitbucketError) return { error, retryAfter: null }
      throw error
    }
  }
}

interface Answer {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly body: string
}

export type Exchange = ReturnType<typeof openExchange>

/** A user's token goes with the e-mail address of the account, every other one stands alone. */
function authorizationOf(credentials: string): string {
  return credentials.includes(':')
    ? `Basic ${Buffer.from(credentials).toString('base64')}`
    : `Bearer ${credentials}`
}

function parse(status: number, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new BitbucketError(status, 'Bitbucket answered something that is not JSON.', { cause })
  }
}
