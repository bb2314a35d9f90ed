/**
 * unreachable: no response; credentials: wrong e-mail or password; refused: no permission; missing: no such call or row;
 * invalid: the request is not accepted; busy: too many requests; broken: a server error (5xx); unreadable: an unexpected
 * response.
 */
export type LegacyFailure =
  | 'unreachable'
  | 'credentials'
  | 'refused'
  | 'missing'
  | 'invalid'
  | 'busy'
  | 'broken'
  | 'unreadable'

export class LegacyError extends Error {
  override readonly name = 'LegacyError'
  readonly failure: LegacyFailure

  /** @param sentence for staff; it names the former system */
  constructor(failure: LegacyFailure, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.failure = failure
  }
}
