import { type CheckField, checkMethods, maxCheckSeconds } from '@kustos/contract/checks'
import { Input, NumberInput, SegmentedControl, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { plainText } from '../../ui/contract-form/fields.tsx'
import { ModeGroup, ModeRow } from '../../ui/ModeRow.tsx'

export type FieldMode = 'keep' | 'inherit' | 'set'

const groups = {
  request: ['path', 'method', 'headers', 'timeout_seconds'],
  response: ['statuses', 'required_text', 'forbidden_text', 'accepts_empty'],
  redirects: ['follows_redirects', 'redirect_hosts'],
  degraded: ['slow_ms', 'alerts_degraded'],
} as const satisfies Readonly<Record<string, readonly CheckField[]>>
type Group = keyof typeof groups

/** What an input of a form needs. */
export interface CheckInput {
  readonly value?: unknown
  readonly error?: ReactNode
  readonly description?: ReactNode
  readonly onChange: (value: unknown) => void
}

interface Props {
  readonly modes: readonly FieldMode[]
  readonly modeOf: (field: CheckField) => FieldMode
  readonly onMode: (field: CheckField, mode: FieldMode) => void
  readonly inputOf: (field: CheckField) => CheckInput
  /** What applies if the field is inherited, and where it comes from. */
  readonly inherited: (field: CheckField) => string | null
  /** The input of the headers; they are left out without it. */
  readonly headers?: (input: CheckInput) => ReactNode
}

/** A row for each setting: where it comes from, and its input if it is set here. */
export function CheckFields({ headers, ...rows }: Props) {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      {(Object.keys(groups) as Group[]).map((group) => (
        <ModeGroup key={group} title={t(`checks.groups.${group}`)}>
          {groups[group].map((field) =>
            field === 'headers' && headers === undefined ? null : (
              <Row key={field} field={field} {...rows} {...(headers && { headers })} />
            ),
          )}
        </ModeGroup>
      ))}
    </Stack>
  )
}

function Row({
  field,
  modes,
  modeOf,
  onMode,
  inputOf,
  inherited,
  headers,
}: Props & { readonly field: CheckField }) {
  const { t } = useTranslation()
  const label = t(`checks.fields.${field}`)
  const hints: Readonly<Partial<Record<CheckField, string>>> = t('checks.hints', { returnObjects: true })
  const mode = modeOf(field)
  const input = inputOf(field)
  return (
    <ModeRow
      label={label}
      choiceLabel={t('checks.modeOf', { field: label })}
      mode={mode}
      modes={modes.map((value) => ({ value, label: t(`checks.modes.${value}`) }))}
      onMode={(next) => onMode(field, next)}
      inherited={mode === 'inherit' ? inherited(field) : null}
    >
      {(id) => {
        // The own input that a change by someone else has displaced.
        if (mode !== 'set')
          return input.description ? <Input.Description>{input.description}</Input.Description> : null
        if (field === 'headers') return headers?.(input)
        const described = { ...input, description: input.description ?? hints[field] }
        return <FieldInput field={field} input={described} id={id} />
      }}
    </ModeRow>
  )
}

interface InputProps {
  readonly field: Exclude<CheckField, 'headers'>
  readonly input: CheckInput
  /** Of the label. */
  readonly id: string
}

function FieldInput({ field, input: { value, onChange, ...input }, id }: InputProps) {
  const { t } = useTranslation()
  const labelled = { ...input, 'aria-labelledby': id }
  if (field === 'timeout_seconds' || field === 'slow_ms')
    return (
      <NumberInput
        {...labelled}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : 0)}
        min={field === 'slow_ms' ? 0 : 1}
        max={field === 'slow_ms' ? maxCheckSeconds * 1000 : maxCheckSeconds}
        step={field === 'slow_ms' ? 500 : 1}
        allowDecimal={false}
      />
    )
  if (field === 'redirect_hosts')
    return (
      <TagsInput
        {...labelled}
        value={Array.isArray(value) ? value : []}
        onChange={onChange}
        acceptValueOnBlur
        splitChars={[',', ';', ' ']}
      />
    )
  if (field === 'method' || typeof value === 'boolean') {
    const options =
      field === 'method'
        ? checkMethods.map((method) => ({ value: method as string, label: method as string }))
        : (['yes', 'no'] as const).map((answer) => ({ value: answer, label: t(`checks.values.${answer}`) }))
    return (
      <>
        <SegmentedControl
          size="xs"
          aria-labelledby={id}
          value={typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)}
          onChange={(next) => onChange(field === 'method' ? next : next === 'yes')}
          data={options}
        />
        <Text c="dimmed" fz="xs">
          {input.description}
        </Text>
      </>
    )
  }
  return (
    <TextInput
      {...labelled}
      {...plainText}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
