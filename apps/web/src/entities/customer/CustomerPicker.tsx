import { type Customer, customersRoutes } from '@kustos/contract/customers'
import { can } from '@kustos/contract/permissions'
import { Autocomplete, type AutocompleteProps, Text } from '@mantine/core'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'

const { listCustomers } = customersRoutes
const none: readonly Customer[] = []

/** How many suggestions are shown; more text narrows them down. */
const maxShown = 20

interface Props extends Omit<AutocompleteProps, 'data'> {
  /** A code that is not suggested. */
  readonly without?: string
}

/** A field for the code of a customer, known or new, which users who may see customers complete by code or name. */
export function CustomerPicker({ without, ...props }: Props) {
  const customers =
    useRoute(listCustomers, {}, { enabled: can(useUser(), listCustomers.access) }).data ?? none
  const names = new Map(customers.map(({ code, name }) => [code, name]))
  return (
    <Autocomplete
      {...props}
      autoComplete="off"
      spellCheck={false}
      limit={maxShown}
      openOnFocus={false}
      data={customers.flatMap(({ code }) => (code === without ? [] : [code]))}
      filter={({ options, search }) => {
        const typed = search.trim().toLowerCase()
        // All of them would only cover the rest of the form.
        if (typed === '') return []
        return options
          .filter(
            (option) =>
              'value' in option &&
              option.value !== search &&
              `${option.value}\n${names.get(option.value) ?? ''}`.toLowerCase().includes(typed),
          )
          .slice(0, maxShown)
      }}
      renderOption={({ option }) => (
        <span>
          {option.value}{' '}
          <Text span c="dimmed" fz="sm">
            {names.get(option.value)}
          </Text>
        </span>
      )}
    />
  )
}
