/** Number of missing rounds after which monitoring counts as stopped. */
export const maxMissingRounds = 3
/** Milliseconds until a round has ended, was confirmed and is reported. */
export const confirmationMs = 30_000
