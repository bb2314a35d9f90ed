import type { OpenDatabase } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import { allowed, type Ledger, type Table } from './ledger.ts'

/** Where each table keeps a row's name, and the value that the load wrote. */
const columns: Readonly<Record<Table, { name: string; value: string; gone: string }>> = {
  webs: { name: 'fqdn', value: 'comment', gone: 'deleted_at is not null' },
  external_domains: { name: 'fqdn', value: 'domainprovider', gone: 'false' },
  users: { name: 'email', value: 'name', gone: 'deleted_at is not null' },
}

export interface Compared {
  /** Writes that were acknowledged and are not there. */
  readonly lost: readonly string[]
  /** Rows and entries that are there twice. */
  readonly doubled: readonly string[]
}

/** Holds what was acknowledged against what is there, row by row and entry by entry. */
export async function compare(
  { db }: Pick<OpenDatabase, 'db'>,
  ledger: Ledger,
  log: number,
): Promise<Compared> {
  const lost: string[] = []
  const doubled: string[] = []
  const { rows: entries } = await db.execute<{ value: string; count: number }>(sql`
    select value, count(*)::int as count from (
      select coalesce(properties->'attributes'->>'comment', properties->'attributes'->>'domainprovider',
        properties->'attributes'->>'name') as value
      from log_entries where id > ${log} and description in ('created', 'updated')) entries
    where value like 'value-%' group by value`)
  const entered = new Map(entries.map(({ value, count }) => [value, count]))
  const kept = new Map<string, (string | null)[]>()
  for (const [table, { name, value, gone }] of Object.entries(columns)) {
    const { rows } = await db.execute<{ name: string; value: string | null }>(
      sql.raw(`select ${name} as name, case when ${gone} then null else ${value} end as value from ${table}`),
    )
    for (const row of rows) {
      const key = `${table} ${row.name}`
      kept.set(key, [...(kept.get(key) ?? []), row.value])
    }
  }
  for (const row of ledger.rows()) {
    const key = `${row.table} ${row.name}`
    const found = kept.get(key) ?? []
    if (found.length > 1) doubled.push(`${key} is there ${found.length} times`)
    const value = found[0] ?? null
    const may = allowed(row)
    if (!may.includes(value)) lost.push(`${key} is ${value}, and not ${may.join(' or ')}`)
    for (const write of row.writes) {
      if (write.value === null) continue
      const count = entered.get(write.value) ?? 0
      if (count > 1) doubled.push(`${key}: ${count} entries of ${write.value}`)
      if (write.outcome === 'acknowledged' && count === 0) lost.push(`${key}: no entry of ${write.value}`)
      if (write.outcome === 'refused' && count > 0)
        lost.push(`${key}: ${write.value} was refused and is there`)
    }
  }
  for (const table of ['deployments', 'inspections'] as const) {
    const ids = ledger.asked.filter((one) => one.table === table).map(({ id }) => id)
    const { rows } = await db.execute<{ id: number }>(sql.raw(`select id from ${table}`))
    const there = new Set(rows.map(({ id }) => id))
    lost.push(...ids.filter((id) => !there.has(id)).map((id) => `${table} ${id} is not there`))
  }
  return { lost, doubled }
}

/** What the log held at a moment; all of it has to stand there later, as it was. */
export interface LogMark {
  readonly last: number
  readonly count: number
  readonly sum: string
}

export async function markLog({ db }: Pick<OpenDatabase, 'db'>, upTo?: number): Promise<LogMark> {
  const { rows } = await db.execute<LogMark & Record<string, unknown>>(sql`
    select coalesce(max(id), 0)::int as last, count(*)::int as count,
      coalesce(md5(string_agg(md5(l::text), '' order by id)), '') as sum
    from log_entries l where ${upTo === undefined ? sql`true` : sql`id <= ${upTo}`}`)
  const [mark] = rows
  if (!mark) throw new Error('The log tells nothing')
  return mark
}
