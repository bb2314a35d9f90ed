import type { HandlingAction } from '@kustos/contract/attention'
import type { LogEvent } from '@kustos/contract/log-words'
import { message } from '@kustos/contract/messages'
import { attentionHandling } from '@kustos/database/tables'
import { getTableColumns, sql } from 'drizzle-orm'
import { type AuditTransaction, type LogEntry, withAudit } from '../platform/audit.ts'
import { chunk } from '../platform/chunk.ts'
import type { Context } from '../platform/context.ts'
import { invalid } from '../platform/errors.ts'
import { findAssignee } from './assignees.ts'
import { type Entry, lockEntries, rejectHandled, type Settings } from './lock-entries.ts'

/** What all actions have. */
export interface Handling {
  /** Undefined keeps the note, null removes it. Of the other entries of a group, only those change that have no other note of their own. */
  readonly note?: string | null | undefined
  /** Also for the other webs that the same outage explains. */
  readonly group?: boolean | undefined
  /** When the entry was last handled, as the user has seen it, or null; undefined to change it in any case. */
  readonly updated_at?: string | null | undefined
}

type Values = Partial<
  Pick<
    typeof attentionHandling.$inferInsert,
    'acknowledged_by' | 'acknowledged_at' | 'assigned_to' | 'snoozed_by' | 'snoozed_until' | 'note'
  >
>

interface Change {
  readonly action: HandlingAction
  readonly description: LogEvent
  readonly values: Values
  /** For the audit log, besides the note. */
  readonly attributes?: object
}

/** The entry that is meant, and the note that the other one gets. */
interface Asked {
  readonly first: Entry
  readonly note: Handling['note']
}

type Decide = (entry: Entry, tx: AuditTransaction, asked: Asked) => Promise<Change | null> | Change | null

/** Locks the entries of a change, the one that is meant first. */
export type LockEntries = (tx: AuditTransaction) => Promise<readonly [Entry, ...Entry[]]>

/** The entry with this id, or with `group` all that the same outage explains. */
const byId =
  (settings: Settings, id: string, group = false): LockEntries =>
  (tx) =>
    lockEntries(tx, settings, id, group)

/** @param decide returns null if nothing is to change for an entry; for the first one it may throw */
function handle(context: Context, lock: LockEntries, input: Handling, decide: Decide) {
  return withAudit(context, async (tx) => {
    const entries = await lock(tx)
    const [first] = entries
    const seen = input.updated_at === null ? null : Date.parse(input.updated_at ?? '')
    if (
      input.updated_at !== undefined &&
      first.handling !== null &&
      first.handling.updated_at.getTime() !== seen
    )
      await rejectHandled(tx, first.handling)
    const changed: { readonly entry: Entry; readonly change: Change; readonly note: Handling['note'] }[] = []
    for (const entry of entries) {
      const note = keepsNote(entry, first) ? undefined : input.note
      const change = await decide(entry, tx, { first, note })
      if (change !== null) changed.push({ entry, change, note })
    }
    if (changed.length === 0) return tx.skipAudit()
    // In the order in which routes and outages write them.
    const rows = changed
      .map(({ entry, change, note }) => rowOf(tx, entry, change, note))
      .toSorted((one, other) => one.subject_id - other.subject_id)
    for (const some of chunk(rows))
      await tx.db
        .insert(attentionHandling)
        .values(some)
        .onConflictDoUpdate({ target: handlingKey, set: excluded })
    await tx.recordAll(changed.map(({ entry, change, note }) => logEntryOf(entry, change, note)))
  })
}

/** The user has seen the note of the first entry only. */
const keepsNote = ({ handling }: Entry, first: Entry) =>
  handling?.note != null && handling.note !== first.handling?.note

const { kind, subject_id, since, ...handled } = getTableColumns(attentionHandling)
const handlingKey = [kind, subject_id, since]
const excluded = Object.fromEntries(Object.keys(handled).map((name) => [name, sql.raw(`excluded.${name}`)]))

