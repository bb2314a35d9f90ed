import type { AttentionEntry } from '@kustos/contract/attention'

export const isSnoozed = ({ snoozed_until }: Pick<AttentionEntry, 'snoozed_until'>): boolean =>
  snoozed_until !== null && Date.parse(snoozed_until) > Date.now()

/** A snooze came after the acknowledgement, and opens the entry again once it is over. */
export const isAcknowledged = (entry: Pick<AttentionEntry, 'acknowledged_at' | 'snoozed_until'>): boolean =>
  entry.acknowledged_at !== null && (entry.snoozed_until === null || isSnoozed(entry))
