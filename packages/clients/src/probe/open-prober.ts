import { isIP } from 'node:net'
import tls from 'node:tls'
import { permission, readHost } from './addresses.ts'
import { connectTo } from './connect-to.ts'
import { type Answered, openConnections, type Run } from './connection.ts'
import { connectionFailure, ProbeFailure, stages } from './failure.ts'
import { openNames } from './names.ts'
import type { Probed, Prober, ProberSettings } from './prober.ts'
import { noSessions, openSessions } from './sessions.ts'
import { within } from './within.ts'

/** Addresses of one family that are tried, one after the other. */
const mostTries = 3
/** X25519 alone has its key sent at once; a server without it asks for one of the others. */
const groups = 'X25519:P-256:P-384:P-521'

/** @throws where an allowed network or a name server's address is not one */
export function openProber(settings: ProberSettings = {}): Prober {
  const { connectTo: list = '', allowNetworks = [], dnsServers = [], authorities = [] } = settings
  const { deadline = 10_000, ports = { secure: 443, plain: 80 }, now = Date.now, resumes = true } = settings
  const detourOf = connectTo(list)
  const permits = permission(allowNetworks)
  const names = openNames({ servers: dnsServers, timeout: deadline / 5, now })
  // One for all: making a context for each connection costs as much as the rest of a probe (docs/decisions/0006).
  const context = tls.createSecureContext({
    ecdhCurve: groups,
    ...(authorities.length > 0 && { ca: [...tls.getCACertificates('default'), ...authorities] }),
  })
  const ask = openConnections(context, resumes ? openSessions({ now }) : noSessions)
  const running = new Map<AbortController, Promise<Probed>>()
  let closed = false

  async function look(host: string, run: Run): Promise<Answered> {
    const target = readHost(host)
    if (target === null) throw new ProbeFailure('its name is not a host name')
    try {
      return await attempt(target, true, run)
    } catch (error) {
      // What was resolved may have moved meanwhile.
      names.forget(target.name)
      if (!(error instanceof ProbeFailure) || error.code !== 'ECONNREFUSED' || run.signal.aborted) throw error
      return await attempt(target, false, run)
    }
  }

  async function attempt(target: Target, secure: boolean, run: Run): Promise<Answered> {
    const port = secure ? ports.secure : ports.plain
    const detour = detourOf({ host: target.name, port })
    const to = detour === null ? target : readHost(detour.host)
    if (to === null) throw new ProbeFailure('CONNECT_TO sends it to what is not a host name')
    const permitted = detour === null ? permits : () => true
    const failures: ProbeFailure[] = []
    let isPrivate = false
    // IPv6 is not even asked for where IPv4 connects: a web that only one of them reaches is down for many.
    for (const family of [4, 6] as const) {
      const found = await addressesOf(to, family, run).catch((error: unknown) => {
        // Where IPv4 has said what there is, broken name servers for IPv6 are no news.
        if (failures.length === 0 || run.signal.aborted) throw error
        return []
      })
      const tried = found.filter(permitted).slice(0, mostTries)
      isPrivate ||= found.length > 0 && tried.length === 0
      for (const [index, address] of tried.entries()) {
        const left = tried.length - index
        try {
          return await ask(
            {
              name: target.name,
              secure,
              address,
              port: detour?.port ?? port,
              patience: left === 1 ? null : (run.endsAt - performance.now()) / left,
              permits: permitted,
            },
            run,
          )
        } catch (error) {
          if (!(error instanceof ProbeFailure) || run.stage !== 'connection' || run.signal.aborted)
            throw error
          failures.push(error)
        }
      }
    }
    throw (
      tellingOf(failures) ??
      new ProbeFailure(isPrivate ? 'its address is private' : 'its name has no address')
    )
  }

  async function addressesOf({ name, address }: Target, family: 4 | 6, run: Run) {
    run.stage = 'name'
    if (address !== null) return isIP(address) === family ? [address] : []
    return await within(names.addresses(name, family), run.signal)
  }

  async function probe(
    host: string,
    stop: AbortController,
    signal: AbortSignal | undefined,
  ): Promise<Probed> {
    const startedAt = new Date(now())
    const begun = performance.now()
    const run: Run = { signal: stop.signal, endsAt: begun + deadline, stage: 'name' }
    const stopped = () => stop.abort(new ProbeFailure('stopped'))
    const timer = setTimeout(() => {
      stop.abort(new ProbeFailure(`${stages[run.stage]} within ${deadline / 1000} s`))
    }, deadline)
    signal?.addEventListener('abort', stopped)
    try {
      if (closed || signal?.aborted) throw new ProbeFailure('stopped')
      const { status, at, certificate } = await look(host, run)
      return { startedAt, status, reason: null, milliseconds: Math.round(at - begun), certificate }
    } catch (error) {
      const { message } = connectionFailure(
        error instanceof Error ? error : new Error(String(error)),
        run.stage,
      )
      const milliseconds = Math.round(performance.now() - begun)
      return { startedAt, status: null, reason: message, milliseconds, certificate: null }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stopped)
    }
  }

  return {
    probe(host, signal) {
      const stop = new AbortController()
      const probing = probe(host, stop, signal).finally(() => running.delete(stop))
      running.set(stop, probing)
      return probing
    },
    async close() {
      closed = true
      for (const stop of running.keys()) stop.abort(new ProbeFailure('stopped'))
      names.close()
      await Promise.all(running.values())
    },
  }
}

type Target = NonNullable<ReturnType<typeof readHost>>

/** This machine has no way to such addresses at all, which says nothing of the web. */
const unroutable = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** Of several, the one that is a reason not to try HTTP; then a refusal. */
function tellingOf(failures: readonly ProbeFailure[]): ProbeFailure | undefined {
  const routed = failures.filter(({ code }) => !unroutable.has(code ?? ''))
  return routed.find(({ code }) => code !== 'ECONNREFUSED') ?? routed[0] ?? failures[0]
}
