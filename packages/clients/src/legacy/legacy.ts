import type {
  LegacyCategory,
  LegacyDay,
  LegacyDomain,
  LegacyEmail,
  LegacyInventory,
  LegacyRole,
  LegacyUser,
} from './schemas.ts'

/** The readable rows of a list, and sentences about the unreadable ones. */
export interface LegacyRows<Row> {
  readonly rows: readonly Row[]
  readonly wrong: readonly string[]
}

/** Reads the former system through its API. Each call throws {@link LegacyError}. */
export interface Legacy {
  signIn(email: string, password: string): Promise<void>
  inventory(): Promise<LegacyInventory>
  categories(): Promise<LegacyRows<LegacyCategory>>
  roles(): Promise<LegacyRows<LegacyRole>>
  users(): Promise<LegacyRows<LegacyUser>>
  externalDomains(): Promise<LegacyRows<LegacyDomain>>
  ownDomains(): Promise<LegacyRows<LegacyDomain>>
  emails(): Promise<LegacyRows<LegacyEmail>>
  /** @param begin and end as YYYY-MM-DD, both included */
  uptime(web: number, begin: string, end: string): Promise<LegacyRows<LegacyDay>>
  signOut(): Promise<void>
  close(): Promise<void>
}

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
