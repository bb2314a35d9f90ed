/** A call that Bitbucket refuses, in its error envelope. */
export class Refused extends Error {
  readonly status: number
  readonly fields: Readonly<Record<string, readonly string[]>> | null

  constructor(
    status: number,
    message: string,
    fields: Readonly<Record<string, readonly string[]>> | null = null,
  ) {
    super(message)
    this.status = status
    this.fields = fields
  }
}
