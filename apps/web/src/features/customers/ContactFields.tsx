import { type InputWrapperProps, SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RowFields } from '../../ui/contract-form/RowFields.tsx'
import { type ContactForm, emptyContact } from './customer-form.ts'

const names = ['name', 'role', 'email', 'phone'] as const

interface Props extends Pick<InputWrapperProps, 'label' | 'error' | 'description'> {
  readonly value?: readonly ContactForm[]
  readonly onChange: (contacts: readonly ContactForm[]) => void
}

/** A row of fields for each contact. */
export function ContactFields({ value = [], ...props }: Props) {
  const { t } = useTranslation()
  return (
    <RowFields
      {...props}
      value={value}
      empty={emptyContact}
      rowLabel={(number) => t('customers.contact', { number })}
      removeLabel={(number) => t('customers.removeContact', { number })}
      addLabel={t('customers.addContact')}
      fields={(contact, replace) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" flex={1}>
          {names.map((name) => (
            <TextInput
              key={name}
              aria-label={t(`customers.contactFields.${name}`)}
              placeholder={t(`customers.contactFields.${name}`)}
              autoComplete="off"
              value={contact[name]}
              onChange={({ currentTarget }) => replace({ [name]: currentTarget.value })}
            />
          ))}
        </SimpleGrid>
      )}
    />
  )
}
