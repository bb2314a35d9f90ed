import { formatTime } from '@kustos/contract/grid'
import { commandLine, type LogDescription, type LogName } from '@kustos/contract/log-words'
import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { type AlertContent, type LogProperties, logEntries, users } from '@kustos/database/tables'
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { chunk } from './chunk.ts'
import type { Context, Scope } from './context.ts'
import { conflict } from './errors.ts'
import { linkTo, writeMail } from './mail.ts'

export interface LogEntry {
  readonly log: LogName
  readonly description: LogDescription
  readonly subject?: { readonly type: string; readonly id: number }
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly old?: Readonly<Record<string, unknown>>
  /** The acting user by default. */
  readonly causerId?: number | null
}

/** @returns a function that begins an entry about a subject of this type */
export const entriesOf =
  (log: LogName, type: string) =>
  (description: LogDescription, id: number): LogEntry => ({ log, description, subject: { type, id } })

export interface AuditTransaction extends Scope {
  /**
   * Reads the acting user again, for a change that depends on the user's roles rather than on the permissions of its route: somebody may
   * have taken one away while this transaction was waiting for a lock.
   * @throws DomainError as `readActorOnceLocked`
   */
  readActorAgain(): Promise<Scope['actor']>
  /**
   * Reads the acting user again, once this transaction keeps all others from changing users and roles. It may then take
   * permissions of the acting user away itself.
   * @throws DomainError unauthenticated or forbidden if the session or the permission has been revoked meanwhile
   */
  readActorOnceLocked(): Promise<Scope['actor']>
  /** @throws Error if a property is named like a secret */
  record(entry: LogEntry): Promise<void>
  recordAll(entries: readonly LogEntry[]): Promise<void>
  /** Names the entry whose change this one takes back in the entries that are recorded afterwards. */
  takesBack(id: number): void
  /** @throws DomainError unconfirmed if the acting user has to enter the password first */
  assertConfirmed(): Promise<void>
  /**
   * Writes a mail, which is sent once the change is committed. Does nothing if no mail server is configured.
   * @param path of the screen that it links to
   */
  mail(recipient: string, message: Omit<AlertContent, 'url'>, path: string): Promise<void>
  /** Commits without an entry, because nothing has changed. */
  skipAudit(): void
  /** Commits even though the session of the request has ended, because this change ends it. */
  endsOwnSession(): void
}

/**
 * Runs a change and writes its audit log entry in the same transaction, which is rolled back unless the work has called
 * `record`, `recordAll` or `skipAudit`.
 * @throws DomainError unauthenticated or forbidden if the acting user's session or permission has been revoked;
 * unconfirmed if the route needs a recently entered password
 */
export async function withAudit<T>(context: Context, work: (tx: AuditTransaction) => Promise<T>): Promise<T> {
  const mails: number[] = []
  const result = await context.db.transaction((db) => auditInTransaction(context, db, work, mails))
  if (mails.length > 0) await context.mail?.enqueue(mails)
  return result
}

/**
 * Does the same in a transaction of the caller, who has to roll it back if this throws.
 * @param mails receives the ids of written mails; the sweeper enqueues those that the caller does not
 */
export async function auditInTransaction<T>(
  context: Omit<Context, 'database' | 'db'>,
  db: Transaction,
  work: (tx: AuditTransaction) => Promise<T>,
  mails: number[] = [],
): Promise<T> {
  let isAudited = false
  let needsSession = true
  let needsPermissions = true
  const { now, origin, requestId, mail: outbox } = context
  let { cause } = context
  await context.assertLease?.(db)
  const readActor = async () => (await context.readActor?.(db)) ?? context.actor
  const actor = await readActor()
  const recordAll = async (entries: readonly LogEntry[]) => {
    isAudited = true
    const rows = entries.map(({ attributes: given, old, ...entry }) => {
      const added = { ...origin, ...cause }
      const attributes = Object.keys(added).length === 0 ? given : { ...given, ...added }
      assertNoSecrets(attributes)
      assertNoSecrets(old)
      return {
        created_at: now(),
        log_name: entry.log,
        description: entry.description,
        subject_type: entry.subject?.type ?? null,
        subject_id: entry.subject?.id ?? null,
        causer_id: entry.causerId ?? actor?.id ?? null,
        request_id: requestId ?? null,
        properties: { ...(attributes && { attributes }), ...(old && { old }) },
      }
    })
    for (const batch of chunk(rows)) await db.insert(logEntries).values(batch)
  }
  const result = await work({
    db,
    actor,
    now,
    readActorAgain: readActor,
    readActorOnceLocked() {
      needsPermissions = false
      return readActor()
    },
    record: (entry) => recordAll([entry]),
    recordAll,
    takesBack(id) {
      cause = { ...cause, reverts: id }
    },
    async mail(recipient, message, path) {
      if (outbox === undefined) return
      const content = { ...message, ...linkTo(outbox.publicUrl, path) }
      mails.push(await writeMail(db, recipient, content, now()))
    },
    assertConfirmed: async () => context.assertConfirmed?.(db),
    skipAudit() {
      isAudited = true
    },
    endsOwnSession() {
      needsSession = false
    },
  })
  if (!isAudited) throw new Error('A change has to record a log entry')
  // Last, since a change that takes a role away or ends a session holds it locked until its end, and must not wait for the locks of
  // this one; in this order, in which a change of a user does both.
  if (needsSession && needsPermissions && actor) await context.lockActorPermissions?.(db, actor)
  if (needsSession) await context.lockSession?.(db)
  return result
}

