/** What monitoring is told by the configuration. */
export interface MonitoringSettings {
  /** Seconds from one round to the next. */
  readonly interval: number
  /** The part of a host name that marks the operator's own; empty for none. */
  readonly internalMarker: string
}
