import type { Transaction } from '@kustos/database/client'
import { emails, ownDomains } from '@kustos/database/tables'
import { inArray, sql } from 'drizzle-orm'
import type { Outcome } from '../imported-lines.ts'
import { portions } from '../portions.ts'

/** A row that a list is to have. */
export interface WantedDomain {
  readonly fqdn: string
  readonly fqdn_ascii: string
  /** Null where nobody told: then it stays, or is empty. */
  readonly customer: string | null
  /** Null where nobody told. */
  readonly created_at: Date | null
}
export interface WantedEmail {
  readonly address: string
  /** As that of domains. */
  readonly customer: string | null
  /** The same. */
  readonly type: string | null
  readonly created_at: Date | null
}

/** What the rows are called that are added, changed (with what was and what is) or not wanted. */
export interface Names {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly others: readonly string[]
}

/** A list in the database, and what is to be written to it; nothing is written before it is asked for. */
export interface Comparison {
  /** How many rows the list has had. */
  readonly before: number
  /** In the order of the wanted rows. */
  readonly outcomes: readonly Outcome[]
  /** How many rows are not wanted. */
  readonly others: number
  readonly names: Names
  /** Writes the rows that differ, and no others: each statement on a table is told to the open screens. */
  write(): Promise<void>
  /** Removes the rows that are not wanted. @returns how many */
  removeOthers(): Promise<number>
}

/** With the customer that is there, where nobody told. */
interface Filled {
  readonly customer: string
}

interface Difference<Row> {
  readonly outcomes: readonly Outcome[]
  readonly written: readonly (Row & { created_at: Date; updated_at: Date })[]
  /** Ids of the rows that nobody wants. */
  readonly others: readonly number[]
  readonly names: Names
}

/**
 * @param wanted no two of the same key
 * @param tell a row's name and its other values, in an order that stays
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

/** What differs, as “old → new”. */
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
    for (const portion of portions(written)) await write(portion)
  },
  async removeOthers() {
    for (const ids of portions(others)) await remove(ids)
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
          set: { fqdn: sql`excluded.fqdn`, ...excluded },
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
        .onConflictDoUpdate({ target: emails.address, set: { type: sql`excluded.type`, ...excluded } }),
    remove: (ids) => tx.delete(emails).where(inArray(emails.id, ids)),
  })
}

const excluded = {
  customer: sql`excluded.customer`,
  created_at: sql`excluded.created_at`,
  updated_at: sql`excluded.updated_at`,
}
