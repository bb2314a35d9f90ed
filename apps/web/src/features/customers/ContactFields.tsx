import { ActionIcon, Button, Input, type InputWrapperProps, SimpleGrid, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ContactForm, emptyContact } from './customer-form.ts'
import styles from './customers.module.css'

const fields = ['name', 'role', 'email', 'phone'] as const

interface Props extends Pick<InputWrapperProps, 'label' | 'error' | 'description'> {
  readonly value?: readonly ContactForm[]
  readonly onChange: (contacts: readonly ContactForm[]) => void
}

/** A row of fields for each contact. */
export function ContactFields({ value = [], onChange, label, error, description }: Props) {
  const { t } = useTranslation()
  const replace = (index: number, contact: ContactForm) => onChange(value.with(index, contact))
  return (
    <Input.Wrapper label={label} error={error} description={description} labelElement="div">
      {value.map((contact, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own.
          key={index}
          className={styles.contact}
          aria-label={t('customers.contact', { number: index + 1 })}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" flex={1}>
            {fields.map((name) => (
              <TextInput
                key={name}
                aria-label={t(`customers.contactFields.${name}`)}
                placeholder={t(`customers.contactFields.${name}`)}
                autoComplete="off"
                value={contact[name]}
                onChange={({ currentTarget }) => replace(index, { ...contact, [name]: currentTarget.value })}
              />
            ))}
          </SimpleGrid>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('customers.removeContact', { number: index + 1 })}
            onClick={() => onChange(value.toSpliced(index, 1))}
          >
            <IconX size={16} />
          </ActionIcon>
        </fieldset>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...value, emptyContact])}
      >
        {t('customers.addContact')}
      </Button>
    </Input.Wrapper>
  )
}
