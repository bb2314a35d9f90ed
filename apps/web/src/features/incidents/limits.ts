/** How many open incidents and how many ended ones are read at first, and at most. */
export const incidentLimits = { first: 500, most: 10_000 } as const
