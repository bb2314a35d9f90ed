import type { OpenDatabase } from '@kustos/database/client'
import { sql } from 'drizzle-orm'
import { type Ledger, listAllowedValues, type Table } from './ledger.ts'

/** The columns with the name of a row and the value that the load wrote. */
const columns: Readonly<Record<Table, { name: string; value: string; deleted: string }>> = {
  webs: { name: 'fqdn', value: 'comment', deleted: 'deleted_at is not null' },
  external_domains: { name: 'fqdn', value: 'domainprovider', deleted: 'false' },
  users: { name: 'email', value: 'name', deleted: 'deleted_at is not null' },
}

export interface Differences {
  /** Acknowledged writes that are missing. */
  readonly lost: readonly string[]
  /** Rows and entries that exist twice. */
  readonly duplicated: readonly string[]
}

/** Compares the acknowledged writes with the rows and log entries. */
export async function compareWithLedger(
  { db }: Pick<OpenDatabase, 'db'>,
  ledger: Ledger,
  log: number,
): Promise<Differences> {
  const lost: string[] = []
  const duplicated: string[] = []
  const { rows: entries } = await db.execute<{ value: string; count: number }>(sql`
    select value, count(*)::int as count from (
      select coalesce(properties->'attributes'->>'comment', properties->'attributes'->>'domainprovider',
        properties->'attributes'->>'name') as value
      from log_entries where id > ${log} and description in ('created', 'updated')) entries
    where value like 'value-%' group by value`)
  const entryCounts = new Map(entries.map(({ value, count }) => [value, count]))
  const stored = new Map<string, (string | null)[]>()
  for (const [table, { name, value, deleted }] of Object.entries(columns)) {
    const { rows } = await db.execute<{ name: string; value: string | null }>(
      sql.raw(
        `select ${name} as name, case when ${deleted} then null else ${value} end as value from ${table}`,
      ),
    )
    for (const row of rows) {
      const key = `${table} ${row.name}`
      stored.set(key, [...(stored.get(key) ?? []), row.value])
    }
  }
  for (const row of ledger.rows()) {
    const key = `${row.table} ${row.name}`
    const found = stored.get(key) ?? []
    if (found.length > 1) duplicated.push(`${key} exists ${found.length} times`)
    const value = found[0] ?? null
    const allowed = listAllowedValues(row)
    if (!allowed.includes(value)) lost.push(`${key} is ${value}, and not ${allowed.join(' or ')}`)
    for (const write of row.writes) {
      if (write.value === null) continue
      const count = entryCounts.get(write.value) ?? 0
      if (count > 1) duplicated.push(`${key}: ${count} entries of ${write.value}`)
      if (write.outcome === 'acknowledged' && count === 0) lost.push(`${key}: no entry of ${write.value}`)
      if (write.outcome === 'refused' && count > 0) lost.push(`${key}: ${write.value} was refused but exists`)
    }
  }
  for (const table of ['deployments', 'inspections'] as const) {
    const ids = ledger.requests.filter((request) => request.table === table).map(({ id }) => id)
    const { rows } = await db.execute<{ id: number }>(sql.raw(`select id from ${table}`))
    const existing = new Set(rows.map(({ id }) => id))
    lost.push(...ids.filter((id) => !existing.has(id)).map((id) => `${table} ${id} is missing`))
  }
  return { lost, duplicated }
}

/** A checksum of entries of the log, which must never change. */
export interface LogChecksum {
  readonly ids: readonly number[]
  readonly sum: string
}

/** @param ids all by default. Among them, entries of transactions that were open then may appear. */
export async function readLogChecksum(
  { db }: Pick<OpenDatabase, 'db'>,
  ids?: readonly number[],
): Promise<LogChecksum> {
  const { rows } = await db.execute<LogChecksum & Record<string, unknown>>(sql`
    select coalesce(array_agg(id::int order by id), '{}') as ids,
      coalesce(md5(string_agg(md5(l::text), '' order by id)), '') as sum
    from log_entries l where ${ids === undefined ? sql`true` : sql`id = any(${sql.param(ids)}::int[])`}`)
  const [checksum] = rows
  if (!checksum) throw new Error('The query returned no row')
  return checksum
}
