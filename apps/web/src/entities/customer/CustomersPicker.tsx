import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useState } from 'react'
import { codeOf } from './find-customers.ts'
import { useCustomerOptions } from './use-customer-options.tsx'

interface Props extends Omit<TagsInputProps, 'data' | 'onChange'> {
  readonly onChange: (codes: string[]) => void
}

/** A field for the codes of customers, known or new. */
export function CustomersPicker({ onChange, ...props }: Props) {
  const { customers, props: options } = useCustomerOptions()
  const [isOpen, setOpen] = useState(false)
  return (
    <TagsInput
      {...props}
      {...options}
      data={customers.map(({ code }) => code)}
      onChange={(texts) => onChange([...new Set(texts.map((text) => codeOf(customers, text)))])}
      // Open only while there is text: otherwise Escape would close the suggestions instead of the dialog around the field.
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onSearchChange={(text) => setOpen(text.trim() !== '')}
      selectFirstOptionOnChange
      acceptValueOnBlur
      splitChars={[',', ';']}
    />
  )
}
