import type { ChatChannel, Message } from '@kustos/clients/delivery'
import type { Mail } from '@kustos/clients/mail'
import type { Queues } from '@kustos/clients/queue'
import type { StoredChannels } from '../../alert-channels/index.ts'

/** Where messages can be sent; null for a channel that is not configured. */
export interface AlertChannels {
  readonly slack: ChatChannel<Message> | null
  readonly telegram: ChatChannel<Message> | null
  readonly mail: Mail | null
}

export interface AlertSettings {
  readonly channels: AlertChannels
  /** Addresses of the channel mail, besides the users who subscribed. */
  readonly mailTo: readonly string[]
  /** Where staff open Kustos in a browser; messages have no link where it is null. */
  readonly publicUrl: string | null
}

export interface AlertTools extends AlertSettings {
  readonly queues: Queues
  /** Called for a job that could not be enqueued; the sweeper does it later. */
  readonly onError: (error: Error) => void
}

/** The tools of what sends alerts. */
export interface DeliveryTools extends AlertTools {
  /** Opens the channels that users have added. */
  readonly stored: StoredChannels
}
