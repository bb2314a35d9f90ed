import type { LogDescription } from '@kustos/contract/log-words'
import { type LogProperties, logEntries } from '@kustos/database/tables'
import { and, eq, inArray, max, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { changes, findLastChange } from './audit.ts'
import type { Scope } from './context.ts'
import { conflict } from './errors.ts'
import { isAnyOf } from './is-any-of.ts'

/** As much of a log entry as a revert needs. */
export interface LoggedChange {
  readonly id: number
  readonly created_at: Date
  readonly description: string
  readonly old: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Fields whose values have an order. Other lists are sets of names. */
const orderedFields: readonly string[] = ['users', 'column_order', 'options', 'steps']

const comparable = (field: string, value: unknown) =>
  JSON.stringify(Array.isArray(value) && !orderedFields.includes(field) ? value.toSorted() : value)

/** The fields of a logged change that do not have the values any more that it gave them. What else the entry says has no old value. */
const findChangedFields = (
  current: Readonly<Record<string, unknown>>,
  { old, attributes }: LoggedChange,
): string[] =>
  Object.keys(old).filter(
    (field) => comparable(field, current[field]) !== comparable(field, attributes[field]),
  )

/** A condition for entries that changed one of these fields, of this time and later. The clocks of workers may differ a little. */
const touches = (fields: readonly string[], since: Date): SQL => sql`
  ${logEntries.created_at} >= ${since.toISOString()}::timestamptz - interval '1 hour'
  and exists (
    select from unnest(${sql.param(fields)}::text[]) field
    where ${logEntries.properties} #> array['old', field] is not null
      and (${logEntries.properties} #> array['old', field])::jsonb
        is distinct from (${logEntries.properties} #> array['attributes', field])::jsonb)`

/** Some entries have all values, also those that stayed. */
const hasChanged = (field: string, { old = {}, attributes = {} }: LogProperties): boolean =>
  field in old && JSON.stringify(old[field]) !== JSON.stringify(attributes[field])

/** A deletion logs all values and changes none of them. */
const withoutRemovals = (by: readonly LogDescription[]): readonly LogDescription[] =>
  by.filter((description) => description !== 'deleted' && description !== 'restored')

/**
 * Rejects the revert of a change whose fields have changed again since, also if they have the same values again: somebody gave them
 * these on purpose.
 * @param current the values as they are now
 * @param by the entries of such changes
 * @throws DomainError conflict, which names who changed it last, and the fields
 */
export async function rejectOutdatedRevert(
  scope: Pick<Scope, 'db'>,
  subject: { readonly type: string; readonly id: number },
  current: Readonly<Record<string, unknown>>,
  made: LoggedChange,
  by: readonly LogDescription[] = changes,
): Promise<void> {
  const all = Object.keys(made.old)
  // Changes of one subject wait for each other, so a later one has a higher id.
  const isLater = sql`${logEntries.id} > ${made.id} and ${touches(all, made.created_at)}`
  const later = await findLastChange(scope, subject, withoutRemovals(by), isLater)
  const changed = findChangedFields(current, made)
  const fields = all.filter((field) => changed.includes(field) || hasChanged(field, later.properties))
  if (fields.length === 0) return
  const { who, at } = later.id === undefined ? await findLastChange(scope, subject, by) : later
  throw conflict('change_outdated', { who, at, fields: fields.join(', ') })
}

/**
 * The ids of the last entries that touched one of the fields of these changes, by the id of the subject. Spares `rejectOutdatedRevert`
 * where `isAsLogged` and this is the change itself.
 */
export async function readLastTouches(
  { db }: Pick<Scope, 'db'>,
  type: string,
  made: ReadonlyMap<number, LoggedChange>,
  by: readonly LogDescription[] = changes,
): Promise<ReadonlyMap<number, number>> {
  const entries = [...made.values()]
  if (entries.length === 0) return new Map()
  const fields = [...new Set(entries.flatMap(({ old }) => Object.keys(old)))]
  const since = new Date(Math.min(...entries.map(({ created_at }) => created_at.getTime())))
  const rows = await db
    .select({ subject: logEntries.subject_id, id: max(logEntries.id) })
    .from(logEntries)
    .where(
      and(
        eq(logEntries.subject_type, type),
        isAnyOf(logEntries.subject_id, [...made.keys()]),
        inArray(logEntries.description, withoutRemovals(by)),
        touches(fields, since),
      ),
    )
    .groupBy(logEntries.subject_id)
  return new Map(rows.map(({ subject, id }) => [Number(subject), Number(id)]))
}

/** Whether the fields of a logged change still have the values that it gave them. */
export const isAsLogged = (current: Readonly<Record<string, unknown>>, made: LoggedChange): boolean =>
  findChangedFields(current, made).length === 0

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
    .select({ subject: logEntries.subject_id, id: max(logEntries.id) })
    .from(logEntries)
    .where(
      and(
        eq(logEntries.subject_type, type),
        isAnyOf(logEntries.subject_id, ids),
        inArray(logEntries.description, removals),
      ),
    )
    .groupBy(logEntries.subject_id)
  return new Map(rows.map(({ subject, id }) => [subject, Number(id)]))
}

/** What the log has, as input of the verb. @throws DomainError conflict for what an older release has written otherwise */
export function parseLogged<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw conflict('change_not_revertible')
  return parsed.data
}
