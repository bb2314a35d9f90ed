import type { Transaction } from '@kustos/database/client'
import { storableJson } from '@kustos/database/storable-text'
import { getTableName, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

export type Numbered = PgTable & { readonly id: PgColumn }

/** Ids further ahead are replaced, since the sequence has to be advanced past the others one by one. */
const maxIdGap = 5_000_000

const sequenceOf = (table: Numbered) => sql`pg_get_serial_sequence(${getTableName(table)}, 'id')`

/** @returns new ids of the table's sequence, in ascending order */
export async function nextIds(tx: Transaction, table: Numbered, count: number): Promise<readonly number[]> {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select nextval(${sequenceOf(table)})::int as id from generate_series(1, ${count}::int)`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Ids for new rows: the wanted ones if they are free, otherwise new ones that are not in `all`. Nobody else may add rows
 * in the meantime.
 * @param wanted null for any
 * @param all every id of this table in the source
 */
export async function claimIds(
  tx: Transaction,
  table: Numbered,
  wanted: readonly (number | null)[],
  all: readonly (number | null)[],
): Promise<readonly number[]> {
  if (wanted.length === 0) return []
  const [next = 1] = await nextIds(tx, table, 1)
  const near = (id: number | null): id is number => id !== null && id <= next + maxIdGap
  const last = all.filter(near).reduce((a, b) => Math.max(a, b), 0)
  if (last > next) {
    // Taking values advances the sequence without the right to set it, and can never move it back.
    await tx.execute(
      sql`select count(nextval(${sequenceOf(table)})) from generate_series(1, ${last - next}::int)`,
    )
  }
  const named = wanted.filter(near)
  const taken =
    named.length === 0 ? [] : await tx.select({ id: table.id }).from(table).where(inArray(table.id, named))
  const used = new Set<unknown>(taken.map(({ id }) => id))
  const kept = wanted.map((id) => {
    if (!near(id) || used.has(id)) return null
    used.add(id)
    return id
  })
  const created = (await nextIds(tx, table, kept.filter((id) => id === null).length)).values()
  return kept.map((id) => {
    const claimed = id ?? created.next().value
    if (claimed === undefined) throw new Error('The sequence gave too few ids')
    return claimed
  })
}

/** Inserts rows with their ids. A parameter for each value would take several times as long. */
export async function insertWithIds(
  tx: Transaction,
  table: Numbered,
  rows: readonly ({ readonly id: number } & Readonly<Record<string, unknown>>)[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = sql.join(
    Object.keys(first).map((name) => sql.identifier(name)),
    sql`, `,
  )
  await tx.execute(sql`
    insert into ${table} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${table}, ${storableJson(rows)})`)
}
