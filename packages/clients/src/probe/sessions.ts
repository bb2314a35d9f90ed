export interface SessionsSettings {
  /** Milliseconds that pass on their own. */
  readonly now: () => number
  /** Sessions that are kept. */
  readonly most?: number
}

/** TLS sessions of hosts, for handshakes without certificates and signatures. */
export interface Sessions {
  /** @returns undefined where the handshake has to be a full one */
  of(host: string): Buffer | undefined
  /** @param certificateEnds after a full handshake; null where a session was resumed, whose hour goes on */
  keep(host: string, session: Buffer, certificateEnds: Date | null): void
  /** The next handshake is a full one. */
  forget(host: string): void
}

/** Every handshake is a full one. */
export const noSessions: Sessions = { of: () => undefined, keep: () => undefined, forget: () => undefined }

/** A full handshake at least every hour, in milliseconds, with some room for the time from one probe to the next. */
const longest = 55 * 60_000
/** Hosts of one round shall not be due in one round: each gets a time of its own from half of it on. */
const shortest = longest / 2

/** Bounded: where more hosts come by, the one that was not seen for the longest time makes room. */
export function openSessions({ now, most = 20_000 }: SessionsSettings): Sessions {
  const kept = new Map<string, { readonly session: Buffer; readonly due: number }>()
  return {
    of(host) {
      const found = kept.get(host)
      return found !== undefined && now() < found.due ? found.session : undefined
    },
    keep(host, session, certificateEnds) {
      const due =
        certificateEnds === null
          ? kept.get(host)?.due
          : Math.min(now() + shortest + Math.random() * (longest - shortest), certificateEnds.getTime())
      kept.delete(host)
      if (due === undefined) return
      if (kept.size >= most) kept.delete(kept.keys().next().value ?? host)
      kept.set(host, { session, due })
    },
    forget: (host) => void kept.delete(host),
  }
}
