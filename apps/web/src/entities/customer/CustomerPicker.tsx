import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useCustomerOptions } from './use-customer-options.tsx'

interface Props extends Omit<AutocompleteProps, 'data'> {
  /** A code that is not suggested. */
  readonly without?: string
}

/** A field for the code of a customer, known or new. */
export function CustomerPicker({ without, ...props }: Props) {
  const { customers, props: options } = useCustomerOptions()
  return (
    <Autocomplete
      {...props}
      {...options}
      openOnFocus={false}
      data={customers.flatMap(({ code }) => (code === without ? [] : [code]))}
      // What is typed already needs no suggestion.
      filter={(input) =>
        options.filter(input).filter((option) => !('value' in option && option.value === input.search))
      }
    />
  )
}
