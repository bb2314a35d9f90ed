/** Why an execution ends before its last step. */
export type InterruptionReason = 'cancelled' | 'stopped' | 'lost'

/** Interrupts an execution once. */
export class Interruption {
  readonly #cancelling = new AbortController()
  readonly #detaching = new AbortController()
  #reason: InterruptionReason | undefined
  /** Ends the command. */
  readonly cancel = this.#cancelling.signal
  /** Stops following the command. */
  readonly detach = this.#detaching.signal
  /** Aborted when no further step may start. */
  readonly ending: AbortSignal

  /** @param stopping aborted when the process ends */
  constructor(stopping: AbortSignal) {
    this.ending = AbortSignal.any([this.cancel, stopping])
  }

  get reason(): InterruptionReason | undefined {
    return this.#reason
  }

  /** Only the first reason counts. Once the lease is lost, the command is the new holder's. */
  interrupt(reason: InterruptionReason): void {
    this.#reason ??= reason
    if (this.#reason === 'cancelled') this.#cancelling.abort()
    else this.#detaching.abort()
  }
}
