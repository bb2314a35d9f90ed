import { type Customer, customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import { type OptionsFilter, Text } from '@mantine/core'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { findCustomers } from './find-customers.ts'

const { listCustomers } = customersRoutes
const none: readonly Customer[] = []

/** How many suggestions are shown; more text narrows them down. */
const maxShown = 20

/** The suggestions of fields for codes of customers, which users who may see customers find by code or name. */
export function useCustomerOptions() {
  const customers =
    useRoute(listCustomers, {}, { enabled: can(useUser(), listCustomers.access) }).data ?? none
  const names = new Map(customers.map(({ code, name }) => [code, name]))
  // All of them for an empty text would only cover the rest of the form.
  const filter: OptionsFilter = ({ options, search }) => {
    const byCode = new Map(options.flatMap((option) => ('value' in option ? [[option.value, option]] : [])))
    return findCustomers(customers, search)
      .flatMap(({ code }) => byCode.get(code) ?? [])
      .slice(0, maxShown)
  }
  const renderOption = ({ option }: { readonly option: { readonly value: string } }) => (
    <span>
      {option.value}{' '}
      <Text span c="dimmed" fz="sm">
        {names.get(option.value)}
      </Text>
    </span>
  )
  const props = { autoComplete: 'off', spellCheck: false, limit: maxShown, filter, renderOption } as const
  return { customers, props }
}
