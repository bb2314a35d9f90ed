import { formatTime } from '@kustos/contract/grid'
import { commandLine, type LogDescription, type LogName } from '@kustos/contract/log-words'
import { type LogProperties, logEntries, users } from '@kustos/database/tables'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Context, Scope } from './context.ts'
import { conflict, type DomainError } from './errors.ts'
import { portions } from './portions.ts'

/** One line of the audit log. */
export interface LogEntry {
  /** The feature. */
  readonly log: LogName
  /** What happened, in the past tense: created, updated, deleted, … */
  readonly description: LogDescription
  readonly subject?: { readonly type: string; readonly id: number }
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly old?: Readonly<Record<string, unknown>>
  /** Where it is not the acting user, as at a sign-in. */
  readonly causerId?: number
}

export interface Change extends Scope {
  /** Writes the entry that this change owes the log. @throws Error where a property is named like a secret */
  record(entry: LogEntry): Promise<void>
  /** The same for as many as there are. */
  recordAll(entries: readonly LogEntry[]): Promise<void>
  /** Says that there was nothing to change after all. */
  unchanged(): void
}

/**
 * Runs a change and its log entry in one transaction. A change that ends without having recorded anything fails, and
 * nothing of it stays.
 */
export function change<T>(context: Context, work: (inside: Change) => Promise<T>): Promise<T> {
  return context.db.transaction(async (db) => {
    let accounted = false
    const { actor, now, origin } = context
    const recordAll = async (entries: readonly LogEntry[]) => {
      accounted = true
      const rows = entries.map(({ attributes: told, old, ...entry }) => {
        const attributes = origin === undefined ? told : { ...told, ...origin }
        refuseSecrets(attributes)
        refuseSecrets(old)
        return {
          created_at: now(),
          log_name: entry.log,
          description: entry.description,
          subject_type: entry.subject?.type ?? null,
          subject_id: entry.subject?.id ?? null,
          causer_id: entry.causerId ?? actor?.id ?? null,
          properties: { ...(attributes && { attributes }), ...(old && { old }) },
        }
      })
      for (const portion of portions(rows)) await db.insert(logEntries).values(portion)
    }
    const result = await work({
      db,
      actor,
      now,
      record: (entry) => recordAll([entry]),
      recordAll,
      unchanged() {
        accounted = true
      },
    })
    if (!accounted) throw new Error('A change has to record a log entry')
    return result
  })
}

const secret = /passw(or)?d|secret|token|hash|cookie|authorization|api_?key|credential/i

/** Secrets never reach the log: no property at any depth may be named like one, whatever its value. */
function refuseSecrets(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (secret.test(name)) throw new Error(`The log takes no secrets: a property is named ${name}`)
    refuseSecrets(inner)
  }
}

/** What differs between two states, under the same keys on both sides; null where nothing does. */
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

/** A row's next time is later than its last, whatever the clock says: two changes are never taken for one. */
export const after = (row: { readonly updated_at: Date }, { now }: Scope): Date =>
  new Date(Math.max(now().getTime(), row.updated_at.getTime() + 1))

/** The descriptions of what changes the thing itself. Others stand under its subject too, as requests about it do. */
const changes: readonly LogDescription[] = [
  'created',
  'updated',
  'updated, with a new password',
  'deleted',
  'restored',
  'imported',
  'imported again',
]

/**
 * The refusal of a change to what somebody else has changed since it was read: it says who, and when.
 * @param what the thing in a word, as "web"
 * @param at when it was changed last
 */
export async function changedMeanwhile(
  { db }: Scope,
  subject: { readonly type: string; readonly id: number },
  what: string,
  at: Date,
): Promise<DomainError> {
  const [last] = await db
    .select({ log: logEntries.log_name, properties: logEntries.properties, email: users.email })
    .from(logEntries)
    .leftJoin(users, eq(users.id, logEntries.causer_id))
    .where(
      and(
        eq(logEntries.subject_type, subject.type),
        eq(logEntries.subject_id, subject.id),
        inArray(logEntries.description, changes),
      ),
    )
    .orderBy(desc(logEntries.id))
    .limit(1)
  const who = last?.email ?? (last && nobody(last)) ?? 'Kustos'
  return conflict(`${who} has changed this ${what} at ${formatTime(at.toISOString())}. Nothing was saved.`)
}

/** Who it was where no user was: an import, or somebody at the command line. */
function nobody({ log, properties }: { log: string; properties: LogProperties }): string | null {
  if (log === 'imports') return 'An import from the former system'
  return properties.attributes?.by === commandLine ? 'Somebody at the command line' : null
}
