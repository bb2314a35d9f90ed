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

interface Aliases {
  /** The names that the CNAME records of a host lead to, in order. */
  readonly names: readonly string[]
  /** Whether these are all. */
  readonly isComplete: boolean
}

const unknown: Aliases = { names: [], isComplete: false }

/**
 * Returns the names that hosts' CNAME records lead to, as far as they can be resolved in time.
 * @throws the signal's reason
 */
export async function resolveAliases(
  hosts: readonly string[],
  { dns, timeoutMs, signal }: Options,
): Promise<ReadonlyMap<string, Aliases>> {
  const timeout = AbortSignal.timeout(Math.max(timeoutMs, 0))
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  const limit = pLimit(maxConcurrency)

  async function resolve(host: string): Promise<Aliases> {
    const names: string[] = []
    for (let name = host; names.length < maxSteps; ) {
      const records = await resolveOne(name)
      if (records === null) return { names, isComplete: false }
      const [next] = records
      if (next === undefined || next === host || names.includes(next)) break
      names.push(next)
      name = next
    }
    return { names, isComplete: true }
  }

  /** @returns null if it is unknown */
  async function resolveOne(name: string): Promise<readonly string[] | null> {
    if (timeout.aborted) return null
    try {
      const answer = await dns.records(name, 'CNAME', { signal: either })
      return answer.outcome === 'answered' ? answer.records : null
    } catch (error) {
      // Later than the page is worth waiting for.
      if (timeout.aborted && !signal?.aborted) return null
      throw error
    }
  }

  const found = hosts.map((host, index) =>
    limit(async () => [host, timeoutMs > 0 && index < maxHosts ? await resolve(host) : unknown] as const),
  )
  return new Map(await Promise.all(found))
}
