import type { Prober } from '@kustos/clients/probe'

/** Hosts of others that tell an outage of all webs from one of our own network. */
export interface Controls {
  /** Whether one of them responds. Asked at most once in some seconds. */
  respond(): Promise<boolean>
}

/** Webs that fail together ask together. */
const cacheMs = 5_000

/** @returns null if there are none */
export function openControls(
  prober: Prober,
  hosts: readonly string[],
  now: () => number = Date.now,
): Controls | null {
  if (hosts.length === 0) return null
  let latest: { readonly at: number; readonly responds: Promise<boolean> } | null = null

  /** Whatever the status: a response has passed through our network. */
  async function ask(): Promise<boolean> {
    const asked = hosts.map(async (host) => {
      const { status } = await prober.probe(host)
      if (status === null) throw new Error(`${host} does not respond`)
    })
    return Promise.any(asked).then(
      () => true,
      () => false,
    )
  }

  return {
    respond() {
      if (latest === null || now() - latest.at >= cacheMs) latest = { at: now(), responds: ask() }
      return latest.responds
    },
  }
}
