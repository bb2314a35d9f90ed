import type { Transaction } from '@kustos/database/client'
import { compose } from './compose.ts'
import type { RoundNews } from './event.ts'
import { writeAlerts } from './outbox.ts'
import type { AlertSettings } from './tools.ts'

export type * from './event.ts'

export interface AnnounceOptions extends AlertSettings {
  readonly now: Date
}

/**
 * Writes the messages of what a round tells: to the webs' channels, and by mail to those who subscribed. To be called in
 * the transaction that judges the round, so that each is written once; what it returns is for `enqueueAlerts`, after
 * the commit.
 * @returns the ids of the alerts; none where there is nothing to tell, or nobody to tell it to
 */
export const announce = (
  db: Transaction,
  news: RoundNews,
  { now, ...settings }: AnnounceOptions,
): Promise<readonly number[]> => writeAlerts(db, compose(news, settings.publicUrl), settings, now)
