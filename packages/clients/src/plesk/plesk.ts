/** A machine that Plesk runs on. */
export interface PleskNode {
  /** As in the settings, and in sentences for staff. */
  readonly name: string
  /** Where its panel answers. */
  readonly plesk_fqdn: string
}

/** What Plesk tells of a domain that it hosts. Null is what could not be learnt. */
export interface Subscription {
  /** Plesk's number of it (objectStatus): 0 active, 16 switched off. */
  readonly status: number | null
  /** The system user. */
  readonly sysuser: string | null
  /** In bytes, as precise as Plesk's rounded figures are. */
  readonly disk_usage: number | null
  /** The other domains and subdomains of the subscription, in lower case, in alphabetical order. */
  readonly sites: readonly string[] | null
  /** The same of its aliases. */
  readonly aliases: readonly string[] | null
  /** What could not be learnt, and why, in sentences that name the node. */
  readonly problems: readonly string[]
}

export interface Plesk {
  /**
   * @param fqdn in any form
   * @returns null where the node hosts no such domain
   * @throws {PleskError} where the node cannot be asked, the signal's reason where it is aborted
   */
  subscription(node: PleskNode, fqdn: string, signal?: AbortSignal): Promise<Subscription | null>
  close(): Promise<void>
}

export interface PleskSettings {
  /** API keys by the nodes' names. */
  readonly keys: Readonly<Record<string, string>>
  /** SHA-256 fingerprints of self-signed certificates by the nodes' names; the others are verified as any. */
  readonly certificates?: Readonly<Record<string, string>>
  /** curl's `--connect-to`. */
  readonly connectTo?: string
  /** Name servers, as Node's `setServers` takes them, in place of the system's. */
  readonly dnsServers?: readonly string[]
  /** Milliseconds for one answer; 10 s unless told otherwise. */
  readonly timeout?: number
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number
}

export class PleskError extends Error {
  override readonly name = 'PleskError'
  /** The HTTP status of its answer; 0 where none came. */
  readonly status: number

  /** @param sentence for staff; it names the node */
  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.status = status
  }
}
