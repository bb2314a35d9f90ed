export interface Message {
  /** One line. */
  readonly title: string
  readonly lines: readonly string[]
  /** A link to details. */
  readonly url?: string
}

/** A channel of a chat that messages are posted to. */
export interface ChatChannel {
  /** @throws {DeliveryError} if the message was not taken; the signal's reason if it is aborted */
  send(message: Message, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface DeliveryFailure {
  /** Whether the same message would always fail. */
  readonly isPermanent?: boolean
  /** When the service asked to be tried again. */
  readonly retryAfterMs?: number | null
}

/** A message was not delivered. It has no cause, since causes of HTTP and SMTP may hold credentials. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly isPermanent: boolean
  readonly retryAfterMs: number | null

  /** @param sentence for staff; it names the channel and holds no credentials */
  constructor(sentence: string, { isPermanent = false, retryAfterMs = null }: DeliveryFailure = {}) {
    super(sentence)
    this.isPermanent = isPermanent
    this.retryAfterMs = retryAfterMs
  }
}
