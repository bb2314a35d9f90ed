export type TlsSessions = ReturnType<typeof createTlsSessions>

/** Makes every handshake a full one. */
export const noTlsSessions: TlsSessions = {
  of: () => undefined,
  keep: () => undefined,
  forget: () => undefined,
}

/** A full handshake at least every twenty minutes, since a resumed session hides a certificate that has been replaced. */
const maxAgeMs = 20 * 60_000
/** Ages are random from here on, so that the hosts of a round do not need full handshakes in the same round. */
const minAgeMs = maxAgeMs / 2

/** Keeps the TLS sessions of hosts, which later handshakes resume. */
export function createTlsSessions({ now, maxHosts = 20_000 }: { now: () => number; maxHosts?: number }) {
  const kept = new Map<string, { readonly session: Buffer; readonly due: number }>()
  return {
    /** Returns undefined if the handshake has to be a full one. */
    of(host: string): Buffer | undefined {
      const found = kept.get(host)
      return found !== undefined && now() < found.due ? found.session : undefined
    },
    /** @param certificateEnds null for a resumed session, which does not prolong the first one's time */
    keep(host: string, session: Buffer, certificateEnds: Date | null): void {
      const due =
        certificateEnds === null
          ? kept.get(host)?.due
          : Math.min(now() + minAgeMs + Math.random() * (maxAgeMs - minAgeMs), certificateEnds.getTime())
      kept.delete(host)
      if (due === undefined) return
      if (kept.size >= maxHosts) kept.delete(kept.keys().next().value ?? host)
      kept.set(host, { session, due })
    },
    /** Makes the next handshake a full one. */
    forget: (host: string): void => void kept.delete(host),
  }
}
