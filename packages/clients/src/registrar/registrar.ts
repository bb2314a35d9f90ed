/** A domain at the registrar. */
export interface RegistrarDomain {
  readonly fqdn: string
  readonly customer: string
  /** Null where it does not tell. */
  readonly created_at: Date | null
}

/** A mailbox at the registrar. */
export interface RegistrarMailbox {
  /** In lower case. */
  readonly address: string
  readonly type: string
  readonly customer: string
  readonly created_at: Date | null
}

/** Each call gives a whole list or throws {@link RegistrarError}; half a list is none. */
export interface Registrar {
  domains(signal?: AbortSignal): Promise<readonly RegistrarDomain[]>
  mailboxes(signal?: AbortSignal): Promise<readonly RegistrarMailbox[]>
  close(): Promise<void>
}

export class RegistrarError extends Error {
  override readonly name = 'RegistrarError'
  /** The HTTP status of its answer; 0 where none came. */
  readonly status: number

  /** @param sentence for staff; it names the registrar */
  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.status = status
  }
}
