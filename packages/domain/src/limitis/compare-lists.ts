import type { Transaction } from '@kustos/database/client'
import { emails, ownDomains } from '@kustos/database/tables'
import { inArray } from 'drizzle-orm'
import { chunk } from '../platform/chunk.ts'
import type { Outcome } from '../platform/csv-import.ts'
import { excludedColumns } from '../platform/excluded-columns.ts'

export interface WantedDomain {
  readonly fqdn: string
  readonly fqdn_ascii: string
  /** Null if unknown: an existing value is kept. */
  readonly customer: string | null
  /** Null if unknown. */
  readonly created_at: Date | null
}
export interface WantedEmail {
  readonly address: string
  /** Null if unknown: an existing value is kept. */
  readonly customer: string | null
  /** Null if unknown: an existing value is kept. */
  readonly type: string | null
  readonly created_at: Date | null
}

/** The names of the rows; changed ones with their old and new values. */
export interface Names {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly others: readonly string[]
}

/** The difference between a list in the database and the wanted rows. */
export interface Comparison {
  /** The number of rows in the database. */
  readonly before: number
  /** In the order of the wanted rows. */
  readonly outcomes: readonly Outcome[]
  /** The number of rows that are not wanted. */
  readonly others: number
  readonly names: Names
  /** Writes only the rows that differ, since every statement updates the open screens. */
  write(): Promise<void>
  /** Removes the rows that are not wanted. @returns how many */
  removeOthers(): Promise<number>
}

/** With the existing customer if it was unknown. */
interface Filled {
  readonly customer: string
}

interface Difference<Row> {
  readonly outcomes: readonly Outcome[]
  readonly written: readonly (Row & { created_at: Date; updated_at: Date })[]
  /** The ids of the rows that are not wanted. */
  readonly others: readonly number[]
  readonly names: Names
}

/**
 * @param wanted with unique keys
 * @param tell returns the name of a row and its other values, in a fixed order
 */
function compare<Row extends { created_at: Date | null }>(
  cached: ReadonlyMap<string, Row & { id: number; created_at: Date }>,
  wanted: readonly Row[],
  keyOf: (row: Row) => string,
  tell: (row: Row) => readonly [string, ...(string | null)[]],
  now: Date,
): Difference<Row> {
  const outcomes = wanted.map((row): Outcome => {
    const old = cached.get(keyOf(row))
    if (old === undefined) return 'added'
    const isAsOld = row.created_at === null || row.created_at.getTime() === old.created_at.getTime()
    return isAsOld && movesIn(tell(old), tell(row)).length === 0 ? 'unchanged' : 'changed'
  })
  const nameOf = (row: Row) => tell(row)[0]
  const changeOf = (row: Row) => {
    const old = cached.get(keyOf(row))
    const moves = old === undefined ? [] : movesIn(tell(old), tell(row))
    return moves.length === 0 ? nameOf(row) : `${nameOf(row)}: ${moves.join(', ')}`
  }
  const that = (outcome: Outcome) => wanted.filter((_, index) => outcomes[index] === outcome)
  const keys = new Set(wanted.map(keyOf))
  const others = [...cached].filter(([key]) => !keys.has(key)).map(([, row]) => row)
  return {
    outcomes,
    written: wanted
      .filter((_, index) => outcomes[index] !== 'unchanged')
      .map((row) => ({
        ...row,
        created_at: row.created_at ?? cached.get(keyOf(row))?.created_at ?? now,
        updated_at: now,
      })),
    others: others.map(({ id }) => id),
    names: {
      added: that('added').map(nameOf),
      changed: that('changed').map(changeOf),
      others: others.map(nameOf),
    },
  }
}

/** The differences, as “old → new”. */
const movesIn = (old: readonly (string | null)[], now: readonly (string | null)[]): readonly string[] =>
  now.flatMap((value, index) => (value === old[index] ? [] : [`${old[index] || '–'} → ${value || '–'}`]))

interface Statements<Row> {
  readonly write: (portion: Difference<Row>['written'][number][]) => PromiseLike<unknown>
  readonly remove: (ids: number[]) => PromiseLike<unknown>
}

const comparisonOf = <Row>(
  before: number,
  { outcomes, written, others, names }: Difference<Row>,
  { write, remove }: Statements<Row>,
): Comparison => ({
  before,
  outcomes,
  others: others.length,
  names,
  async write() {
    for (const portion of chunk(written)) await write(portion)
  },
  async removeOthers() {
    for (const ids of chunk(others)) await remove(ids)
    return others.length
  },
})

export async function compareDomains(
  tx: Transaction,
  wanted: readonly WantedDomain[],
  now: Date,
): Promise<Comparison> {
  const rows = await tx.select().from(ownDomains)
  const cached = new Map(rows.map((row) => [row.fqdn_ascii, row]))
  const filled = wanted.map((row) => ({
    ...row,
    customer: row.customer ?? cached.get(row.fqdn_ascii)?.customer ?? '',
  }))
  const difference = compare<WantedDomain & Filled>(
    cached,
    filled,
    (row) => row.fqdn_ascii,
    ({ fqdn, customer }) => [fqdn, customer],
    now,
  )
  return comparisonOf(rows.length, difference, {
    write: (portion) =>
      tx
        .insert(ownDomains)
        .values(portion)
        .onConflictDoUpdate({
          target: ownDomains.fqdn_ascii,
          set: excludedColumns('fqdn', 'customer', 'created_at', 'updated_at'),
        }),
    remove: (ids) => tx.delete(ownDomains).where(inArray(ownDomains.id, ids)),
  })
}

export async function compareEmails(
  tx: Transaction,
  wanted: readonly WantedEmail[],
  now: Date,
): Promise<Comparison> {
  const rows = await tx.select().from(emails)
  const cached = new Map(rows.map((row) => [row.address, row]))
  const filled = wanted.map((row) => {
    const old = cached.get(row.address)
    return { ...row, customer: row.customer ?? old?.customer ?? '', type: row.type ?? old?.type ?? '' }
  })
  const difference = compare<WantedEmail & Filled & { readonly type: string }>(
    cached,
    filled,
    (row) => row.address,
    ({ address, customer, type }) => [address, customer, type],
    now,
  )
  return comparisonOf(rows.length, difference, {
    write: (portion) =>
      tx
        .insert(emails)
        .values(portion)
        .onConflictDoUpdate({
          target: emails.address,
          set: excludedColumns('type', 'customer', 'created_at', 'updated_at'),
        }),
    remove: (ids) => tx.delete(emails).where(inArray(emails.id, ids)),
  })
}
