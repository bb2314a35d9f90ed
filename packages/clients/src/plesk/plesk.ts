import { CodedServiceError } from '../http/json-api.ts'
import type { Message } from '../message.ts'

export interface PleskNode {
  readonly name: string
  /** Host name or address of its panel. */
  readonly plesk_fqdn: string
  /** If null, 8443 is used. */
  readonly plesk_port?: number | null
  /** Its API key; null for the one in the settings. */
  readonly plesk_key?: string | null
  /** SHA-256 fingerprint of a self-signed certificate; null for the one in the settings. */
  readonly plesk_certificate?: string | null
}

/** Facts of a domain that Plesk hosts; null if they could not be read. */
export interface Subscription {
  /** Plesk's objectStatus: 0 active, 16 disabled. */
  readonly status: number | null
  readonly sysuser: string | null
  /** In bytes, with the precision of Plesk's rounded sizes. */
  readonly disk_usage: number | null
  /** The subscription's other domains and subdomains, in lower case and sorted. */
  readonly sites: readonly string[] | null
  /** In lower case and sorted. */
  readonly aliases: readonly string[] | null
  readonly problems: readonly PleskFailure[]
}

export interface ListedSubscription {
  /** Plesk's id of its main domain. */
  readonly id: number
  readonly fqdn: string
  /** Its other domains and subdomains, in lower case and sorted. */
  readonly sites: readonly string[]
  /** In lower case and sorted; null if Plesk does not list them. */
  readonly aliases: readonly string[] | null
}

export interface Plesk {
  /** Returns all subscriptions of a node. @throws {PleskError}, and the signal's reason if it is aborted */
  subscriptions(node: PleskNode, signal?: AbortSignal): Promise<readonly ListedSubscription[]>
  /** @returns the panel's version @throws {PleskError}, and the signal's reason if it is aborted */
  version(node: PleskNode, signal?: AbortSignal): Promise<string>
  /**
   * Returns null if the node does not host the domain.
   * @param fqdn in any form
   * @throws {PleskError}, and the signal's reason if it is aborted
   */
  subscription(node: PleskNode, fqdn: string, signal?: AbortSignal): Promise<Subscription | null>
  close(): Promise<void>
}

export interface PleskSettings {
  /** API keys by the nodes' names. */
  readonly keys: Readonly<Record<string, string>>
  /** SHA-256 fingerprints of self-signed certificates by the nodes' names. */
  readonly certificates?: Readonly<Record<string, string>>
  /** curl's `--connect-to`. */
  readonly connectTo?: string
  /** Instead of the system's, in the form of Node's `setServers`. */
  readonly dnsServers?: readonly string[]
  readonly timeoutMs?: number
  readonly now?: () => number
}

export type PleskFailure = PleskError['codedMessage']

type OwnFailure =
  | Message<
      `plesk_key_${'missing' | 'refused' | 'restricted'}` | `plesk_${'domains' | 'api'}_missing`,
      'node'
    >
  | Message<'plesk_out_of_order' | 'plesk_refused_status', 'node' | 'status'>
  | Message<'plesk_refused', 'node' | 'reason'>
  | Message<'plesk_status_unknown', 'node' | 'fqdn' | 'word'>
  | Message<'plesk_info_failed', 'node' | 'fqdn' | 'reason'>
  | Message<`plesk_${'status' | 'sysuser' | 'disk_usage' | 'aliases' | 'info'}_missing`, 'node' | 'fqdn'>

export class PleskError extends CodedServiceError<OwnFailure> {
  override readonly name = 'PleskError'
}

export const pleskError = (status: number, codedMessage: OwnFailure) =>
  new PleskError(status, codedMessage.code, { codedMessage })
