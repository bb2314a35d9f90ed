export interface Message {
  /** One line. */
  readonly title: string
  readonly lines: readonly string[]
  /** A link to details. */
  readonly url?: string
}

export interface MessageIncident {
  readonly incident: number
  readonly outage: number | null
  readonly kind: string
  readonly web: { readonly id: number; readonly fqdn: string; readonly customer: string }
  readonly node: string | null
  /** ISO times. */
  readonly since: string
  readonly until: string | null
  readonly reason: string
  /** Where Kustos shows it. */
  readonly url: string | null
}

/** What is no incident, such as a certificate that ends. */
export interface MessageWarning {
  readonly kind: string
  /** The same from its beginning to its end. */
  readonly key: string
  /** One line. */
  readonly title: string
}

/** What a message is about, as machines read it. */
export interface MessageEvent {
  readonly type: string
  readonly severity: Severity
  readonly incidents: readonly MessageIncident[]
  readonly warnings?: readonly MessageWarning[]
}
export type Severity = 'critical' | 'warning' | 'info'

export interface ChannelMessage extends Message {
  /** The same for every attempt, so that receivers recognize a message that comes twice. */
  readonly id: string
  readonly event?: MessageEvent | null
}

/** A channel of a chat or a service that messages are posted to. */
export interface ChatChannel<Sent extends Message = ChannelMessage> {
  /** @throws {DeliveryError} if the message was not taken; the signal's reason if it is aborted */
  send(message: Sent, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface DeliveryFailure {
  /** Whether the same message would always fail. */
  readonly isPermanent?: boolean
  /** When the service asked to be tried again. */
  readonly retryAfterMs?: number | null
  /** Whether it only had too many messages: it works, and takes the message later. */
  readonly isRateLimited?: boolean
  /** Whether no response came: the service may have the message. */
  readonly isUnanswered?: boolean
}

/** A message was not delivered. It has no cause, since causes of HTTP and SMTP may hold credentials. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly isPermanent: boolean
  readonly retryAfterMs: number | null
  readonly isRateLimited: boolean
  readonly isUnanswered: boolean

  /** @param sentence for staff; it names the channel and holds no credentials */
  constructor(
    sentence: string,
    {
      isPermanent = false,
      retryAfterMs = null,
      isRateLimited = false,
      isUnanswered = false,
    }: DeliveryFailure = {},
  ) {
    super(sentence)
    this.isPermanent = isPermanent
    this.retryAfterMs = retryAfterMs
    this.isRateLimited = isRateLimited
    this.isUnanswered = isUnanswered
  }
}