/** The whole row: what is known of the entry, which is locked, and the change. */
function rowOf(
  tx: AuditTransaction,
  { key, handling }: Entry,
  change: Change,
  note: Handling['note'],
): typeof attentionHandling.$inferInsert {
  return {
    ...handling,
    kind: key.kind,
    subject_id: key.subject,
    since: key.since,
    ...change.values,
    ...(note !== undefined && { note: note === '' ? null : note }),
    action: change.action,
    updated_by: tx.actor?.id ?? null,
    // Later than the last time even if the clock is not, so that nobody's change goes unnoticed.
    updated_at: new Date(Math.max(tx.now().getTime(), (handling?.updated_at.getTime() ?? 0) + 1)),
  }
}

/** An entry about a web or a deployment is also found there. */
function logEntryOf(
  { key, web_id, subject, handling }: Entry,
  change: Change,
  note: Handling['note'],
): LogEntry {
  const lost = note !== undefined && handling?.note !== note ? (handling?.note ?? null) : null
  const { kind } = key
  const deployment = kind.startsWith('deployment_') ? key.subject : undefined
  const about =
    web_id !== null
      ? { type: 'web', id: web_id }
      : deployment !== undefined && { type: 'deployment', id: deployment }
  return {
    log: 'attention',
    description: change.description,
    ...(about && { subject: about }),
    ...(lost !== null && { old: { note: lost } }),
    attributes: {
      kind,
      since: key.since.toISOString(),
      ...(!about && subject !== null && { name: subject }),
      ...(deployment !== undefined && { deployment }),
      ...change.attributes,
      ...(note != null && note !== '' && { note }),
    },
  }
}

/** The same as `isAcknowledgedAt`, for an entry that was read. */
export const isAcknowledged = ({ handling }: Entry, { now }: Pick<AuditTransaction, 'now'>): boolean =>
  handling?.acknowledged_at != null && (handling.snoozed_until === null || handling.snoozed_until > now())

/**
 * Acknowledges entries. What one has acknowledged already only gets the new note.
 * @throws DomainError conflict if another user has acknowledged the first of them or handled it since `updated_at`
 */
export const acknowledge = (context: Context, lock: LockEntries, input: Handling) =>
  handle(context, lock, input, async (entry, tx, { first, note }) => {
    const { handling } = entry
    if (handling !== null && isAcknowledged(entry, tx)) {
      const isOther = handling.acknowledged_by !== tx.actor?.id
      if (isOther && entry === first)
        await rejectHandled(tx, {
          action: 'acknowledged',
          updated_by: handling.acknowledged_by,
          updated_at: handling.acknowledged_at ?? handling.updated_at,
        })
      if (isOther || note === undefined) return null
    }
    return {
      action: 'acknowledged',
      description: 'acknowledged',
      values: {
        acknowledged_by: tx.actor?.id ?? null,
        acknowledged_at: tx.now(),
        snoozed_by: null,
        snoozed_until: null,
      },
    }
  })

/**
 * Withdraws the acknowledgement of entries.
 * @param undoes only what the acting user has acknowledged with the first entry or after it
 */
export const withdraw = (context: Context, lock: LockEntries, undoes = false) =>
  handle(context, lock, {}, (entry, tx, { first }) =>
    entry.handling?.acknowledged_at != null && (!undoes || isUndone(entry, first, tx.actor?.id))
      ? {
          action: 'reopened',
          description: 'acknowledgement withdrawn',
          values: { acknowledged_by: null, acknowledged_at: null },
        }
      : null,
  )

function isUndone({ handling }: Entry, first: Entry, user: number | undefined): boolean {
  const since = first.handling?.acknowledged_by === user ? first.handling?.acknowledged_at : null
  return (
    since != null &&
    handling?.acknowledged_by === user &&
    handling?.acknowledged_at != null &&
    handling.acknowledged_at >= since
  )
}

