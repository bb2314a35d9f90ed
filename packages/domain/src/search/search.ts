import { type Found, foundKinds, maxFoundPerKind } from '@kustos/contract/search'
import { type SQL, sql } from 'drizzle-orm'
import { type Context, requireActor } from '../platform/context.ts'
import { readWithin } from '../platform/read-within.ts'
import { rankOf } from './rank.ts'
import { type Source, sourcesFor } from './sources.ts'

interface Row extends Record<string, unknown>, Found {
  readonly rank: number
  /** Within its source. */
  readonly position: number
}

/** Nobody waits longer for a suggestion. */
const timeoutMs = 2_000

/** What matches a text in the lists that the acting user may open, by kind and best match first. */
export async function search(context: Context, text: string): Promise<Found[]> {
  const query = text.normalize('NFC')
  const selects = sourcesFor(requireActor(context)).map((source) => selectFrom(source, query))
  const { rows } = await readWithin(context, timeoutMs, (tx) =>
    tx.execute<Row>(sql.join(selects, sql` union all `)),
  )
  return foundKinds.flatMap((kind) => firstOf(rows.filter((row) => row.kind === kind)))
}

/** Rows of two sources that match equally well alternate. */
const firstOf = (rows: readonly Row[]): Found[] =>
  rows
    .toSorted((a, b) => a.rank - b.rank || a.position - b.position)
    .slice(0, maxFoundPerKind)
    .map(({ kind, id, label, hint }) => ({ kind, id, label, hint }))

function selectFrom(source: Source, query: string): SQL {
  const { kind, from, id, label, hint, names, number, order, visible = sql`true` } = source
  return sql`(
    select *, row_number() over ()::int as position from (
      select ${sql.raw(`'${kind}'`)} as kind, (${id})::text as id, ${label} as label, ${hint} as hint, rank
      from ${from} cross join lateral (select ${rankOf(query, names, number)} as rank) ranked
      where rank is not null and ${visible}
      order by rank, ${order}
      limit ${maxFoundPerKind}
    ) best
  )`
}
