import {
  type ContractField,
  type ContractSettings,
  isTagTopic,
} from '@kustos/contract/tracking-contracts/states'
import { SegmentedControl, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import {
  type ContractForm,
  type FieldGroup,
  fieldGroups,
  initialValue,
  isTextField,
} from './contract-form.ts'
import styles from './tracking-contract.module.css'
import { useContractTexts } from './use-contract-texts.ts'

interface Props {
  readonly fields: FormFields<ContractForm>
  /** What applies so far. */
  readonly applying: ContractSettings
  readonly isOfWeb: boolean
}

/** A row for each field: whether it is agreed on here, and with which value. */
export function ContractFields(props: Props) {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      {(Object.keys(fieldGroups) as FieldGroup[]).map((group) => (
        <fieldset key={group} className={styles.group}>
          <legend>{t(`trackingContract.groups.${group}`)}</legend>
          <Text c="dimmed" fz="sm">
            {t(`trackingContract.hints.${group}`)}
          </Text>
          {fieldGroups[group].map((field) => (
            <Row key={field} field={field} {...props} />
          ))}
        </fieldset>
      ))}
    </Stack>
  )
}

function Row({
  field: name,
  fields: { field, values },
  applying,
  isOfWeb,
}: Props & { readonly field: ContractField }) {
  const { t } = useTranslation()
  const { fieldName, valueText } = useContractTexts()
  const id = useId()
  const label = fieldName(name)
  const value = values[name]
  const {
    label: _,
    required: _required,
    className: _class,
    ...input
  } = field(name, { label, show: (shown) => valueText(name, shown) })
  const modes = isOfWeb ? (['inherited', 'own'] as const) : (['notChecked', 'agreed'] as const)
  return (
    <div className={styles.row}>
      <div className={styles.head}>
        <Text span id={id}>
          {label}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('trackingContract.modeOf', { field: label })}
          value={value === null ? modes[0] : modes[1]}
          onChange={(mode) => input.onChange(mode === modes[0] ? null : initialValue(name, applying))}
          data={modes.map((mode) => ({ value: mode, label: t(`trackingContract.modes.${mode}`) }))}
        />
      </div>
      {value === null && isOfWeb && (
        <Text c="dimmed" fz="sm" className={styles.value}>
          {valueText(name, applying[name])}
        </Text>
      )}
      {value !== null &&
        (isTextField(name) ? (
          <TextInput
            {...plainText}
            {...input}
            aria-labelledby={id}
            placeholder={valueText(name, '')}
            value={String(value)}
            onChange={({ currentTarget }) => input.onChange(currentTarget.value)}
          />
        ) : (
          <TagsInput
            {...input}
            aria-labelledby={id}
            value={Array.isArray(value) ? value : []}
            placeholder={isTagTopic(name) ? t('trackingContract.idPlaceholder') : ''}
            acceptValueOnBlur
            splitChars={[',', ';', ' ']}
          />
        ))}
    </div>
  )
}
