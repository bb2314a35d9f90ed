import type { Transaction } from '@kustos/database/client'
import { customers } from '@kustos/database/tables'
import { sql } from 'drizzle-orm'

/**
 * For lists that others keep, such as the registrar's, which go on naming a customer by a code that was merged into another.
 * @returns the rows with the codes of today; a null stays
 */
export async function withMergedCodes<Row extends { readonly customer: string | null }>(
  db: Transaction,
  rows: readonly Row[],
): Promise<Row[]> {
  const merged = await db
    .select({ code: customers.code, spellings: customers.spellings })
    .from(customers)
    .where(sql`cardinality(${customers.spellings}) > 0`)
  const codes = new Map(merged.flatMap(({ code, spellings }) => spellings.map((old) => [old, code] as const)))
  return rows.map((row) => ({
    ...row,
    customer: row.customer === null ? null : (codes.get(row.customer) ?? row.customer),
  }))
}
