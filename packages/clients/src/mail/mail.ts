import type { Message } from '../delivery/delivery.ts'

/** A server that takes mails. */
export interface Mail {
  /** @throws {DeliveryError} where it was not taken; the signal's reason where it is aborted */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>
}

export interface OutgoingMail {
  /** One address. */
  readonly to: string
  readonly message: Message
  /** The part of its Message-ID before the @: one that is sent twice can be told from two. */
  readonly id: string
}
