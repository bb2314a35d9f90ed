import type { Dns } from '@kustos/clients/dns'
import pLimit from 'p-limit'

/** Of one audit; only a hostile page has more. */
const maxHosts = 20
const maxSteps = 5
const maxConcurrency = 6

interface Options {
  readonly dns: Pick<Dns, 'records'>
  /** For all hosts together. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the names that hosts' CNAME records lead to, in order, as far as they can be resolved in time.
 * @throws the signal's reason
 */
export async function resolveAliases(
  hosts: readonly string[],
  { dns, timeoutMs, signal }: Options,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (timeoutMs <= 0) return new Map()
  const timeout = AbortSignal.timeout(timeoutMs)
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  const limit = pLimit(maxConcurrency)

  async function resolve(host: string): Promise<readonly string[]> {
    const names: string[] = []
    for (let name = host; names.length < maxSteps; ) {
      const next = await resolveOne(name)
      if (next === null || next === host || names.includes(next)) break
      names.push(next)
      name = next
    }
    return names
  }

  async function resolveOne(name: string): Promise<string | null> {
    if (timeout.aborted) return null
    try {
      const answer = await dns.records(name, 'CNAME', { signal: either })
      return answer.outcome === 'answered' ? (answer.records[0] ?? null) : null
    } catch (error) {
      // Later than the page is worth waiting for.
      if (timeout.aborted && !signal?.aborted) return null
      throw error
    }
  }

  const found = hosts
    .slice(0, maxHosts)
    .map((host) => limit(async () => [host, await resolve(host)] as const))
  return new Map(await Promise.all(found))
}
