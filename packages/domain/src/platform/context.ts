import type { commandLine } from '@kustos/contract/log-words'
import { message } from '@kustos/contract/messages'
import type { CurrentUser } from '@kustos/contract/users'
import type { Database, OpenDatabase, Transaction } from '@kustos/database/client'
import { DomainError } from './errors.ts'
import type { MailOutbox } from './mail.ts'

/** Added to the audit log entries of changes made at the command line. */
export interface Origin {
  readonly by: typeof commandLine
  readonly system_user: string
}

export interface Context {
  readonly database: OpenDatabase
  readonly db: Database
  /** Null for visitors and for the system itself. */
  readonly actor: CurrentUser | null
  readonly now: () => Date
  /** Passed on to the jobs that the request enqueues, and from a job to its work, for the workers' logs. */
  readonly requestId?: string | undefined
  readonly origin?: Origin
  /**
   * Set for HTTP requests. Reads the acting user again, and throws DomainError if the session, the user or the permission
   * has been revoked since, for example while the body of the request was arriving.
   */
  readonly readActor?: (tx: Transaction) => Promise<CurrentUser>
  /**
   * Set for HTTP requests that need a permission. Throws DomainError forbidden if the user has lost one since the user was read,
   * for example while the change was waiting for locks of others. Otherwise a change that takes one away waits for the transaction.
   */
  readonly lockActorPermissions?: (tx: Transaction, actor: CurrentUser) => Promise<void>
  /**
   * Set for HTTP requests. Throws DomainError unauthenticated if the session has ended, for example while the change was
   * waiting for locks of others. Otherwise a sign-out waits for the transaction.
   */
  readonly lockSession?: (tx: Transaction) => Promise<void>
  /**
   * Set for HTTP requests. Throws DomainError unconfirmed unless the password of the session was entered recently. Routes
   * that always need that declare it (`confirmation: 'required'`); others do so depending on the change.
   */
  readonly assertConfirmed?: (tx: Transaction) => Promise<void>
  /** Missing if no mail server is configured. */
  readonly mail?: MailOutbox | undefined
  /** Set for work under a lease. Throws LeaseLostError once another process has taken it over. */
  readonly assertLease?: (tx: Transaction) => Promise<void>
}

/** A context inside a transaction. */
export interface Scope {
  readonly db: Transaction
  readonly actor: CurrentUser | null
  readonly now: () => Date
}

/** @throws DomainError unauthenticated if nobody is signed in */
export function requireActor({ actor }: Pick<Context, 'actor'>): CurrentUser {
  if (actor === null) throw new DomainError('unauthenticated', message('unauthenticated'))
  return actor
}

export const createContext = (
  database: OpenDatabase,
  actor: CurrentUser | null = null,
  now: () => Date = () => new Date(),
  requestId?: string,
): Context => ({ database, db: database.db, actor, now, requestId })
