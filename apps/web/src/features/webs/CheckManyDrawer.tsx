import { type CheckField, checkEdits, defaultCheck } from '@kustos/contract/checks'
import { useTranslation } from 'react-i18next'
import { CheckFields, type FieldMode } from '../../entities/check/CheckFields.tsx'
import { initialValue, type ManyForm } from '../../entities/check/check-form.ts'
import { ManyDrawer, type ManyProps, useManyEdits } from './ManyDrawer.tsx'

type ManyField = Exclude<CheckField, 'headers'>

/** Changes how many webs are checked: fields that are not touched stay as they are in each web. */
export default function CheckManyDrawer(props: ManyProps) {
  const { t } = useTranslation()
  const { edits, errors, setErrors, change, untouch } = useManyEdits<ManyForm>()

  const onMode = (field: ManyField, mode: FieldMode) =>
    mode === 'keep' ? untouch(field) : change({ [field]: mode === 'inherit' ? null : initialValue(field) })
  const modeOf = (field: ManyField): FieldMode =>
    edits[field] === undefined ? 'keep' : edits[field] === null ? 'inherit' : 'set'

  // Headers are left out, since each web would store the same secret.
  const of = (field: CheckField) => field as ManyField
  return (
    <ManyDrawer
      {...props}
      schema={checkEdits}
      edits={edits}
      onErrors={setErrors}
      wishOf={(check) => ({
        action: 'changeCheck',
        check,
        label: t('checks.many.label'),
        question: (count) => t('checks.many.question', { count }),
      })}
      texts={{
        title: t('checks.many.title', { count: props.webs.length }),
        hint: t('checks.many.hint'),
        cancel: t('checks.many.cancel'),
        preview: t('checks.many.preview'),
      }}
      size={560}
    >
      <CheckFields
        modes={['keep', 'inherit', 'set']}
        modeOf={(field) => modeOf(of(field))}
        onMode={(field, mode) => onMode(of(field), mode)}
        inputOf={(field) => ({
          value: edits[of(field)] ?? defaultCheck[field],
          error: errors[field],
          onChange: (value) => (value === undefined ? untouch(of(field)) : change({ [of(field)]: value })),
        })}
        inherited={() => null}
      />
    </ManyDrawer>
  )
}
