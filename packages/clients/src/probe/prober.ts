import type { Certificate } from '../connect/certificate.ts'
import { FetchError, type FetchFailure, timeoutCodes, toFetchError } from '../connect/fetch-error.ts'
import { createSecureContext } from '../connect/guarded-connector.ts'
import { type ConnectSettings, createHostConnector } from '../connect/host-connector.ts'
import { createProbeConnections, type ProbeRun } from './connection.ts'
import { type Checked, fetchChecked, type ProbeCheck, unchecked } from './follow-redirects.ts'
import { frontPage, type HttpRequest } from './http-request.ts'
import { createTlsSessions, noTlsSessions } from './tls-sessions.ts'

export type { ProbeCheck } from './follow-redirects.ts'

export interface Prober {
  /**
   * Requests `https://<host>/`, or `http://<host>/` if port 443 refuses, or what the check says. Never rejects.
   * @param signal ends it early with the reason "stopped"
   */
  probe(host: string, signal?: AbortSignal, options?: ProbeOptions): Promise<Probed>
  close(): Promise<void>
}

export interface ProbeOptions {
  /** Whether a refusal on port 443 is a failure, since visitors of a web that had a certificate do not try HTTP. */
  readonly requiresTls?: boolean
  /** Without one the front page is requested, and redirects are not followed. */
  readonly check?: ProbeCheck | undefined
}

export interface Probed {
  readonly startedAt: Date
  /** Null if no response came. */
  readonly status: number | null
  /** Why no response came. */
  readonly reason: FetchFailure | null
  /** Until the response's header was complete, or until the failure. */
  readonly milliseconds: number
  /** Null if there was no full handshake, which occurs at least once an hour for each host. */
  readonly certificate: Certificate | null
  /** Whether there was nothing but white space in the body of the response. */
  readonly isBlank: boolean
  /** What is wrong with the response besides its status, such as where it redirects to. */
  readonly problem: Checked['problem']
  /** Whether each of the check's texts was found; empty if they were not looked for. */
  readonly texts: readonly boolean[]
}

export interface ProberSettings extends ConnectSettings {
  /** Certificate authorities in PEM that are trusted besides Node's own. */
  readonly authorities?: readonly string[]
  /** For a whole probe. */
  readonly deadlineMs?: number
  readonly ports?: { readonly secure: number; readonly plain: number }
  /** Whether probes may resume TLS sessions, which show no certificate; true by default. */
  readonly resumes?: boolean
}

const noResponse = { status: null, certificate: null, isBlank: false, problem: null, texts: [] } as const

/** Only X25519 keys are sent at once; a server without it asks for one of the others. */
const ecdhCurve = 'X25519:P-256:P-384:P-521'

/** @throws if an allowed network or a name server's address is invalid */
export function openProber(settings: ProberSettings = {}): Prober {
  const { deadlineMs = 10_000, ports = { secure: 443, plain: 80 }, now = Date.now, resumes = true } = settings
  const hosts = createHostConnector({ ...settings, dnsTimeoutMs: deadlineMs / 5 })
  // Shared, since creating a context per connection would cost as much as the rest of a probe (docs/decisions/0006).
  const context = createSecureContext(settings.authorities ?? [], { ecdhCurve })
  const send = createProbeConnections(context, resumes ? createTlsSessions({ now }) : noTlsSessions)
  const running = new Map<AbortController, Promise<Probed>>()
  let closed = false

  async function fetch(host: string, request: HttpRequest, run: ProbeRun, requiresTls: boolean) {
    try {
      return { response: await attempt({ host, isSecure: true }, request, run), isSecure: true }
    } catch (error) {
      if (!(error instanceof FetchError) || error.code !== 'ECONNREFUSED' || run.signal.aborted) throw error
      if (requiresTls) throw new FetchError({ code: 'tls_refused' }, { code: error.code, cause: error })
      return { response: await attempt({ host, isSecure: false }, request, run), isSecure: false }
    }
  }

  const attempt = (
    { host, isSecure }: { readonly host: string; readonly isSecure: boolean },
    request: HttpRequest,
    run: ProbeRun,
  ) =>
    hosts.connect(
      host,
      isSecure ? ports.secure : ports.plain,
      ({ remaining, ...address }) => {
        const connectTimeoutMs = remaining === 1 ? null : (run.endsAt - performance.now()) / remaining
        return send({ ...address, isSecure, request, connectTimeoutMs }, run)
      },
      {
        signal: run.signal,
        onLookup: () => {
          run.stage = 'name'
        },
        isFinal: () => run.stage !== 'connection' || run.signal.aborted,
      },
    )

  async function probe(
    host: string,
    stop: AbortController,
    signal: AbortSignal | undefined,
    { requiresTls = false, check }: ProbeOptions,
  ): Promise<Probed> {
    const startedAt = new Date(now())
    const startMs = performance.now()
    const timeoutMs = Math.min(deadlineMs, check?.timeoutMs ?? deadlineMs)
    const run: ProbeRun = { signal: stop.signal, endsAt: startMs + timeoutMs, stage: 'name' }
    const stopEarly = () => stop.abort(new FetchError({ code: 'stopped' }))
    const timer = setTimeout(() => {
      stop.abort(new FetchError({ code: timeoutCodes[run.stage], params: { seconds: timeoutMs / 1000 } }))
    }, timeoutMs)
    signal?.addEventListener('abort', stopEarly)
    try {
      if (closed || signal?.aborted) throw new FetchError({ code: 'stopped' })
      const { response, problem, texts } =
        check === undefined
          ? unchecked((await fetch(host, frontPage, run, requiresTls)).response)
          : await fetchChecked(
              host,
              check,
              (request) => fetch(host, request, run, requiresTls),
              (address, request) => attempt(address, request, run),
            )
      const { status, at, certificate, isBlank } = response
      const milliseconds = Math.round(at - startMs)
      return { startedAt, status, reason: null, milliseconds, certificate, isBlank, problem, texts }
    } catch (error) {
      const { failure } = toFetchError(error, run.stage)
      const milliseconds = Math.round(performance.now() - startMs)
      return { ...noResponse, startedAt, reason: failure, milliseconds }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stopEarly)
    }
  }

  return {
    probe(host, signal, options = {}) {
      const stop = new AbortController()
      const probing = probe(host, stop, signal, options).finally(() => running.delete(stop))
      running.set(stop, probing)
      return probing
    },
    async close() {
      closed = true
      for (const stop of running.keys()) stop.abort(new FetchError({ code: 'stopped' }))
      hosts.close()
      await Promise.all(running.values())
    },
  }
}
