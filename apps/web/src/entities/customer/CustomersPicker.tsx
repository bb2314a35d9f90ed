import { TagsInput, type TagsInputProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { codeOf, findCustomers } from './find-customers.ts'
import { useCustomerOptions } from './use-customer-options.tsx'

interface Props extends Omit<TagsInputProps, 'data' | 'onChange'> {
  readonly onChange: (codes: string[]) => void
}

/** A field for the codes of customers, known or new. */
export function CustomersPicker({ onChange, ...props }: Props) {
  const { customers, props: options } = useCustomerOptions()
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const take = (texts: readonly string[]) =>
    onChange([...new Set(texts.map((text) => codeOf(customers, text)))])

  /** Mantine selects no suggestion that comes after its text was typed, and would take the text for a code. */
  function takeFirst(event: KeyboardEvent<HTMLInputElement>) {
    const isChosen = event.currentTarget.hasAttribute('aria-activedescendant')
    const [first] = findCustomers(customers, search)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isChosen || first === undefined) return
    event.preventDefault()
    setSearch('')
    setOpen(false)
    take([...(props.value ?? []), first.code])
  }

  return (
    <TagsInput
      {...props}
      {...options}
      data={customers.map(({ code }) => code)}
      onChange={take}
      onKeyDown={takeFirst}
      searchValue={search}
      // Open only while there is text: otherwise Escape would close the suggestions instead of the dialog around the field.
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onSearchChange={(text) => {
        setSearch(text)
        setOpen(text.trim() !== '')
      }}
      selectFirstOptionOnChange
      acceptValueOnBlur
      splitChars={[',', ';']}
    />
  )
}
