import {
  type ContractField,
  type ContractSettings,
  isTagTopic,
} from '@kustos/contract/tracking-contracts/states'
import { Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { ModeGroup, ModeRow } from '../../ui/ModeRow.tsx'
import {
  type ContractForm,
  type FieldGroup,
  fieldGroups,
  initialValue,
  isAdded,
  isTextField,
} from './contract-form.ts'
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
        <ModeGroup key={group} title={t(`trackingContract.groups.${group}`)}>
          <Text c="dimmed" fz="sm">
            {t(`trackingContract.hints.${group}`)}
          </Text>
          {fieldGroups[group].map((field) => (
            <Row key={field} field={field} {...props} />
          ))}
        </ModeGroup>
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
  const label = fieldName(name)
  const value = values[name]
  const {
    label: _,
    required: _required,
    className: _class,
    ...input
  } = field(name, { label, show: (shown) => valueText(name, shown) })
  const modes = isOfWeb
    ? (['inherited', isAdded(name) ? 'added' : 'own'] as const)
    : (['notChecked', 'agreed'] as const)
  return (
    <ModeRow
      label={label}
      choiceLabel={t('trackingContract.modeOf', { field: label })}
      mode={value === null ? modes[0] : modes[1]}
      modes={modes.map((mode) => ({ value: mode, label: t(`trackingContract.modes.${mode}`) }))}
      onMode={(mode) => input.onChange(mode === modes[0] ? null : initialValue(name, applying, isOfWeb))}
      inherited={value === null && isOfWeb ? valueText(name, applying[name]) : null}
    >
      {(id) => {
        if (value === null) return null
        return isTextField(name) ? (
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
        )
      }}
    </ModeRow>
  )
}
