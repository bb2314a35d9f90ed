import { Button, Group, Input, MultiSelect, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FormFields } from '../../ui/contract-form/fields.tsx'
import type { WindowForm } from './window-form.ts'

/** More webs are counted instead of named: each name is an element with a button. */
const maxNamed = 100

interface Props {
  readonly fields: Pick<FormFields<WindowForm>, 'field' | 'values'>
  readonly data: readonly { readonly value: string; readonly label: string }[]
  /** How many are offered at once. */
  readonly limit: number
}

export function WebsField({ fields: { field, values }, data, limit }: Props) {
  const { t } = useTranslation()
  const countOf = (list: readonly string[]) => t('maintenance.fields.websChosen', { count: list.length })
  const input = field('webs', {
    label: t('maintenance.fields.labels.webs'),
    show: (list) => (list.length > maxNamed ? countOf(list) : list.join(', ')),
    wide: true,
  })
  if (values.webs.length > maxNamed)
    return (
      <Input.Wrapper
        label={input.label}
        labelElement="div"
        description={input.description}
        error={input.error}
        className={input.className}
      >
        <Group gap="sm">
          <Text size="sm">{countOf(values.webs)}</Text>
          <Button size="compact-sm" variant="default" onClick={() => input.onChange([])}>
            {t('maintenance.fields.clearWebs')}
          </Button>
        </Group>
      </Input.Wrapper>
    )
  return (
    <MultiSelect
      {...input}
      searchable
      limit={limit}
      openOnFocus={false}
      nothingFoundMessage={t('webs.form.noMatch')}
      data={data}
    />
  )
}
