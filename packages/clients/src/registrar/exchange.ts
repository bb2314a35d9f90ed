import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { unansweredBy } from '../http/unanswered.ts'
import { RegistrarError } from './registrar.ts'

export interface ExchangeOptions {
  /** Where the API lies. */
  readonly base: URL
  readonly token: string
  /** Milliseconds for one answer. */
  readonly timeout: number
  /** Milliseconds before each further try after a failure that time may heal; as many tries as there are waits. */
  readonly waits: readonly number[]
}

/** Answers are read up to this size, in bytes. */
const largest = 8 * 1024 * 1024

/** A failure that time may heal. */
const passes = ({ status }: RegistrarError) => status === 0 || status === 429 || status >= 500

/** One question after the other to the registrar. */
export function openExchange({ base, token, timeout, waits }: ExchangeOptions) {
  const agent = new Agent({
    connections: 2,
    allowH2: false,
    connectTimeout: Math.min(timeout, 5_000),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: largest,
  })
  const closed = new AbortController()

  async function once(url: URL, signal: AbortSignal): Promise<unknown> {
    // The token leaves for one place alone, whatever an answer points to.
    if (url.origin !== base.origin) {
      throw new RegistrarError(
        200,
        'The registrar points to another host for more, which Kustos does not follow. Check LIMITIS_API_URL.',
      )
    }
    let answered: { status: number; body: string }
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { accept: 'application/json', authorization: `Bearer ${token}`, 'user-agent': 'Kustos' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      })
      answered = { status: answer.statusCode, body: await answer.body.text() }
    } catch (cause) {
      signal.throwIfAborted()
      throw unanswered(cause, timeout)
    }
    const { status, body } = answered
    if (status < 200 || status >= 300) throw refused(status)
    try {
      return JSON.parse(body)
    } catch (cause) {
      throw new RegistrarError(status, 'The registrar answered something that is not JSON.', { cause })
    }
  }

  return {
    /**
     * @returns the answer's JSON
     * @throws {RegistrarError} and the signal's reason where it is aborted, another Error where the client is closed
     */
    async ask(url: URL, given?: AbortSignal): Promise<unknown> {
      const signal = given ? AbortSignal.any([given, closed.signal]) : closed.signal
      for (let attempt = 0; ; attempt++) {
        signal.throwIfAborted()
        try {
          return await once(url, signal)
        } catch (error) {
          const pause = waits[attempt]
          if (!(error instanceof RegistrarError) || !passes(error) || pause === undefined) throw error
          await sleep(pause, undefined, { signal }).catch((reason: unknown) => {
            signal.throwIfAborted()
            throw reason
          })
        }
      }
    },
    async close(): Promise<void> {
      // Not a failure of the registrar's.
      closed.abort(new Error('The client of the registrar was closed'))
      await agent.destroy()
    },
  }
}

function unanswered(cause: unknown, timeout: number): RegistrarError {
  const { status, sentence } = unansweredBy('The registrar', cause, timeout)
  return new RegistrarError(status, sentence, { cause })
}

function refused(status: number): RegistrarError {
  const error = (sentence: string) => new RegistrarError(status, sentence)
  if (status === 401)
    return error(
      'The registrar does not accept the token: it has expired or was revoked. Put a new one into LIMITIS_API_TOKEN.',
    )
  if (status === 403)
    return error('The registrar does not let the token in LIMITIS_API_TOKEN read its lists.')
  if (status === 404) return error('The registrar has no such list. Check LIMITIS_API_URL.')
  if (status === 429) return error('The registrar has had too many requests. Try again later.')
  if (status >= 500) return error(`The registrar is out of order (${status}). Try again later.`)
  if (status >= 300 && status < 400)
    return error(
      'The registrar points to another address, which Kustos does not follow. Check LIMITIS_API_URL.',
    )
  return error(`The registrar refuses to give its list (${status}).`)
}
