import {
  type ContractField,
  type ContractSettings,
  isTagTopic,
  knownConsentTools,
} from '@kustos/contract/tracking-contracts/states'
import { Autocomplete, Input, Stack, TagsInput, type TagsInputProps, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { ModeGroup, ModeRow } from '../../ui/ModeRow.tsx'
import {
  type ContractForm,
  earlyTopics,
  type FieldGroup,
  fieldGroups,
  initialValue,
  isAdded,
  isTextField,
  toSubjects,
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
        // The own input that a change by someone else has displaced.
        if (value === null)
          return input.description ? <Input.Description>{input.description}</Input.Description> : null
        if (isTextField(name))
          return (
            <Autocomplete
              {...plainText}
              {...input}
              aria-labelledby={id}
              placeholder={valueText(name, '')}
              data={name === 'consent_tool' ? knownConsentTools : []}
              value={String(value)}
            />
          )
        const list = Array.isArray(value) ? value : []
        return name === 'before_consent' ? (
          <EarlyInput {...input} aria-labelledby={id} value={list} />
        ) : (
          <TagsInput
            {...input}
            aria-labelledby={id}
            value={list}
            placeholder={isTagTopic(name) ? t('trackingContract.idPlaceholder') : ''}
            acceptValueOnBlur
            splitChars={[',', ';', ' ']}
          />
        )
      }}
    </ModeRow>
  )
}

interface EarlyInputProps extends Omit<TagsInputProps, 'value' | 'onChange'> {
  readonly value: readonly string[]
  readonly onChange: (subjects: string[]) => void
}

/** Topics, which are shown, suggested and typed by their names, and hosts. */
function EarlyInput({ value, onChange, ...props }: EarlyInputProps) {
  const { subjectName } = useContractTexts()
  const named = (subject: string) => ({ subject, text: subjectName(subject) })
  const chosen = value.map(named)
  const suggested = earlyTopics.map(named)
  return (
    <TagsInput
      {...props}
      data={suggested.map(({ text }) => text)}
      value={chosen.map(({ text }) => text)}
      onChange={(texts) => onChange(toSubjects(texts, [...chosen, ...suggested]))}
      acceptValueOnBlur
      // Names have spaces.
      splitChars={[',', ';']}
    />
  )
}
