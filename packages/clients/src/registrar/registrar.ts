import { ServiceError } from '../http/json-api.ts'

/** A domain at the registrar. Values that the registrar does not give are null. */
export interface RegistrarDomain {
  readonly fqdn: string
  readonly customer: string | null
  readonly created_at: Date | null
}

/** A mailbox at the registrar. Values that the registrar does not give are null. */
export interface RegistrarMailbox {
  /** In lower case. */
  readonly address: string
  readonly type: string | null
  readonly customer: string | null
  readonly created_at: Date | null
}

export interface RegistrarList<Entry> {
  readonly entries: readonly Entry[]
  /** The beginnings of unreadable entries. Any entry that is missing may be among them. */
  readonly unreadable: readonly string[]
}

/** Each call returns a complete list or throws {@link RegistrarError}. */
export interface Registrar {
  domains(signal?: AbortSignal): Promise<RegistrarList<RegistrarDomain>>
  mailboxes(signal?: AbortSignal): Promise<RegistrarList<RegistrarMailbox>>
  close(): Promise<void>
}

export class RegistrarError extends ServiceError {
  override readonly name = 'RegistrarError'
}
