import type { CheckEdits } from '@kustos/contract/checks'
import type { Transaction } from '@kustos/database/client'
import { checks, type StoredCheck } from '@kustos/database/tables'
import { type SQL, sql } from 'drizzle-orm'
import { isAnyOf } from '../platform/is-any-of.ts'
import type { CheckLevel } from './merge.ts'

/**
 * The settings that apply to webs that have any, by web, those that take precedence first. Of several tags the first one by name
 * takes precedence.
 * @param webs the SQL of an array of ids
 */
export async function readLevels(
  db: Transaction,
  webs: SQL,
): Promise<ReadonlyMap<number, readonly CheckLevel[]>> {
  const { rows } = await db.execute<CheckLevel & { web_id: number } & Record<string, unknown>>(sql`
    select * from (
      select c.web_id, 1 as place, 'web' as kind, null as name, c.id, c.settings from checks c
      where c.web_id = any(${webs}) and c.settings <> '{}'
      union all
      select w.id, 2, 'tag', t.name, c.id, c.settings
      from checks c join tags t on t.id = c.tag_id join webs w on t.name = any(tag_keys(w.tags))
      where w.id = any(${webs}) and c.settings <> '{}'
      union all
      select w.id, 3, 'customer', k.code, c.id, c.settings
      from checks c join customers k on k.id = c.customer_id join webs w on w.customer = k.code
      where w.id = any(${webs}) and c.settings <> '{}'
    ) levels order by web_id, place, name`)
  return Map.groupBy(rows, ({ web_id }) => web_id)
}

/** The settings of webs themselves, by web. */
export async function readOwnChecks(
  db: Transaction,
  webs: readonly number[],
): Promise<ReadonlyMap<number, StoredCheck>> {
  const rows = await db.select().from(checks).where(isAnyOf(checks.web_id, webs))
  return new Map(rows.flatMap(({ web_id, settings }) => (web_id === null ? [] : [[web_id, settings]])))
}

/** Settings with edits applied: null removes a field, undefined leaves it. */
export function applyEdits(settings: StoredCheck, edits: CheckEdits | StoredCheck): StoredCheck {
  const given = Object.entries(edits).filter(([, value]) => value !== undefined)
  const merged = { ...settings, ...Object.fromEntries(given) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

/** Whether edits change something. */
export const changesCheck = (settings: StoredCheck, edits: CheckEdits): boolean =>
  !isSame(settings, applyEdits(settings, edits))

/** The database returns fields in another order. */
export const isSame = (a: StoredCheck, b: StoredCheck): boolean => ordered(a) === ordered(b)

const ordered = (settings: StoredCheck) =>
  JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)))
