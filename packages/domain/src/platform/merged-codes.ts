import { type Message, message } from '@kustos/contract/messages'
import type { Transaction } from '@kustos/database/client'
import { customers } from '@kustos/database/tables'
import { eq, sql } from 'drizzle-orm'
import type { Scope } from './context.ts'
import { conflict, type DomainError, invalid } from './errors.ts'

/** The codes of today by the codes that were merged into them. */
export async function readMergedCodes(db: Transaction): Promise<ReadonlyMap<string, string>> {
  const merged = await db
    .select({ code: customers.code, spellings: customers.spellings })
    .from(customers)
    .where(sql`cardinality(${customers.spellings}) > 0`)
  return new Map(merged.flatMap(({ code, spellings }) => spellings.map((old) => [old, code] as const)))
}

/**
 * For lists that others keep, such as the registrar's, which go on naming a customer by a code that was merged into another.
 * @returns the rows with the codes of today; a null stays
 */
export async function withMergedCodes<Row extends { readonly customer: string | null }>(
  db: Transaction,
  rows: readonly Row[],
): Promise<Row[]> {
  const codes = await readMergedCodes(db)
  return rows.map((row) => ({
    ...row,
    customer: row.customer === null ? null : (codes.get(row.customer) ?? row.customer),
  }))
}

/** Why a code is refused that was merged into another: whatever gets it would bring its customer back, without anything else. */
export async function findMergedCodeRefusal(db: Transaction, code: string): Promise<Message | null> {
  if ((await db.$count(customers, eq(customers.code, code))) > 0) return null
  const into = (await readMergedCodes(db)).get(code)
  return into === undefined ? null : message('customer_merged', { from: code, code: into })
}

/**
 * Rejects such a code, and otherwise keeps its customer from being merged away before the transaction ends. Comes after the lock of the
 * web that gets the code, since a merge locks both in this order.
 * @throws DomainError as `reject` makes it; by default invalid, for the field `customer`
 */
export async function rejectMergedCode(
  { db }: Pick<Scope, 'db'>,
  code: string,
  reject: (reason: Message) => DomainError = (reason) => invalid({ customer: reason }),
): Promise<void> {
  await db.select({ id: customers.id }).from(customers).where(eq(customers.code, code)).for('key share')
  const refusal = await findMergedCodeRefusal(db, code)
  if (refusal !== null) throw reject(refusal)
}

/** The same for a revert, which would give such a code back. @throws DomainError conflict */
export const rejectRevertToMergedCode = (scope: Pick<Scope, 'db'>, code: string): Promise<void> =>
  rejectMergedCode(scope, code, (reason) => conflict('customer_not_given_back', { reason }))
