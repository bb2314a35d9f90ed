/** A domain at the registrar. */
export interface RegistrarDomain {
  readonly fqdn: string
  /** Null where it does not tell. */
  readonly customer: string | null
  /** Null where it does not tell. */
  readonly created_at: Date | null
}

/** A mailbox at the registrar. */
export interface RegistrarMailbox {
  /** In lower case. */
  readonly address: string
  /** Null where it does not tell. */
  readonly type: string | null
  /** The same. */
  readonly customer: string | null
  /** The same. */
  readonly created_at: Date | null
}

export interface RegistrarList<Entry> {
  readonly entries: readonly Entry[]
  /**
   * Entries that are there and cannot be read, as the registrar has them, shortened. Which ones they are nobody knows:
   * they may be any that are missing.
   */
  readonly odd: readonly string[]
}

/** Each call gives a whole list or throws {@link RegistrarError}; half a list is none. */
export interface Registrar {
  domains(signal?: AbortSignal): Promise<RegistrarList<RegistrarDomain>>
  mailboxes(signal?: AbortSignal): Promise<RegistrarList<RegistrarMailbox>>
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
