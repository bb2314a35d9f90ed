import type { IncidentEntry } from '@kustos/contract/incidents'

/** How many open incidents and how many ended ones are read at first, and at most. */
export const incidentLimits = { first: 500, most: 10_000 } as const

/** Whether there may be more open or more ended incidents than those that were read. @param limit for each of the two */
export function mayLackIncidents(rows: readonly Pick<IncidentEntry, 'ended_at'>[], limit: number): boolean {
  const ended = rows.filter((row) => row.ended_at !== null).length
  return Math.max(ended, rows.length - ended) >= limit
}