const secret = /passw(or)?d|secret|token|hash|cookie|authorization|api_?key|credential/i

/** Rejects properties that are named like a secret, at any depth. */
function assertNoSecrets(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (secret.test(name)) throw new Error(`Log entries can't contain secrets: a property is named ${name}`)
    assertNoSecrets(inner)
  }
}

/** @returns the values that differ, under the same keys on both sides; null if none do */
export function difference<T extends object>(
  old: T,
  attributes: T,
): { old: Partial<T>; attributes: Partial<T> } | null {
  const keys = (Object.keys(attributes) as (keyof T)[]).filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(attributes[key]),
  )
  if (keys.length === 0) return null
  const pick = (from: T) => Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<T>
  return { old: pick(old), attributes: pick(attributes) }
}

/** The next `updated_at` is always later than the last, even if the clock is not, so no change goes unnoticed. */
export const nextUpdatedAt = (row: { readonly updated_at: Date }, { now }: Scope): Date =>
  new Date(Math.max(now().getTime(), row.updated_at.getTime() + 1))

/** Entries that change their subject. Others only concern it, such as requests. */
export const changes: readonly LogDescription[] = [
  'created',
  'updated',
  'updated, with a new password',
  'deleted',
  'restored',
  'imported',
  'imported again',
]

/**
 * Rejects an edit of something that has changed since it was read.
 * @param at when it was last changed
 * @param seen the same when it was read; undefined to edit it in any case
 * @param by the entries of such changes
 * @throws DomainError conflict, which names who changed it last, and when
 */
export async function rejectStaleWrite(
  { db }: Scope,
  subject: { readonly type: string; readonly id: number },
  what:
    | 'web'
    | 'user'
    | 'role'
    | 'domain'
    | 'node'
    | 'view'
    | 'customer'
    | 'tag'
    | 'maintenance_window'
    | 'check'
    | 'tracking_contract'
    | 'alert_channel'
    | 'alert_route'
    | 'rota',
  at: Date,
  seen: string | undefined,
  by: readonly LogDescription[] = changes,
): Promise<void> {
  if (seen === undefined || Date.parse(seen) === at.getTime()) return
  const { who } = await findLastChange({ db }, subject, by)
  throw conflict(`stale_${what}`, { who, at: formatTime(at.toISOString()) })
}

interface LastChange {
  readonly id: number | undefined
  readonly who: string | Message
  /** As it is shown. */
  readonly at: string
  readonly properties: LogProperties
}

/**
 * @param which entries count
 * @returns the last of these entries, who made it, and when
 */
export async function findLastChange(
  { db }: Pick<Scope, 'db'>,
  subject: { readonly type: string; readonly id: number },
  by: readonly LogDescription[] = changes,
  which?: SQL,
): Promise<LastChange> {
  const [last] = await db
    .select({
      id: logEntries.id,
      at: logEntries.created_at,
      log: logEntries.log_name,
      properties: logEntries.properties,
      email: users.email,
    })
    .from(logEntries)
    .leftJoin(users, eq(users.id, logEntries.causer_id))
    .where(
      and(
        eq(logEntries.subject_type, subject.type),
        eq(logEntries.subject_id, subject.id),
        inArray(logEntries.description, by),
        which,
      ),
    )
    // By the id, since changes of one subject wait for each other, while the clocks of their programs may differ. As an expression, so
    // that Postgres reads the subject's entries, and not all of the log from its end.
    .orderBy(desc(sql`${logEntries.id} + 0`))
    .limit(1)
  return {
    id: last?.id,
    who: last?.email ?? (last && describeSystemActor(last)) ?? 'Kustos',
    at: last === undefined ? '–' : formatTime(last.at.toISOString()),
    properties: last?.properties ?? {},
  }
}

/** Names the author of an entry that no user has caused. */
function describeSystemActor(entry: { log: string; properties: LogProperties }): Message | null {
  if (entry.log === 'imports') return message('by_import')
  return entry.properties.attributes?.by === commandLine ? message('by_command_line') : null
}
