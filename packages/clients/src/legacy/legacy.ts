/** A row of the former system's; what it does not tell is null. Its text holds nothing that a database could not. */
export interface LegacyWeb {
  readonly id: number | null
  readonly fqdn: string
  readonly customer: string
  /** The node's name. */
  readonly node: string | null
  readonly categories: readonly LegacyName[]
  readonly framework_name: string | null
  readonly framework_version: string | null
  readonly comment: string | null
  readonly configured_ip: string
  readonly monitoring_web_reporting_channel: readonly string[]
  /** Null where it is not told at all. */
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
  /** As it came. */
  readonly tracking_data: unknown
  readonly topics: readonly string[]
  readonly created_at: Date | null
  readonly updated_at: Date | null
  readonly deleted_at: Date | null
}

/** What is named by its id, its name, or both. */
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
  /** Names of permissions. */
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
  /** Of external domains. */
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

/** A web's day; all but the first two are null where the former system does not count them. */
export interface LegacyDay {
  /** YYYY-MM-DD */
  readonly date: string
  /** In whole seconds. */
  readonly downtime: number
  readonly checks: number | null
  readonly failures: number | null
  readonly response_time_ms: number | null
  readonly response_time_p95_ms: number | null
  /** Seconds that nobody watched. */
  readonly unknown: number | null
}

/** The rows of a list that could be read, and of each other one why not, in a sentence that names it. */
export interface LegacyRows<Row> {
  readonly rows: readonly Row[]
  readonly wrong: readonly string[]
}

export interface LegacyInventory {
  readonly webs: LegacyRows<LegacyWeb>
  readonly nodes: LegacyRows<LegacyNode>
  readonly categories: LegacyRows<LegacyCategory>
}

/** The former system, read through its own calls. Each call throws {@link LegacyError}. */
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
 * unreachable: no answer came; credentials: the login is not accepted; refused: the login may not use the call; missing:
 * there is no such call or row; invalid: it does not take the question; busy: it has had too many; broken: it failed
 * (5xx); unreadable: the answer is not what the call gives.
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
