import { ServiceError } from '../http/json-api.ts'
import type { RegistrarDomain, RegistrarMailbox } from './schemas.ts'

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
