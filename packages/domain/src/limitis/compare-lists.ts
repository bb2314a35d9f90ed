import type { Transaction } from '@kustos/database/client'
import { emails, ownDomains } from '@kustos/database/tables'
import { inArray, sql } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import type { Outcome } from '../platform/csv-import.ts'
import { excludedColumns } from '../platform/excluded-columns.ts'
import { withMergedCodes } from '../platform/merged-codes.ts'

/**
 * Keeps customers from being merged away before the transaction ends, since they would come back with the rows that are written: a
 * merge locks rows of both lists, in this order, before the customers. Comes before the lists are compared.
 */
export async function lockLists(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${emails}, ${ownDomains} in exclusive mode`)
}

/** An entry of a list. A null is unknown: an existing value is kept. */
type Wanted<Column extends string> = Readonly<Record<Column, string | null>> & {
  readonly created_at?: Date | null
}
export type WantedDomain = Wanted<'customer'> &
  Partial<Registration> & { readonly fqdn: string; readonly fqdn_ascii: string }
export type WantedEmail = Wanted<'customer' | 'type'> & { readonly address: string }

interface Registration {
  readonly expires_at: Date | null
  readonly auto_renew: boolean | null
}

/** The names of the rows; changed ones with their old and new values. */
export interface ChangedNames {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  /** Those that are not wanted. */
  readonly others: readonly string[]
}

/** The difference between a list in the database and the wanted rows. */
export interface Comparison {
  /** The number of rows in the database. */
  readonly before: number
  /** In the order of the wanted rows. */
  readonly outcomes: readonly Outcome[]
  readonly names: ChangedNames
  /** Writes only the rows that differ, since every statement updates the open screens. */
  write(): Promise<void>
  /** Removes the rows that are not wanted. */
  removeOthers(): Promise<void>
}

type Values<Column extends string> = Readonly<Record<Column, string>> & { readonly created_at: Date }

interface List<Column extends string, Facts extends object> {
  readonly stored: readonly (Values<Column> & Facts & { readonly id: number })[]
  /** Further columns, which are changed without being named. */
  readonly facts: readonly (keyof Facts & string)[]
  readonly key: NoInfer<Column>
  /** The first one names a row. */
  readonly columns: readonly [Column, ...Column[]]
  write(rows: (Values<Column> & Facts & { readonly updated_at: Date })[]): PromiseLike<unknown>
  remove(ids: number[]): PromiseLike<unknown>
}

/** @param wanted with unique keys */
function compare<Column extends string, Facts extends object>(
  { stored, facts, key, columns, write, remove }: List<Column, Facts>,
  wanted: readonly (Wanted<Column> & Partial<Facts>)[],
  now: Date,
): Comparison {
  const [name] = columns
  const known = new Map<string | null, (typeof stored)[number]>(stored.map((row) => [row[key], row]))
  const compared = wanted.map((entry) => {
    const old = known.get(entry[key])
    const values = columns.map((column) => [column, entry[column] ?? old?.[column] ?? ''] as const)
    const values_of_facts = facts.map((fact) => [fact, entry[fact] ?? old?.[fact] ?? null] as const)
    const row = {
      ...(Object.fromEntries(values_of_facts) as Facts),
      ...(Object.fromEntries(values) as Record<Column, string>),
      created_at: entry.created_at ?? old?.created_at ?? now,
      updated_at: now,
    }
    if (old === undefined) return { outcome: 'added' as const, row, title: row[name] }
    const moves = values.flatMap(([column, value]) =>
      value === old[column] ? [] : [`${old[column] || '–'} → ${value || '–'}`],
    )
    const isSame =
      moves.length === 0 &&
      row.created_at.getTime() === old.created_at.getTime() &&
      facts.every((fact) => String(row[fact]) === String(old[fact]))
    const title = moves.length === 0 ? row[name] : `${row[name]}: ${moves.join(', ')}`
    return { outcome: isSame ? ('unchanged' as const) : ('changed' as const), row, title }
  })
  const keys = new Set<string>(compared.map(({ row }) => row[key]))
  const others = stored.filter((row) => !keys.has(row[key]))
  const titles = (wantedOutcome: Outcome) =>
    compared.flatMap(({ outcome, title }) => (outcome === wantedOutcome ? [title] : []))
  return {
    before: stored.length,
    outcomes: compared.map(({ outcome }) => outcome),
    names: { added: titles('added'), changed: titles('changed'), others: others.map((row) => row[name]) },
    async write() {
      const written = compared.flatMap(({ outcome, row }) => (outcome === 'unchanged' ? [] : [row]))
      for (const rows of chunk(written)) await write(rows)
    },
    async removeOthers() {
      for (const rows of chunk(others)) await remove(rows.map(({ id }) => id))
    },
  }
}

export const compareDomains = async (tx: Transaction, wanted: readonly WantedDomain[], now: Date) =>
  compare<'fqdn' | 'customer' | 'fqdn_ascii', Registration>(
    {
      stored: await tx.select().from(ownDomains),
      facts: ['expires_at', 'auto_renew'],
      key: 'fqdn_ascii',
      columns: ['fqdn', 'customer', 'fqdn_ascii'],
      write: (rows) =>
        tx
          .insert(ownDomains)
          .values(rows)
          .onConflictDoUpdate({
            target: ownDomains.fqdn_ascii,
            set: excludedColumns('fqdn', 'customer', 'expires_at', 'auto_renew', 'created_at', 'updated_at'),
          }),
      remove: (ids) => tx.delete(ownDomains).where(inArray(ownDomains.id, ids)),
    },
    await withMergedCodes(tx, wanted),
    now,
  )

export const compareEmails = async (tx: Transaction, wanted: readonly WantedEmail[], now: Date) =>
  compare<'address' | 'customer' | 'type', Record<never, never>>(
    {
      stored: await tx.select().from(emails),
      facts: [],
      key: 'address',
      columns: ['address', 'customer', 'type'],
      write: (rows) =>
        tx
          .insert(emails)
          .values(rows)
          .onConflictDoUpdate({
            target: emails.address,
            set: excludedColumns('type', 'customer', 'created_at', 'updated_at'),
          }),
      remove: (ids) => tx.delete(emails).where(inArray(emails.id, ids)),
    },
    await withMergedCodes(tx, wanted),
    now,
  )
