import { Agent, buildConnector, request } from 'undici'
import { connectTo } from './connect-to.ts'

/** One GET of a web's front page. */
export interface Probe {
  /** @returns the HTTP status; null where no answer came, with the reason in a sentence */
  look(url: string, signal: AbortSignal): Promise<Look>
  close(): Promise<void>
}

export type Look =
  | { readonly status: number; readonly milliseconds: number }
  | { readonly status: null; readonly reason: string }

export interface ProbeSettings {
  /** curl's `--connect-to`. */
  readonly connectTo: string
  /** For all of it, in milliseconds. */
  readonly timeout?: number
}

export const userAgent = 'Kustos/1.0 (uptime probe)'

export function openProbe({ connectTo: list, timeout = 10_000 }: ProbeSettings): Probe {
  const detour = connectTo(list)
  const connect = buildConnector({ timeout })
  const agent = new Agent({
    connect(options, callback) {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      const to = detour({ host: options.hostname, port })
      // The name stays what is asked for in TLS; only where the connection goes differs.
      connect(
        to === null
          ? options
          : {
              ...options,
              hostname: to.host,
              port: String(to.port),
              servername: options.servername ?? options.hostname,
            },
        callback,
      )
    },
  })
  return {
    async look(url, signal) {
      const started = performance.now()
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method: 'GET',
          headers: { 'user-agent': userAgent, accept: '*/*' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
        })
        const milliseconds = Math.round(performance.now() - started)
        await answer.body.dump({ limit: 256 * 1024 })
        return { status: answer.statusCode, milliseconds }
      } catch (error) {
        return { status: null, reason: reasonOf(error, timeout) }
      }
    },
    close: () => agent.destroy(),
  }
}

function reasonOf(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${timeout / 1000} s`
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name does not resolve'
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  return error.message || code
}
