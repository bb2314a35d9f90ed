import type { Transaction } from '@kustos/database/client'
import { customers, trackingContracts, webs } from '@kustos/database/tables'
import { and, eq } from 'drizzle-orm'
import type { Scope } from '../platform/context.ts'
import { notFound } from '../platform/errors.ts'
import { visibleWebs } from '../platform/visible-webs.ts'

/** Whose contract or exception it is. */
export interface ContractScope {
  readonly type: 'web' | 'customer'
  readonly id: number
}

/** That of the customer of a web; null if it has none. */
export const customerScope = ({
  customer_id: id,
}: {
  readonly customer_id: number | null
}): ContractScope | null => (id === null ? null : { type: 'customer', id })

/** The columns of tables that belong to a web or a customer. */
export const columnsOf = ({ type, id }: ContractScope) =>
  type === 'web' ? { web_id: id } : { customer_id: id }

/**
 * Finds a customer, and keeps it from being deleted if this is a transaction that changes its contract.
 * @throws DomainError not-found
 */
export async function findCustomer(db: Transaction, code: string, locks: boolean) {
  const query = db
    .select({ id: customers.id, code: customers.code })
    .from(customers)
    .where(eq(customers.code, code))
  const [customer] = await (locks ? query.for('key share') : query)
  if (!customer) throw notFound('customer_not_found', { code })
  return customer
}

/** @throws DomainError not-found, also for deleted webs unless the user may restore them */
export async function findWeb(scope: Pick<Scope, 'db' | 'actor'>, id: number, locks: boolean) {
  const query = scope.db
    .select({ id: webs.id, fqdn: webs.fqdn, customer: webs.customer, customer_id: customers.id })
    .from(webs)
    .leftJoin(customers, eq(customers.code, webs.customer))
    .where(and(eq(webs.id, id), visibleWebs(scope)))
  const [web] = await (locks ? query.for('key share', { of: webs }) : query)
  if (!web) throw notFound('web_not_found', { id })
  return web
}

/** The contract of a web or a customer, if it has one. */
export async function findContract(db: Transaction, scope: ContractScope, locks: boolean) {
  const column = scope.type === 'web' ? trackingContracts.web_id : trackingContracts.customer_id
  const query = db.select().from(trackingContracts).where(eq(column, scope.id))
  const [row] = await (locks ? query.for('update') : query)
  return row ?? null
}
