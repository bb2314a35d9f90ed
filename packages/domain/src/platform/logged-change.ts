import type { LogDescription } from '@kustos/contract/log-words'
import { logEntries } from '@kustos/database/tables'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { changes, findLastChange } from './audit.ts'
import type { Scope } from './context.ts'
import { conflict } from './errors.ts'
import { isAnyOf } from './is-any-of.ts'

/** As much of a log entry as a revert needs. */
export interface LoggedChange {
  readonly id: number
  readonly description: string
  readonly old: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Fields whose values have an order. Other lists are sets of names. */
const orderedFields: readonly string[] = ['users', 'column_order', 'options', 'steps']

const comparable = (field: string, value: unknown) =>
  JSON.stringify(Array.isArray(value) && !orderedFields.includes(field) ? value.toSorted() : value)

/**
 * Rejects the revert of a change whose fields have changed again since.
 * @param current the values as they are now
 * @param by the entries of such changes
 * @throws DomainError conflict, which names who changed it last, and the fields
 */
export async function rejectOutdatedRevert(
  scope: Pick<Scope, 'db'>,
  subject: { readonly type: string; readonly id: number },
  current: Readonly<Record<string, unknown>>,
  { old, attributes }: LoggedChange,
  by: readonly LogDescription[] = changes,
): Promise<void> {
  // What else the entry says has no old value.
  const fields = Object.keys(old).filter(
    (field) => comparable(field, current[field]) !== comparable(field, attributes[field]),
  )
  if (fields.length === 0) return
  const { who, at } = await findLastChange(scope, subject, by)
  throw conflict('change_outdated', { who, at, fields: fields.join(', ') })
}

const removals = ['deleted', 'restored'] as const

/**
 * Rejects the revert of a deletion or a restoration after which the subject was deleted or restored again.
 * @param id of the entry
 * @throws DomainError conflict, which names who did that last, and when
 */
export async function rejectSupersededRevert(
  scope: Pick<Scope, 'db'>,
  subject: { readonly type: string; readonly id: number },
  id: number,
): Promise<void> {
  const { id: last, who, at } = await findLastChange(scope, subject, removals)
  if (last !== id) throw conflict('change_superseded', { who, at })
}

/** The ids of the entries of the last deletions or restorations, by the id of the subject. */
export async function readLastRemovals(
  { db }: Pick<Scope, 'db'>,
  type: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number | null, number>> {
  const rows = await db
    .select({
      subject: logEntries.subject_id,
      id: sql<number>`(array_agg(${logEntries.id} order by ${logEntries.created_at} desc, ${logEntries.id} desc))[1]`,
    })
    .from(logEntries)
    .where(
      and(
        eq(logEntries.subject_type, type),
        isAnyOf(logEntries.subject_id, ids),
        inArray(logEntries.description, removals),
      ),
    )
    .groupBy(logEntries.subject_id)
  return new Map(rows.map(({ subject, id }) => [subject, id]))
}

/** What the log has, as input of the verb. @throws DomainError conflict for what an older release has written otherwise */
export function parseLogged<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw conflict('change_not_revertible')
  return parsed.data
}
