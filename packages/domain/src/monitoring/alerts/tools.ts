import type { Mail } from '@kustos/clients/mail'
import type { Queues } from '@kustos/clients/queue'
import type { Slack } from '@kustos/clients/slack'
import type { Telegram } from '@kustos/clients/telegram'

/** Where messages can go. What is null is not configured: nothing is written for it. */
export interface AlertChannels {
  readonly slack: Slack | null
  readonly telegram: Telegram | null
  readonly mail: Mail | null
}

/** What announcing takes beside the database. */
export interface AlertSettings {
  readonly channels: AlertChannels
  /** Addresses of the channel mail, besides the users who subscribed. */
  readonly mailTo: readonly string[]
  /** Where staff open Kustos in a browser; messages have no link where it is null. */
  readonly publicUrl: string | null
}

/** What handing alerts over takes, and sending them. */
export interface AlertTools extends AlertSettings {
  readonly queues: Queues
  /** Told of a job that could not be handed over; the sweeper does it later. */
  readonly onError: (error: Error) => void
}
