/** The configuration of monitoring. */
export interface MonitoringSettings {
  /** Seconds from one round to the next. */
  readonly interval: number
  /** The part of a host name that marks the operator's own; empty for none. */
  readonly internalMarker: string
}

/**
 * For so long after its interval a round waits for what is still under way: a probe that times out, the second one, and
 * the worker that takes a dead one's shard over. In milliseconds.
 */
export const roundGraceMs = 35_000
