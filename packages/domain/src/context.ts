import type { commandLine } from '@kustos/contract/log-words'
import type { CurrentUser } from '@kustos/contract/users'
import type { Database, OpenDatabase, Transaction } from '@kustos/database/client'
import { DomainError } from './errors.ts'

/** Where changes come from that no signed-in user makes. The log entry of each one says it. */
export interface Origin {
  readonly by: typeof commandLine
  /** What the operating system calls whoever types there. */
  readonly system_user: string
}

/** Who acts, on which database, by which clock. */
export interface Context {
  readonly database: OpenDatabase
  readonly db: Database
  /** Null for visitors and for what the system does of its own. */
  readonly actor: CurrentUser | null
  readonly now: () => Date
  /** Of the request that is answered; jobs that it asks for carry it on into the workers' logs. */
  readonly requestId?: string | undefined
  readonly origin?: Origin
}

/** The same inside a change's transaction. */
export interface Scope {
  readonly db: Transaction
  readonly actor: CurrentUser | null
  readonly now: () => Date
}

/** @throws DomainError unauthenticated where nobody is signed in */
export function actorOf({ actor }: Context): CurrentUser {
  if (actor === null) throw new DomainError('unauthenticated', 'Unauthenticated.')
  return actor
}

export const contextOf = (
  database: OpenDatabase,
  actor: CurrentUser | null = null,
  now: () => Date = () => new Date(),
  requestId?: string,
): Context => ({ database, db: database.db, actor, now, requestId })
