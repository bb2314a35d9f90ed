import { type Customer, customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { createSearchItem, type SearchItem } from './search.ts'

const { listCustomers } = customersRoutes
const none: readonly SearchItem<Customer>[] = []

const indexCustomers = (customers: readonly Customer[]): readonly SearchItem<Customer>[] =>
  customers.map((customer) => createSearchItem(customer, [customer.code, customer.name ?? ''], []))

/** The customers by code and name; none while loading, and for users who may not see them. */
export function useCustomers(): readonly SearchItem<Customer>[] {
  const enabled = can(useUser(), listCustomers.access)
  return useRoute(listCustomers, {}, { enabled, select: indexCustomers }).data ?? none
}
