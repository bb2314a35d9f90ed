/** What is to be told, before a channel gives it its form. */
export interface Message {
  /** One line. */
  readonly title: string
  readonly lines: readonly string[]
  /** Where more is shown. */
  readonly url?: string
}

interface Details {
  /** Whether the same message would fail again, whenever it is sent; false unless told otherwise. */
  readonly isPermanent?: boolean
  /** In milliseconds, where the other side said when to come again. */
  readonly retryAfter?: number | null
}

/**
 * A message that was not delivered. It has no cause: those of HTTP and SMTP can hold the credentials that a channel is
 * reached with.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly isPermanent: boolean
  readonly retryAfter: number | null

  /** @param sentence for staff; it names the channel and holds no credentials */
  constructor(sentence: string, { isPermanent = false, retryAfter = null }: Details = {}) {
    super(sentence)
    this.isPermanent = isPermanent
    this.retryAfter = retryAfter
  }
}
