export interface MonitoringSettings {
  /** From one round to the next. */
  readonly intervalSeconds: number
  /** The part of a host name that marks the operator's own; empty for none. */
  readonly internalMarker: string
}

/**
 * After its interval a round waits this long for probes that time out, second probes, and the worker that takes over the
 * shard of a dead one.
 */
export const roundGraceMs = 35_000
