import type { FetchFailure } from '../connect/fetch-error.ts'
import type { ConnectSettings } from '../connect/host-connector.ts'

export interface Prober {
  /**
   * Requests `https://<host>/`, or `http://<host>/` if port 443 refuses; redirects are not followed. Never rejects.
   * @param signal ends it early with the reason "stopped"
   */
  probe(host: string, signal?: AbortSignal): Promise<Probed>
  close(): Promise<void>
}

export interface Probed {
  readonly startedAt: Date
  /** Null if no response came. */
  readonly status: number | null
  /** Why no response came. */
  readonly reason: FetchFailure | null
  /** Until the response's header was complete, or until the failure. */
  readonly milliseconds: number
  /** Null without a full handshake, which occurs at least once an hour for each host. */
  readonly certificate: Certificate | null
}

export interface Certificate {
  /** The issuer's organisation, otherwise its common name. */
  readonly authority: string
  readonly expiration: Date
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
