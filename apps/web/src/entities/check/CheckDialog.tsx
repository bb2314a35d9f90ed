import { type Check, type CheckField, checkChange } from '@kustos/contract/checks'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../platform/query.ts'
import type { FormFields } from '../../ui/contract-form/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { CheckFields, type CheckInput } from './CheckFields.tsx'
import { type CheckForm, type HeaderForm, initialValue, toBody, toForm } from './check-form.ts'
import { HeaderFields } from './HeaderFields.tsx'
import { type CheckSubject, callsOf } from './subjects.ts'
import { useCheckTexts } from './use-check-texts.ts'

interface Props {
  readonly subject: CheckSubject
  /** Of the web, the tag or the customer. */
  readonly name: string
  readonly check: Check
  readonly onClose: () => void
}

/** Edits how a web, or the webs of a tag or a customer are checked. */
export default function CheckDialog({ subject, name, check, onClose }: Props) {
  const { t } = useTranslation()
  const { query, save } = callsOf(subject)
  const hint = 'web' in subject ? 'webHint' : 'tag' in subject ? 'tagHint' : 'customerHint'
  return (
    <FormDialog
      title={t('checks.titleOf', { name })}
      size="xl"
      onClose={onClose}
      schema={checkChange}
      source={check}
      toValues={toForm}
      toBody={toBody}
      send={(body, signal) => save(body, signal)}
      loadLatest={() => queryClient.fetchQuery({ ...query, staleTime: 0 })}
      onSaved={() => notifyDone(name, t('checks.saved'))}
      submitLabel={t('checks.save')}
    >
      {(fields) => (
        <>
          <Text c="dimmed">{t(`checks.${hint}`)}</Text>
          <Fields fields={fields} check={check} />
        </>
      )}
    </FormDialog>
  )
}

function Fields({
  fields: { field, values },
  check,
}: {
  readonly fields: FormFields<CheckForm>
  readonly check: Check
}) {
  const { t } = useTranslation()
  const { textOf, sourceOf } = useCheckTexts()
  const inputOf = (name: CheckField): CheckInput => {
    const {
      label: _,
      required: _required,
      className: _class,
      ...input
    } = field(name, {
      label: t(`checks.fields.${name}`),
      show: (value) => (value === null ? t('checks.modes.inherit') : shownOf(name, value)),
    })
    return input
  }
  const shownOf = (name: CheckField, value: NonNullable<CheckForm[CheckField]>) =>
    textOf(
      name,
      typeof value === 'object' ? value.map((one) => (typeof one === 'string' ? one : one.name)) : value,
    )
  function inherited(name: CheckField): string {
    const source = check.sources[name]
    // What this one has itself will be replaced by something that only the server knows.
    if (check.own[name] !== null) return ''
    return `${textOf(name, check.effective[name])} · ${sourceOf(source) ?? ''}`
  }
  return (
    <CheckFields
      modes={['inherit', 'set']}
      modeOf={(name) => (values[name] === null ? 'inherit' : 'set')}
      onMode={(name, mode) =>
        inputOf(name).onChange(mode === 'inherit' ? null : (toForm(check)[name] ?? initialValue(name, check)))
      }
      inputOf={inputOf}
      inherited={inherited}
      headers={({ value, onChange, ...input }) => (
        <HeaderFields
          {...input}
          value={(value ?? []) as readonly HeaderForm[]}
          stored={check.own.headers ?? []}
          onChange={onChange}
        />
      )}
    />
  )
}