/**
 * Assigns entries.
 * @throws DomainError invalid, for user, if they do not exist or may not see the entries; conflict if another user has handled the
 * first of them since `updated_at`
 */
export const assign = (
  context: Context,
  lock: LockEntries,
  { user, ...input }: Handling & { readonly user: number },
) => {
  // The same for all entries of a group.
  let found: ReturnType<typeof findAssignee> | undefined
  return handle(context, lock, input, async ({ key, handling }, tx, { note }) => {
    found ??= findAssignee(tx, user, key.kind)
    const { id: assignee, email } = await found
    if (handling?.assigned_to === assignee && note === undefined) return null
    return {
      action: 'assigned',
      description: 'assigned',
      values: { assigned_to: assignee },
      attributes: { assigned_to: email },
    }
  })
}

/** Assigns entries to nobody. */
export const unassign = (context: Context, lock: LockEntries) =>
  handle(context, lock, {}, ({ handling }) =>
    handling?.assigned_to == null
      ? null
      : { action: 'assigned', description: 'assignment withdrawn', values: { assigned_to: null } },
  )

/**
 * Snoozes entries.
 * @throws DomainError invalid, for until, if it is not ahead; conflict if another user has handled the first of them since `updated_at`
 */
export const snooze = (
  context: Context,
  lock: LockEntries,
  { until, ...input }: Handling & { readonly until: string },
) =>
  handle(context, lock, input, (entry, tx) => {
    const end = new Date(until)
    if (end <= tx.now()) throw invalid({ until: message('time_not_ahead') })
    return {
      action: 'snoozed',
      description: 'snoozed',
      values: {
        snoozed_by: tx.actor?.id ?? null,
        snoozed_until: end,
        // One that an earlier snooze has ended would count again with this one.
        ...(!isAcknowledged(entry, tx) && { acknowledged_by: null, acknowledged_at: null }),
      },
      attributes: { snoozed_until: until },
    }
  })

/** Ends the snooze of entries. */
export const endSnooze = (context: Context, lock: LockEntries) =>
  handle(context, lock, {}, ({ handling }, tx) =>
    handling?.snoozed_until != null && handling.snoozed_until > tx.now()
      ? { action: 'reopened', description: 'snooze ended', values: { snoozed_by: null, snoozed_until: null } }
      : null,
  )

/** @throws DomainError forbidden; conflict if it is over, or as of `acknowledge` */
export const acknowledgeEntry = (context: Context, settings: Settings, id: string, input: Handling) =>
  acknowledge(context, byId(settings, id, input.group), input)

/** @param undo as of `withdraw` @throws DomainError forbidden; conflict if it is over */
export const withdrawAcknowledgement = (
  context: Context,
  settings: Settings,
  id: string,
  { group, undo }: { readonly group: boolean; readonly undo: boolean },
) => withdraw(context, byId(settings, id, group), undo)

/** @throws DomainError forbidden; conflict if it is over, or as of `assign` */
export const assignEntry = (
  context: Context,
  settings: Settings,
  id: string,
  input: Handling & { readonly user: number },
) => assign(context, byId(settings, id, input.group), input)

/** @throws DomainError forbidden; conflict if it is over */
export const unassignEntry = (context: Context, settings: Settings, id: string, group: boolean) =>
  unassign(context, byId(settings, id, group))

/** @throws DomainError forbidden; conflict if it is over, or as of `snooze` */
export const snoozeEntry = (
  context: Context,
  settings: Settings,
  id: string,
  input: Handling & { readonly until: string },
) => snooze(context, byId(settings, id, input.group), input)

/** @throws DomainError forbidden; conflict if it is over */
export const endEntrySnooze = (context: Context, settings: Settings, id: string, group: boolean) =>
  endSnooze(context, byId(settings, id, group))
