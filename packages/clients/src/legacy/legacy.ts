/** A web of the former system; missing values are null. All text can be stored in Postgres. */
export interface LegacyWeb {
  readonly id: number | null
  readonly fqdn: string
  readonly customer: string
  readonly node: string | null
  readonly categories: readonly LegacyName[]
  readonly framework_name: string | null
  readonly framework_version: string | null
  readonly comment: string | null
  readonly configured_ip: string
  readonly monitoring_web_reporting_channel: readonly string[]
  /** Null if it is missing. */
  readonly monitoring_web_active: boolean | null
  readonly auftragnr_hosting: readonly string[]
  readonly status: number | null
  readonly domain_status: number | null
  readonly domain_state: number | null
  readonly http_status_code: number | null
  readonly sites: readonly string[]
  readonly aliases: readonly string[]
  readonly sysuser: string | null
  readonly cert_ca: string | null
  readonly cert_expiration: Date | null
  /** In bytes. */
  readonly disk_usage: number | null
  readonly tracking_data: unknown
  readonly topics: readonly string[]
  readonly created_at: Date | null
  readonly updated_at: Date | null
  readonly deleted_at: Date | null
}

/** Something identified by its id, its name, or both. */
export interface LegacyName {
  readonly id: number | null
  readonly name: string | null
}

export interface LegacyNode {
  readonly name: string
  readonly plesk_fqdn: string | null
  readonly cloud_enabled: boolean | null
}

export interface LegacyCategory {
  readonly id: number | null
  readonly name: string
}

export interface LegacyRole {
  readonly id: number | null
  readonly name: string
  readonly permissions: readonly string[] | null
  readonly created_at: Date | null
  readonly updated_at: Date | null
}

export interface LegacyUser {
  readonly id: number | null
  readonly email: string
  readonly name: string
  readonly roles: readonly LegacyName[]
  readonly monitoring_mail_subscription: boolean
  readonly created_at: Date | null
  readonly updated_at: Date | null
  readonly deleted_at: Date | null
}

export interface LegacyDomain {
  readonly id: number | null
  readonly customer: string
  readonly fqdn: string
  readonly status: number | null
  readonly mname: string | null
  /** For external domains only. */
  readonly domainprovider: string
  readonly checked_at: Date | null
  readonly check_error: string | null
  readonly created_at: Date | null
  readonly updated_at: Date | null
}

export interface LegacyEmail {
  readonly id: number | null
  readonly customer: string
  readonly address: string
  readonly type: string
  readonly created_at: Date | null
}

/** A web's day; values that the former system does not count are null. */
export interface LegacyDay {
  /** YYYY-MM-DD */
  readonly date: string
  /** In seconds. */
  readonly downtime: number
  readonly checks: number | null
  readonly failures: number | null
  readonly response_time_ms: number | null
  readonly response_time_p95_ms: number | null
  /** Seconds without monitoring. */
  readonly unknown: number | null
}

/** The readable rows of a list, and sentences about the unreadable ones. */
export interface LegacyRows<Row> {
  readonly rows: readonly Row[]
  readonly wrong: readonly string[]
}

export interface LegacyInventory {
  readonly webs: LegacyRows<LegacyWeb>
  readonly nodes: LegacyRows<LegacyNode>
  readonly categories: LegacyRows<LegacyCategory>
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
