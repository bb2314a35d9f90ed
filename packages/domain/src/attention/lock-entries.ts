import {
  type AttentionKind,
  attentionAccess,
  type EntryKey,
  formatEntryId,
  type HandlingAction,
  parseEntryId,
} from '@kustos/contract/attention'
import { formatTime } from '@kustos/contract/grid'
import { can } from '@kustos/contract/permissions'
import { attentionHandling, users } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import type { MonitoringSettings } from '../monitoring/index.ts'
import type { AuditTransaction } from '../platform/audit.ts'
import { conflict, DomainError, forbidden } from '../platform/errors.ts'
import { entryTable, isEntry } from './entries.ts'

export type Settings = Pick<MonitoringSettings, 'internalMarker'>

export interface Entry {
  readonly key: EntryKey
  readonly web_id: number | null
  readonly subject: string | null
  readonly handling: typeof attentionHandling.$inferSelect | null
}

interface Found {
  readonly subject_id: number
  readonly since: string
  readonly web_id: number | null
  readonly subject: string | null
}

/**
 * The entry with this id, then those of the other webs that the same outage explains if the whole group is meant. What is known
 * of their handling is locked until the transaction ends.
 * @throws DomainError forbidden if the acting user may not see entries of its kind; conflict if it is over
 */
export async function lockEntries(
  tx: AuditTransaction,
  { internalMarker }: Settings,
  id: string,
  isGroup: boolean,
): Promise<[Entry, ...Entry[]]> {
  const key = parseEntryId(id)
  const { kind } = key
  if (!can(tx.actor, attentionAccess[kind])) throw forbidden('unauthorized')
  const isMember = sql`group_id = (select group_id from handled where ${isEntry(key)})`
  const { rows } = await tx.db.execute<Found & Record<string, unknown>>(sql`
    with ${entryTable([kind], { now: tx.now(), internalMarker, actor: tx.actor })}
    select subject_id, since, web_id, subject from handled
    where state <> 'upcoming' and (${isEntry(key)} ${isGroup ? sql`or ${isMember}` : sql``})
    order by ${isEntry(key)} desc, subject_id`)
  const found = rows.map((row) => ({
    key: { kind, subject: row.subject_id, since: new Date(row.since) },
    web_id: row.web_id,
    subject: row.subject,
  }))
  const [first, ...others] = found
  if (first === undefined || formatEntryId(first.key) !== id) throw conflict('attention_over')
  return lockHandlingsOf(tx, [first, ...others])
}

/** Adds to entries of one kind what is known of their handling, which is locked until the transaction ends. */
export async function lockHandlingsOf(
  tx: AuditTransaction,
  [first, ...others]: readonly [Omit<Entry, 'handling'>, ...Omit<Entry, 'handling'>[]],
): Promise<[Entry, ...Entry[]]> {
  const byKey = await lockHandlings(
    tx,
    [first, ...others].map((one) => one.key),
  )
  const withHandling = (entry: Omit<Entry, 'handling'>): Entry => ({
    ...entry,
    handling: byKey.get(formatEntryId(entry.key)) ?? null,
  })
  return [withHandling(first), ...others.map(withHandling)]
}

/** Subjects share so many locks, since a transaction can hold some thousands only. */
const subjectLocks = 1_000

/**
 * What is known of the handling of entries of one kind, by id. A first action waits for another one that has not been committed
 * yet, and then sees it.
 */
async function lockHandlings(tx: AuditTransaction, keys: readonly EntryKey[]) {
  const kind = keys[0]?.kind ?? ''
  // In one order, so that two groups wait for each other and do not deadlock.
  const sorted = keys.toSorted((a, b) => a.subject - b.subject)
  const subjects = sql`${sql.param(sorted.map(({ subject }) => subject))}::int[]`
  const locks = [...new Set(sorted.map(({ subject }) => subject % subjectLocks))].sort((a, b) => a - b)
  const beginnings = sql`${sql.param(sorted.map(({ since }) => since.toISOString()))}::timestamptz[]`
  await tx.db.execute(sql`
    select pg_advisory_xact_lock(hashtext(${`kustos.attention ${kind}`}), lock)
    from unnest(${sql.param(locks)}::int[]) lock`)
  const rows = await tx.db
    .select()
    .from(attentionHandling)
    .where(
      sql`${attentionHandling.kind} = ${kind} and (${attentionHandling.subject_id}, ${attentionHandling.since})
        in (select * from unnest(${subjects}, ${beginnings}))`,
    )
  return new Map(
    rows.map((row) => [
      formatEntryId({ kind: row.kind as AttentionKind, subject: row.subject_id, since: row.since }),
      row,
    ]),
  )
}

/** Rejects a change because of an action of someone else, whom the message names. */
export async function rejectHandled(
  tx: AuditTransaction,
  handling: Pick<NonNullable<Entry['handling']>, 'action' | 'updated_by' | 'updated_at'>,
): Promise<never> {
  const [user] = await tx.db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, handling.updated_by ?? 0))
  const params = { who: user?.email ?? 'Kustos', at: formatTime(handling.updated_at.toISOString()) }
  const action = handling.action as HandlingAction
  throw new DomainError('conflict', { code: `attention_already_${action}`, params })
}
