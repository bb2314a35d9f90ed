import type { Customer, CustomerChange, NewCustomer } from '@kustos/contract/customers'
import { message } from '@kustos/contract/messages'
import { customers } from '@kustos/database/tables'
import { eq } from 'drizzle-orm'
import { difference, entriesOf, nextUpdatedAt, rejectStaleWrite, withAudit } from '../platform/audit.ts'
import type { Context, Scope } from '../platform/context.ts'
import { invalid, mapUniqueViolation, notFound } from '../platform/errors.ts'
import { lockCode } from '../platform/merged-codes.ts'
import { withoutUndefined } from '../platform/without-undefined.ts'
import { lockGivenTags } from '../tags/index.ts'
import { readCustomers } from './list.ts'

export const entry = entriesOf('customers', 'customer')

/** @throws DomainError invalid, for code, if a customer has it or had it before a merge; invalid for tags as of webs */
export const createCustomer = (context: Context, { code, ...input }: NewCustomer): Promise<Customer> =>
  mapUniqueViolation({ customers_code_unique: () => invalid({ code: message('customer_taken') }) }, () =>
    withAudit(context, async (tx) => {
      await lockCode(tx, code, (reason) => invalid({ code: reason }))
      const now = tx.now()
      const values = withoutUndefined(await lockGivenTags(tx, input))
      const [row] = await tx.db
        .insert(customers)
        .values({ code, ...values, created_at: now, updated_at: now })
        .returning({ id: customers.id })
      if (!row) throw new Error('The customer was not inserted')
      await tx.record({ ...entry('created', row.id), attributes: { code, ...values } })
      const [created] = await readCustomers({ db: tx.db, actor: tx.actor }, code)
      if (!created) throw new Error(`Customer ${row.id} disappeared during its own change`)
      return created
    }),
  )

/**
 * Changes a customer. Omitted fields stay unchanged.
 * @throws DomainError not-found; conflict if it has changed since `updated_at`; invalid for tags as of webs
 */
export const editCustomer = (
  context: Context,
  code: string,
  { updated_at: seen, ...input }: CustomerChange,
): Promise<void> =>
  withAudit(context, async (tx) => {
    const values = withoutUndefined(await lockGivenTags(tx, input))
    const row = await lockCustomer(tx, code)
    await rejectStaleWrite(tx, { type: 'customer', id: row.id }, 'customer', row.updated_at, seen)
    const changed = difference<Partial<typeof row>>(row, values)
    if (changed === null) return tx.skipAudit()
    await tx.db
      .update(customers)
      .set({ ...changed.attributes, updated_at: nextUpdatedAt(row, tx) })
      .where(eq(customers.id, row.id))
    await tx.record({ ...entry('updated', row.id), ...changed })
  })

/** @throws DomainError not-found */
async function lockCustomer(tx: Scope, code: string) {
  const [row] = await tx.db.select().from(customers).where(eq(customers.code, code)).for('no key update')
  if (!row) throw notFound('customer_not_found', { code })
  return row
}
