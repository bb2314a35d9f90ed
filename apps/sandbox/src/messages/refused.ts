/** A call that is refused: what is answered to it, in the manner of the service that was called. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
