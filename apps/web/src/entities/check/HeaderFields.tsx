import { Group, type InputWrapperProps, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { plainText } from '../../ui/contract-form/fields.tsx'
import { RowFields } from '../../ui/contract-form/RowFields.tsx'
import { emptyHeader, type HeaderForm } from './check-form.ts'

interface Props extends Pick<InputWrapperProps, 'error' | 'description'> {
  readonly value: readonly HeaderForm[]
  /** Names of headers whose values are stored. */
  readonly stored: readonly string[]
  readonly onChange: (headers: readonly HeaderForm[]) => void
}

/** A row for each header. Stored values are not shown. */
export function HeaderFields({ stored, ...props }: Props) {
  const { t } = useTranslation()
  return (
    <RowFields
      {...props}
      empty={emptyHeader}
      rowLabel={(number) => t('checks.header.row', { number })}
      removeLabel={(number) => t('checks.header.remove', { number })}
      addLabel={t('checks.header.add')}
      fields={({ name, value }, replace) => (
        <Group gap="xs" flex={1} grow>
          <TextInput
            {...plainText}
            aria-label={t('checks.header.name')}
            placeholder={t('checks.header.name')}
            value={name}
            onChange={({ currentTarget }) => replace({ name: currentTarget.value })}
          />
          <PasswordInput
            autoComplete="new-password"
            aria-label={t('checks.header.value')}
            placeholder={t(`checks.header.${stored.includes(name) ? 'stored' : 'value'}`)}
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
            value={value}
            onChange={({ currentTarget }) => replace({ value: currentTarget.value })}
          />
        </Group>
      )}
    />
  )
}
