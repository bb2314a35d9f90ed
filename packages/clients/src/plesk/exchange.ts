import { Agent } from 'undici'
import { connectTo } from '../probe/connect-to.ts'
import { connectionFailure } from '../probe/failure.ts'
import { openNames } from '../probe/names.ts'
import { reasonIn } from './answers.ts'
import { connectorOf } from './connect.ts'
import { PleskError, type PleskNode, type PleskSettings } from './plesk.ts'

export interface Ask {
  readonly node: PleskNode
  /** Below `/api/v2`. */
  readonly path: string
  /** What is sent by POST; without it, it is a GET. */
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** Answers are read up to this size, in bytes: a node's list of ten thousand domains has some 4 MB. */
const largest = 32 * 1024 * 1024
const port = 8443

/** Asks nodes, each over connections of its own. */
export function openExchange(settings: PleskSettings) {
  const { keys, certificates = {}, connectTo: list = '', dnsServers = [], timeout = 10_000 } = settings
  const detourOf = connectTo(list)
  const names = openNames({ servers: dnsServers, timeout: 2_000, now: settings.now ?? Date.now })
  const agents = new Map<string, Agent>()
  const closed = new AbortController()

  function agentOf(node: string): Agent {
    const known = agents.get(node)
    if (known) return known
    const agent = new Agent({
      connect: connectorOf({
        detourOf,
        names,
        pin: certificates[node]?.replaceAll(':', '').toUpperCase() ?? null,
        patience: Math.min(timeout, 5_000),
      }),
      // A panel is no machine for crowds.
      connections: 2,
      allowH2: false,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxResponseSize: largest,
    })
    agents.set(node, agent)
    return agent
  }

  async function once({ node, path, body }: Ask, key: string, signal: AbortSignal): Promise<Answered> {
    const timedOut = AbortSignal.timeout(timeout)
    try {
      const answer = await agentOf(node.name).request({
        origin: `https://${node.plesk_fqdn}:${port}`,
        path: `/api/v2${path}`,
        method: body ? 'POST' : 'GET',
        headers: {
          accept: 'application/json',
          'x-api-key': key,
          'user-agent': 'Kustos',
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.any([signal, timedOut]),
      })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (cause) {
      signal.throwIfAborted()
      throw unanswered(node.name, timedOut.aborted, timeout, cause)
    }
  }

  return {
    /**
     * @returns the answer's JSON
     * @throws {PleskError} and the signal's reason where it is aborted, another Error where the client is closed
     */
    async ask(asked: Ask): Promise<unknown> {
      const { node } = asked
      const key = Object.hasOwn(keys, node.name) ? keys[node.name] : undefined
      if (key === undefined)
        throw new PleskError(0, `Plesk on ${node.name} cannot be asked: PLESK_API_KEYS has no key for it.`)
      const signal = asked.signal ? AbortSignal.any([asked.signal, closed.signal]) : closed.signal
      signal.throwIfAborted()
      const { status, body } = await once(asked, key, signal)
      if (status < 200 || status >= 300) throw refused(node.name, status, reasonIn(body))
      try {
        return JSON.parse(body)
      } catch (cause) {
        throw new PleskError(status, `Plesk on ${node.name} answered something that is not JSON.`, { cause })
      }
    },
    async close(): Promise<void> {
      closed.abort(new Error('The client of Plesk was closed'))
      names.close()
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

interface Answered {
  readonly status: number
  readonly body: string
}

const selfSigned = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])

function unanswered(node: string, timedOut: boolean, timeout: number, cause: unknown): PleskError {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new PleskError(200, `Plesk on ${node} answered more than Kustos is willing to read.`, { cause })
  if (timedOut || /_(HEADERS|BODY)_TIMEOUT$/.test(code))
    return new PleskError(0, `Plesk on ${node} did not answer within ${Math.ceil(timeout / 1000)} s.`, {
      cause,
    })
  const reason = reasons[code] ?? connectionFailure(error, 'header').message
  const advice = selfSigned.has(code) ? ', and PLESK_CERTIFICATES has no fingerprint of it' : ''
  return new PleskError(0, `Plesk on ${node} cannot be reached: ${reason}${advice}.`, { cause })
}

/** undici's own. */
const reasons: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
}

function refused(node: string, status: number, reason: string): PleskError {
  const error = (sentence: string) => new PleskError(status, `Plesk on ${node} ${sentence}.`)
  if (status === 401)
    return error(
      'does not accept the API key: it was revoked, or is bound to another address. Put a new one into PLESK_API_KEYS',
    )
  if (status === 403) return error('does not let the API key in PLESK_API_KEYS read its domains')
  if (status >= 500) return error(`is out of order (${status})`)
  return error(reason === '' ? `refuses to answer (${status})` : `refuses to answer: ${reason}`)
}
