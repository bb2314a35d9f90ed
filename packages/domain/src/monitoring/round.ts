/** A round of probes. */
export interface Round {
  /** When it begins, which is also its id. */
  readonly at: Date
  readonly intervalMs: number
}

export const endOf = ({ at, intervalMs }: Round): string => new Date(at.getTime() + intervalMs).toISOString()
