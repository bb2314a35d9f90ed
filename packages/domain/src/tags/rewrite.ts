import { sortTags, splitTag } from '@kustos/contract/tags'
import type { Transaction } from '@kustos/database/client'
import { storableJson } from '@kustos/database/storable-text'
import { customers, nodes, webs } from '@kustos/database/tables'
import { asc, sql } from 'drizzle-orm'
import type { AuditTransaction, LogEntry } from '../platform/audit.ts'
import { namesTag } from './names-tag.ts'

/** What carries tags, in the order in which it is locked, as by a takeover and a merge; see `writeWebs` about webs. */
const carriers = [
  { table: nodes, log: 'nodes', subject: 'node' },
  { table: webs, log: 'webs', subject: 'web' },
  { table: customers, log: 'customers', subject: 'customer' },
] as const

/** The distinct values with which a tag is carried; those of deleted webs, too. */
export async function readCarriedValues(db: Transaction, name: string): Promise<string[]> {
  const parts = carriers.map(
    ({ table }) =>
      sql`select carried from ${table}, unnest(${table.tags}) carried where ${namesTag(table.tags, name)}`,
  )
  const { rows } = await db.execute<{ carried: string }>(
    sql`select distinct carried from (${sql.join(parts, sql` union all `)}) tags order by carried`,
  )
  return rows.flatMap(({ carried }) => {
    const tag = splitTag(carried)
    return tag.name === name && tag.value !== null ? [tag.value] : []
  })
}

/** How often each tag is carried. Deleted webs count, since they can be restored. */
export async function countCarriers(
  db: Transaction,
  kind: 'webs' | 'customers' | 'nodes',
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<{ name: string; count: number }>(sql`
    select split_part(carried, ':', 1) as name, count(*)::int as count
    from ${sql.identifier(kind)}, unnest(tags) carried group by 1`)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/**
 * Replaces a tag wherever it is carried, with a log entry for each change. The tag is locked already, so nobody adds it meanwhile.
 * @param replace returns what takes the place of the tag with this value, or null for nothing; what carries a tag of the new name
 *   already keeps it
 * @param change names the change in the entries
 * @param beforeWrites runs once all of them are locked, and locks whatever else it changes: the statements that follow lock the
 *   revision of the list of webs, which has to be locked last
 */
export async function rewriteTags(
  tx: AuditTransaction,
  name: string,
  replace: (value: string | null) => string | null,
  change: string,
  beforeWrites?: () => Promise<void>,
): Promise<void> {
  const changed = []
  const entries: LogEntry[] = []
  for (const { table, log, subject } of carriers) {
    const rows = await tx.db
      .select({ id: table.id, tags: table.tags })
      .from(table)
      .where(namesTag(table.tags, name))
      .orderBy(asc(table.id))
      .for('no key update')
    const rewritten = rows.flatMap(({ id, tags }) => {
      const next = replaceTag(tags, name, replace)
      return String(next) === String(tags) ? [] : [{ id, old: tags, tags: next }]
    })
    entries.push(
      ...rewritten.map(
        ({ id, old, tags }): LogEntry => ({
          log,
          description: 'updated',
          subject: { type: subject, id },
          old: { tags: old },
          attributes: { tags, tag: change },
        }),
      ),
    )
    if (rewritten.length > 0) changed.push({ table, rows: rewritten.map(({ id, tags }) => ({ id, tags })) })
  }
  if (entries.length > 0) await tx.recordAll(entries)
  await beforeWrites?.()
  const now = tx.now().toISOString()
  const websLast = changed.toSorted((a, b) => Number(a.table === webs) - Number(b.table === webs))
  // Later than before, so that no form overwrites it unnoticed.
  for (const { table, rows } of websLast)
    await tx.db.execute(sql`
      update ${table} set tags = changed.tags,
        updated_at = greatest(${now}::timestamptz, ${table.updated_at} + interval '1 ms')
      from json_to_recordset(${storableJson(rows)}) as changed (id int, tags text[]) where ${table.id} = changed.id`)
}

function replaceTag(
  tags: readonly string[],
  name: string,
  replace: (value: string | null) => string | null,
): string[] {
  const others = tags.filter((tag) => splitTag(tag).name !== name)
  const held = new Set(others.map((tag) => splitTag(tag).name))
  const replaced = tags
    .filter((tag) => splitTag(tag).name === name)
    .flatMap((tag) => replace(splitTag(tag).value) ?? [])
  return sortTags([...others, ...replaced.filter((tag) => !held.has(splitTag(tag).name))])
}
