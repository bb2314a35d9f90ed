import { customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import type { ReportingChannel } from '@kustos/contract/webs'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'

const { listCustomers } = customersRoutes
const none: readonly ReportingChannel[] = []

/**
 * Where alerts of a customer's webs go that name no channel themselves.
 * @param code null if nobody needs to know
 * @returns nothing while loading, and for users who may not see customers
 */
export function useCustomerChannels(code: string | null): readonly ReportingChannel[] {
  const enabled = can(useUser(), listCustomers.access) && code !== null
  const customers = useRoute(listCustomers, {}, { enabled }).data
  return customers?.find((customer) => customer.code === code)?.alert_channels ?? none
}
