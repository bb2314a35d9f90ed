import {
  ActionIcon,
  Button,
  Group,
  Input,
  type InputWrapperProps,
  PasswordInput,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { plainText } from '../../ui/contract-form/fields.tsx'
import styles from './check.module.css'
import { emptyHeader, type HeaderForm } from './check-form.ts'

interface Props extends Pick<InputWrapperProps, 'error' | 'description'> {
  readonly value: readonly HeaderForm[]
  /** Names of headers whose values are stored. */
  readonly stored: readonly string[]
  readonly onChange: (headers: readonly HeaderForm[]) => void
}

/** A row for each header. Stored values are not shown. */
export function HeaderFields({ value, stored, onChange, error, description }: Props) {
  const { t } = useTranslation()
  const replace = (index: number, header: HeaderForm) => onChange(value.with(index, header))
  return (
    <Input.Wrapper error={error} description={description} labelElement="div">
      {value.map((header, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own.
          key={index}
          className={styles.header}
          aria-label={t('checks.header.row', { number: index + 1 })}
        >
          <Group gap="xs" flex={1} grow>
            <TextInput
              {...plainText}
              aria-label={t('checks.header.name')}
              placeholder={t('checks.header.name')}
              value={header.name}
              onChange={({ currentTarget }) => replace(index, { ...header, name: currentTarget.value })}
            />
            <PasswordInput
              autoComplete="new-password"
              aria-label={t('checks.header.value')}
              placeholder={t(`checks.header.${stored.includes(header.name) ? 'stored' : 'value'}`)}
              value={header.value}
              onChange={({ currentTarget }) => replace(index, { ...header, value: currentTarget.value })}
            />
          </Group>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('checks.header.remove', { number: index + 1 })}
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
        onClick={() => onChange([...value, emptyHeader])}
      >
        {t('checks.header.add')}
      </Button>
    </Input.Wrapper>
  )
}
