import { newCustomerCode } from '@kustos/contract/customers'
import { type Message, message, readIssue } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { customers } from '@kustos/database/tables'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Scope } from './context.ts'
import { conflict, type DomainError, invalid } from './errors.ts'

const columns = { code: customers.code, spellings: customers.spellings }

/** The current codes by the codes that were merged into them. The latter may also be codes of customers that came back. */
export const readMergedCodes = async (db: Transaction): Promise<ReadonlyMap<string, string>> =>
  mergedCodesOf(await db.select(columns).from(customers).where(sql`cardinality(${customers.spellings}) > 0`))

const mergedCodesOf = (rows: readonly Pick<typeof customers.$inferSelect, keyof typeof columns>[]) =>
  new Map(
    rows.flatMap(({ code, spellings }) =>
      spellings.filter((old) => old !== code).map((old) => [old, code] as const),
    ),
  )

/**
 * For lists that others keep, such as the registrar's, which go on naming a customer by a code that was merged into another. Codes that
 * no customer has are composed, as those that users enter.
 * @returns the rows with the current codes; a null stays
 */
export async function withMergedCodes<Row extends { readonly customer: string | null }>(
  db: Transaction,
  rows: readonly Row[],
): Promise<Row[]> {
  const all = await db.select(columns).from(customers)
  const merged = mergedCodesOf(all)
  const known = new Set(all.map(({ code }) => code))
  const follow = (code: string) => merged.get(code) ?? code
  const currentCode = (given: string) => {
    const code = follow(given)
    const read = known.has(code) ? { code } : readNewCode(code)
    return 'code' in read ? follow(read.code) : code
  }
  return rows.map((row) => ({ ...row, customer: row.customer === null ? null : currentCode(row.customer) }))
}

/**
 * Follows a code that was accepted earlier, and keeps its customer from being merged away before the transaction ends.
 * @returns the current code
 */
export async function lockCurrentCode({ db }: Pick<Scope, 'db'>, given: string): Promise<string> {
  const follow = async () => (await readMergedCodes(db)).get(given) ?? given
  for (let code = await follow(); ; ) {
    // Waits for a merge that is under way.
    await db.select({ id: customers.id }).from(customers).where(eq(customers.code, code)).for('key share')
    const current = await follow()
    if (current === code) return code
    code = current
  }
}

export type ReadCode = { readonly code: string } | { readonly refusal: Message }

/** Reads a code that no customer has: its letters are composed, so that it does not look like that of another customer. */
export function readNewCode(given: string): ReadCode {
  const parsed = newCustomerCode.safeParse(given)
  if (parsed.success) return { code: parsed.data }
  return { refusal: readIssue(parsed.error.issues[0]?.message ?? '') ?? message('customer_required') }
}

/**
 * Reads a code that a user has entered. One that a customer has stays as it is.
 * @returns why it is refused if it was merged into another, since whatever gets it would bring its customer back, without anything
 * else; or if it is none for a new customer
 */
export async function readCode(db: Transaction, given: string): Promise<ReadCode> {
  const isKnown = async (code: string) => (await db.$count(customers, eq(customers.code, code))) > 0
  if (await isKnown(given)) return { code: given }
  const read = readNewCode(given)
  if ('code' in read && read.code !== given && (await isKnown(read.code))) return read
  const merged = await readMergedCodes(db)
  const into = merged.get(given) ?? ('code' in read ? merged.get(read.code) : undefined)
  return into === undefined ? read : { refusal: message('customer_merged', { from: given, code: into }) }
}

/** Keeps the customers of these codes from being merged away before the transaction ends. Locks them in one order. */
export async function lockCustomers({ db }: Pick<Scope, 'db'>, codes: readonly string[]): Promise<void> {
  const spellings = new Set(codes.flatMap((code) => [code, code.normalize('NFC')]))
  await db
    .select({ id: customers.id })
    .from(customers)
    .where(inArray(customers.code, [...spellings]))
    .orderBy(customers.id)
    .for('key share')
}

/**
 * Reads such a code, and keeps its customer from being merged away before the transaction ends. Comes after the lock of the web that
 * gets the code, since a merge locks both in this order, and before that of system users. A caller with several codes locks their
 * customers together first.
 * @returns the code to store
 * @throws DomainError as `reject` makes it; by default invalid, for the field `customer`
 */
export async function lockCode(
  { db }: Pick<Scope, 'db'>,
  given: string,
  reject: (reason: Message) => DomainError = (reason) => invalid({ customer: reason }),
): Promise<string> {
  await lockCustomers({ db }, [given])
  const read = await readCode(db, given)
  if ('refusal' in read) throw reject(read.refusal)
  return read.code
}

/** The same for a revert, which would give such a code back. @throws DomainError conflict */
export const rejectRevertToMergedCode = async (scope: Pick<Scope, 'db'>, code: string): Promise<void> => {
  await lockCode(scope, code, (reason) => conflict('customer_not_given_back', { reason }))
}
